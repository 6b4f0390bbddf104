/** Makes a copy what it should be. */
import { anchorName, ConfigMap, finalizers, isDeleting, isOwnedBy, type KubeObject } from '@lifeline/core';
import { deleteWrite, finalizerAddition, type ReconcileResult } from '@lifeline/k8s';
import { type AnchorInputs, anchorReference, anchorState, anchorWrite } from './anchor.ts';
import { applyCopy, fitOfCopy, isRight, objectOf } from './apply-copy.ts';
import { carriedStatus } from './carried-status.ts';
import type { WantedCopy } from './covers.ts';
import type { Decision } from './decide.ts';
import { desiredCopy } from './desired.ts';
import { takenOff } from './end.ts';
import { namespaceWrite } from './namespace.ts';
import { mustBeReplaced } from './replaced.ts';
import type { Scene } from './scene.ts';
import { truncationNote } from './truncation.ts';

export type Keep = Extract<Decision, { at: 'keep' }>;

/** Something on its way out stands where ours belongs; looked at again after this, should its end not be told. */
const holdMs = 5_000;

/** What is stale goes first; then our finalizer, the namespace, the anchor, and the copy, in one look. */
export async function keep(scene: Scene, decision: Keep): Promise<ReconcileResult> {
  const { project, rules, signal } = scene;
  const { kind } = rules.policy;
  const { upstream, stale, staleAnchors, current } = decision;
  if (!(await takenOff(scene, kind, stale))) return { after: holdMs };
  for (const anchor of staleAnchors) if (!isDeleting(anchor)) await scene.write(deleteWrite(ConfigMap, anchor));
  for (const write of finalizerAddition(kind, upstream, finalizers.replicator)) await project.write(write, { signal });
  if (!decision.isNamespaceReady) await scene.write(namespaceWrite(decision.namespace, rules.installation));
  const anchor = await ensureAnchor(scene, decision);
  if (!anchor) return { after: holdMs };
  const { policy, installation } = rules;
  const desired = desiredCopy({ policy, target: scene.target, upstream, installation });
  const replaces = current !== undefined && mustBeReplaced(kind, desired.body, current);
  if (replaces && !(await takenOff(scene, kind, [current]))) return { after: holdMs };
  return keepCopy(scene, { ...decision, current: replaces ? undefined : current, desired, anchor });
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

type KeepCopy = Keep & { readonly desired: ReturnType<typeof desiredCopy>; readonly anchor: KubeObject };

async function keepCopy(
  scene: Scene,
  { upstream, current, place, desired, anchor }: KeepCopy,
): Promise<ReconcileResult> {
  const { memory, id, clock, rules, owned, target } = scene;
  const times = { now: clock.now(), monotonic: clock.monotonic() };
  const status = carriedStatus(
    { policy: rules.policy, upstream, current, desired, owned, key: id },
    memory.pace,
    times,
  );
  if (memory.truncation.set(target.cluster, id, status.truncated)) {
    scene.tell({ about: upstream, type: 'Warning', reason: 'StatusTruncated', note: truncationNote });
  }
  const wanted = (carried: Readonly<Record<string, string>>): WantedCopy => ({
    labels: desired.labels,
    annotations: { ...desired.annotations, ...carried },
    body: desired.body,
    owner: anchorReference(anchor),
  });
  if (current && isRight(fitOfCopy(scene, wanted(status.due), current))) {
    if (rules.bare) memory.settled.remember(id, upstream, current);
    return status.waitMs > 0 ? { after: status.waitMs } : {};
  }
  if (current && isDeleting(current)) return { after: holdMs };
  const copy = await applyCopy(scene, { wanted: wanted(status.newest), place, current });
  if (status.changes) memory.pace.went(id, { monotonic: clock.monotonic() });
  if (rules.bare) memory.settled.remember(id, upstream, copy);
  return {};
}
