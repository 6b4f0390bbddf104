/** Takes what is left of an object off the hub, and lets go of it. */
import { ConfigMap, finalizers, isDeleting, type Kind, type KubeObject, labels, Secret } from '@lifeline/core';
import { deleteWrite, finalizerRemoval, type ReconcileResult } from '@lifeline/k8s';
import { policiesGoFirst } from '../secrets/policies-first.ts';
import { anchorWrite } from './anchor.ts';
import { objectOf } from './apply-copy.ts';
import type { Decision } from './decide.ts';
import type { Scene } from './scene.ts';

/** A copy that somebody holds is looked at again after this, should its end not be told. */
const holdMs = 5_000;
/** The guard of policies is told when a Secret goes, and is quick. */
const policiesFirstMs = 1_000;

/**
 * Deletes by uid; true when live reads say that all of them are gone. What another has made in their place since does not count: it is looked
 * at for itself.
 */
export async function takenOff(scene: Scene, kind: Kind, copies: readonly KubeObject[]): Promise<boolean> {
  const { hub, signal, memory } = scene;
  for (const copy of copies) if (!isDeleting(copy)) await scene.write(deleteWrite(kind, copy));
  let gone = true;
  for (const copy of copies) {
    const { namespace, name, uid } = copy.metadata;
    const left = await hub.live.findMetadata(kind, { namespace, name }, { signal });
    if (left?.metadata.uid === uid) gone = false;
    else if (uid !== undefined) memory.answers.forget(uid);
  }
  return gone;
}

/** Nothing is deleted that does not carry our mark: where somebody took it off, it is put back first. */
async function marked(scene: Scene, anchor: KubeObject, upstream: KubeObject | undefined): Promise<KubeObject> {
  const { rules, target } = scene;
  const { uid } = upstream?.metadata ?? {};
  const { namespace = '', labels: marks } = anchor.metadata;
  if (!rules.policy.enabled || uid === undefined || marks?.[labels.installation] !== undefined) return anchor;
  return objectOf(await scene.write(anchorWrite({ target, uid, installation: rules.installation, namespace })));
}

/** Copies, then anchors, then our finalizer: each only once what comes before is gone. */
export async function end(
  scene: Scene,
  { copies, anchors, held }: Extract<Decision, { at: 'end' }>,
): Promise<ReconcileResult> {
  const { project, rules, signal, memory, id, target } = scene;
  const { kind } = rules.policy;
  const isSecret = kind.id === Secret.id && copies.length > 0;
  if (isSecret && (await policiesGoFirst({ ...scene, copies, namespace: target.namespace }, signal))) {
    return { after: policiesFirstMs };
  }
  if (!(await takenOff(scene, kind, copies))) return { after: holdMs };
  for (const anchor of anchors)
    if (!isDeleting(anchor)) await scene.write(deleteWrite(ConfigMap, await marked(scene, anchor, held)));
  memory.pace.forget(id);
  memory.settled.forget(id);
  memory.tallies.forget(target.cluster, id);
  if (!held) return {};
  for (const write of finalizerRemoval(kind, held, finalizers.replicator)) await project.write(write, { signal });
  return {};
}
