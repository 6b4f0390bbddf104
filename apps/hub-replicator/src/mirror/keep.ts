/** Makes a copy what it should be. */
import { anchorName, ConfigMap, finalizers, isDeleting, isOwnedBy, type KubeObject, objectKey } from '@lifeline/core';
import { deleteWrite, finalizerAddition, type ReconcileResult, soonest } from '@lifeline/k8s';
import { type AnchorInputs, anchorReference, anchorState, anchorWrite } from './anchor.ts';
import { applyCopy, type CopyWrite, fitOfCopy, isRight, objectOf } from './apply-copy.ts';
import { carriedStatus } from './carried-status.ts';
import type { WantedCopy } from './covers.ts';
import type { Decision } from './decide.ts';
import { desiredCopy, type DesiredCopy } from './desired.ts';
import { takenOff } from './end.ts';
import { namespaceWrite } from './namespace.ts';
import { bar, lift } from './neighbours.ts';
import { mustBeReplaced } from './replaced.ts';
import { cached, hubStore, type Scene } from './scene.ts';
import { isAt } from './standing.ts';

export type Keep = Extract<Decision, { at: 'keep' }>;

/** Something on its way out stands where ours belongs; looked at again after this, should its end not be told. */
const holdMs = 5_000;

const truncationNote =
  'The status is too large to be carried to the edges whole: conditions (with shortened messages) and connection details are.';

/** What is stale goes first; then our finalizer, the namespace, the anchor, the copy, and the status on its way up, in one look. */
export async function keep(scene: Scene, decision: Keep): Promise<ReconcileResult> {
  const { rules } = scene;
  const { kind } = rules.policy;
  const cleared = await clear(scene, decision);
  if (cleared === 'place taken') return { after: holdMs };
  const barred = await bar(scene, decision);
  if (barred) return barred;
  const upstream = await hold(scene, decision.upstream);
  const { namespace, mapped, isNamespaceReady } = decision;
  if (!isNamespaceReady) await scene.write(namespaceWrite(namespace, rules.installation, mapped));
  const anchor = await ensureAnchor(scene, decision);
  if (!anchor) return { after: holdMs };
  const { policy, installation } = rules;
  const desired = desiredCopy({ policy, target: scene.target, upstream, installation });
  const { current } = decision;
  const replaces = current !== undefined && mustBeReplaced(kind, desired.body, current);
  if (replaces && !(await takenOff(scene, kind, [current]))) return { after: holdMs };
  const kept = { ...decision, upstream, current: replaces ? undefined : current, desired, anchor };
  return soonest(await keepCopy(scene, kept), cleared === 'something left' ? { after: holdMs } : {});
}

/** Takes off what is stale. What stands elsewhere and is held by somebody keeps nothing waiting. */
async function clear(scene: Scene, decision: Keep): Promise<'all gone' | 'something left' | 'place taken'> {
  const { stale, staleAnchors, place } = decision;
  const { kind } = scene.rules.policy;
  const elsewhere = await takenOff(
    scene,
    kind,
    stale.filter((copy) => !isAt(copy, place)),
  );
  const here = await takenOff(
    scene,
    kind,
    stale.filter((copy) => isAt(copy, place)),
  );
  if (!here) return 'place taken';
  if (!elsewhere) return 'something left';
  for (const anchor of staleAnchors) if (!isDeleting(anchor)) await scene.write(deleteWrite(ConfigMap, anchor));
  return 'all gone';
}

/** The upstream object with our finalizer on it. */
async function hold({ project, rules, signal }: Scene, upstream: KubeObject): Promise<KubeObject> {
  const [write] = finalizerAddition(rules.policy.kind, upstream, finalizers.replicator);
  return write ? objectOf(await project.write(write, { signal })) : upstream;
}

