/** The reads behind the guard: what the hub says of a policy's Secrets. */
import { isDeleting, type KubeObject, objectKey, type ObjectName, ResourceBinding, Secret } from '@lifeline/core';
import { isKubeError, type ReadRight, type ScopedCluster } from '@lifeline/k8s';
import { decideGuard, type GuardDecision, type SecretState } from './guard.ts';
import { type SecretRef, secretRefs } from './secret-refs.ts';
import { isSpread, secretBinding } from './spread.ts';

/** What a controller that calls {@link readGuard} declares to read, beside its metadata-only watches of Secrets. */
export const guardReads = (hub: string): readonly ReadRight[] => [
  { plane: hub, kind: ResourceBinding, verbs: ['get'] },
];

/** How soon to look again while a policy is held back: a binding tells nobody when it changes. */
export const guardRecheckMs = 5_000;

export interface ReadGuardInputs {
  readonly policy: KubeObject;
  readonly copy: KubeObject | undefined;
  /** The policy's plane, with a metadata-only watch of Secrets. */
  readonly project: ScopedCluster;
  /** With a metadata-only watch of Secrets. */
  readonly hub: ScopedCluster;
  /** The mapped namespace. */
  readonly namespace: string;
}

/**
 * What the Secrets of a policy allow now.
 *
 * Guarantees: nothing is released or withdrawn on a cache's word: a Secret that the cache lacks, or that the standing copy does not name yet,
 * is read live, and so is its binding where the hub is Karmada's. Never reads what is in a Secret.
 * @throws what a live read throws: then nothing is known, and nothing must be done
 */
export async function readGuard(inputs: ReadGuardInputs, signal: AbortSignal): Promise<GuardDecision> {
  const { policy, copy } = inputs;
  const served = new Set(copy ? secretRefs(copy).map(objectKey) : []);
  const refs = [...secretRefs(policy), ...(copy ? secretRefs(copy) : [])];
  const states = new Map<string, SecretState>();
  for (const ref of refs) {
    const key = objectKey(ref);
    if (!states.has(key)) states.set(key, await stateOf(ref, { ...inputs, isServed: served.has(key), signal }));
  }
  return decideGuard({ policy, copy, stateOf: (ref) => states.get(objectKey(ref)) ?? 'absent' });
}

interface Look extends ReadGuardInputs {
  readonly isServed: boolean;
  readonly signal: AbortSignal;
}

async function stateOf(ref: SecretRef, look: Look): Promise<SecretState> {
  const { hub, namespace, isServed, signal } = look;
  // A spec is carried as it is: a namespace that it spells out is one of the hub's, and there it leads nowhere.
  if (ref.namespace !== undefined || (await isGoing(ref, look))) return 'absent';
  const name = { namespace, name: ref.name };
  const cached = hub.store(Secret).get(objectKey(name));
  if (isServed && cached && !isDeleting(cached)) return 'ready';
  const secret = await hub.live.findMetadata(Secret, name, { signal });
  if (!secret || isDeleting(secret)) return 'absent';
  if (isServed) return 'ready';
  const binding = await bindingOf(name, hub, signal);
  return binding === 'plain' || isSpread(binding, secret.metadata.uid) ? 'ready' : 'spreading';
}

/** Whether the Secret in the project is gone or on its way out: its copy waits for those of the policies that name it, see `policies-first.ts`. */
async function isGoing({ name }: SecretRef, { policy, project, signal }: Look): Promise<boolean> {
  const { namespace } = policy.metadata;
  const cached = project.store(Secret).get(objectKey({ namespace, name }));
  if (cached && !isDeleting(cached)) return false;
  const source = await project.live.findMetadata(Secret, { namespace, name }, { signal });
  return !source || isDeleting(source);
}

/** The binding of a Secret; `plain` where the hub is no Karmada: there a Secret is where its readers are. */
async function bindingOf(
  name: ObjectName,
  hub: ScopedCluster,
  signal: AbortSignal,
): Promise<ResourceBinding | undefined | 'plain'> {
  try {
    return await hub.live.find(ResourceBinding, secretBinding(name), { signal });
  } catch (error) {
    if (isKubeError(error, 'kind-missing')) return 'plain';
    throw error;
  }
}
