/** Holds a SecurityPolicy back until every Secret that it names is where the policy will be. */
import { type EpochMs, type KubeObject, objectKey, SecurityPolicy } from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import { conditionOf, conditionsByType } from '../status-up/conditions.ts';
import { policyEntries, ownEntries, sharedEntries } from '../status-up/entries.ts';
import { statusUpMessages } from '../status-up/messages.ts';
import { targetEntries } from '../status-up/targets.ts';
import { statusOf, statusWrites } from '../status-up/write.ts';
import { type SecretRef, secretRefs } from './secret-refs.ts';

/** Reason of `Accepted: False` while a policy is held back. */
export const pendingSecretReason = 'PendingSecret';

/**
 * - `ready`: a policy that names it may be served
 * - `spreading`: it is on the hub, and not known to be on every member yet
 * - `absent`: it is not on the hub, or the reference leads nowhere there
 */
export type SecretState = 'ready' | 'spreading' | 'absent';

export interface GuardInputs {
  /** The upstream policy. */
  readonly policy: KubeObject;
  /** Its hub copy, if there is one. */
  readonly copy: KubeObject | undefined;
  readonly stateOf: (ref: SecretRef) => SecretState;
}

/**
 * - `open`: the copy is made and kept up to date
 * - `waiting`: none is made, and one that stands is left as it is: it names nothing that is gone
 * - `closed`: none may stand: it would break the Envoys of every tenant
 */
export interface GuardDecision {
  readonly at: 'open' | 'waiting' | 'closed';
  /** `namespace/name` of what is waited for, sorted; empty exactly when `open`. */
  readonly missing: readonly string[];
}

/**
 * What the Secrets of a policy allow.
 *
 * A Secret that the standing copy already names has been everywhere before: it counts as ready while it is on the hub. So a member that
 * joins, or cannot be reached, neither takes the policy away from the others nor stops unrelated edits of it.
 */
export function decideGuard({ policy, copy, stateOf }: GuardInputs): GuardDecision {
  const served = new Set(copy ? secretRefs(copy).map(objectKey) : []);
  const states = secretRefs(policy).map((ref) => ({ ref, state: stateOf(ref), served: served.has(objectKey(ref)) }));
  const open = states.filter(({ state, served }) => state === 'absent' || (state === 'spreading' && !served));
  const missing = open.map(({ ref }) => namedIn(policy, ref)).sort();
  if (missing.length === 0) return { at: 'open', missing };
  return { at: copyStands(copy, stateOf) ? 'waiting' : 'closed', missing };
}

/** The keys of the Secrets that are not there, sorted. */
export const missingSecrets = (policy: KubeObject, hasOnHub: (ref: SecretRef) => boolean): readonly string[] =>
  decideGuard({ policy, copy: undefined, stateOf: (ref) => (hasOnHub(ref) ? 'ready' : 'absent') }).missing;

/**
 * Says upstream that a policy is held back: `Accepted: False` for each of its targets. None when that stands there.
 * @param missing `namespace/name` of what is waited for
 */
export function pendingSecretWrites(
  policy: KubeObject,
  missing: readonly string[],
  { controllerName, now }: { readonly controllerName: string; readonly now: EpochMs },
): readonly Write[] {
  const { namespace = '', generation } = policy.metadata;
  const owner = { controllerName, namespace };
  const old = statusOf(policy);
  const before = ownEntries(old, policyEntries, owner);
  const verdict = {
    type: 'Accepted',
    status: 'False',
    reason: pendingSecretReason,
    message: statusUpMessages.pendingSecrets([...missing].sort()),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const items = new Map(
    [...targetEntries(policy, policyEntries, controllerName)].map(([key, entry]) => {
      const accepted = conditionsByType(before.get(key)?.['conditions']).get(verdict.type);
      return [key, { ...entry, conditions: [conditionOf(accepted, verdict, now)] }];
    }),
  );
  const lists = [sharedEntries(items, old, { shape: policyEntries, owner })];
  return statusWrites(SecurityPolicy, policy, { members: undefined, lists });
}

const copyStands = (copy: KubeObject | undefined, stateOf: GuardInputs['stateOf']): boolean =>
  copy !== undefined && secretRefs(copy).every((ref) => stateOf(ref) !== 'absent');

const namedIn = ({ metadata }: KubeObject, { namespace = metadata.namespace, name }: SecretRef): string =>
  objectKey({ namespace, name });
