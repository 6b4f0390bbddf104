/** Objects that cannot end because nobody can say whether their copies are gone. */
import { finalizers, hasFinalizer, isDeleting } from '@lifeline/core';
import { cached, type Scene, upstreamKeyOf } from './scene.ts';

/**
 * Of an object whose look had to stop because the hub does not serve the kind: tells its owner and the log what its deletion waits for.
 * The look itself is parked, and goes on by itself.
 */
export function noteUnserved(scene: Scene): void {
  const { project, rules, target, memory, id, log } = scene;
  const upstream = cached(project.store(rules.policy.kind), upstreamKeyOf(target));
  if (!upstream || !isDeleting(upstream) || !hasFinalizer(upstream, finalizers.replicator)) return;
  scene.tell({ about: upstream, type: 'Warning', reason: 'HubKindUnavailable', note: unservedNote });
  if (memory.tallies.unserved.set(target.cluster, id, true)) {
    log.warn({ kind: target.kind }, 'a deleted object waits: the hub does not serve its kind');
  }
}

const unservedNote =
  'The deletion of this object waits: where its copy is, its kind is not served at the moment, so nobody can tell whether the copy is gone. It goes on by itself.';