/** For an object whose content is not at hand: whether it was found right before and nothing has changed since. */
export function isSettled(scene: Scene, decision: Keep): boolean {
  const { upstream, current, isNamespaceReady, anchor } = decision;
  if (!current || !isNamespaceReady || !anchor) return false;
  return (
    anchorState(anchor, anchorInputs(scene, decision)) === 'ready' &&
    isOwnedBy(current, anchor.metadata.uid ?? '') &&
    scene.memory.settled.has(scene.id, upstream, current)
  );
}

const anchorInputs = ({ target, rules }: Scene, { upstream, place }: Keep): AnchorInputs => ({
  target,
  uid: upstream.metadata.uid ?? '',
  installation: rules.installation,
  namespace: place.namespace,
});

/** The anchor as a server has it; undefined while it is going away. */
async function ensureAnchor(scene: Scene, decision: Keep): Promise<KubeObject | undefined> {
  const inputs = anchorInputs(scene, decision);
  const name = { namespace: inputs.namespace, name: anchorName(inputs.uid) };
  // Where a copy is to be made, what is known of the anchor was read live: a copy must not be given an owner that is gone.
  const unknown = decision.anchor === undefined && decision.current !== undefined;
  const found = unknown ? await scene.hub.live.find(ConfigMap, name, { signal: scene.signal }) : decision.anchor;
  switch (anchorState(found, inputs)) {
    case 'ready':
      return found;
    case 'wanting':
      return objectOf(await scene.write(anchorWrite(inputs)));
    case 'going':
      return undefined;
  }
}

type KeepCopy = Keep & { readonly desired: DesiredCopy; readonly anchor: KubeObject };

async function keepCopy(scene: Scene, decision: KeepCopy): Promise<ReconcileResult> {
  const { upstream, current, place, desired, anchor } = decision;
  const { memory, id, clock, rules, owned, target } = scene;
  const times = { now: clock.now(), monotonic: clock.monotonic() };
  const status = carriedStatus(
    { policy: rules.policy, upstream, current, desired, owned, key: id },
    memory.pace,
    times,
  );
  if (memory.tallies.truncated.set(target.cluster, id, status.truncated)) {
    scene.tell({ about: upstream, type: 'Warning', reason: 'StatusTruncated', note: truncationNote });
  }
  const wanted = (carried: Readonly<Record<string, string>>): WantedCopy => ({
    labels: desired.labels,
    annotations: { ...desired.annotations, ...carried },
    body: desired.body,
    owner: anchorReference(anchor),
  });
  const isAtRest = current !== undefined && isRight(fitOfCopy(scene, wanted(status.due), current));
  if (!isAtRest && current && isDeleting(current)) return { after: holdMs };
  const held = (): KubeObject | undefined => cached(hubStore(scene, rules.policy.kind), objectKey(place));
  const before = held();
  using _heard = isAtRest ? undefined : memory.echoes.whileWriting(current, scene.again);
  const copy = isAtRest ? current : await applied(scene, upstream, { wanted: wanted(status.newest), place, current });
  if (!isAtRest) memory.echoes.expect(copy, { before, after: held() }, clock.monotonic());
  if (!isAtRest && status.changes) memory.pace.went(id, { monotonic: clock.monotonic() });
  if (rules.bare) memory.settled.remember(id, upstream, copy);
  scene.landed();
  await lift(scene, upstream, copy);
  return isAtRest && status.waitMs > 0 ? { after: status.waitMs } : {};
}

/** The copy as it was applied; whoever can help hears what the hub does not know of it. */
async function applied(scene: Scene, upstream: KubeObject, write: CopyWrite): Promise<KubeObject> {
  const { memory, target, id, log } = scene;
  const { copy, leftOut } = await applyCopy(scene, write);
  if (memory.tallies.shortened.set(target.cluster, id, leftOut.length > 0)) {
    const fields = leftOut.join(', ');
    log.warn({ kind: target.kind, fields }, 'the hub does not know these fields: the copy is made without them');
    const note = `The platform does not know these fields yet, and carries the object without them: ${fields}`;
    scene.tell({ about: upstream, type: 'Warning', reason: 'FieldsNotCarried', note });
  }
  return copy;
}
