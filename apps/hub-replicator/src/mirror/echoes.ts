/** Events that only repeat what a write of ours was answered with. */
import { deepEqual, type KubeObject } from '@lifeline/core';
import type { Predicate } from '@lifeline/k8s';

/** Copies whose echo is waited for; the oldest is forgotten first, and costs one look that finds nothing to do. */
const limit = 10_000;

/**
 * The versions of copies that our own applies made, and that were right as they were answered. When the watch tells of one, the look that
 * wrote it has judged that very state already: a second one would find nothing. Whatever else changes brings an event of its own.
 */
export class Echoes {
  /** By the uid of the copy. */
  readonly #versions = new Map<string, string>();

  /** @param held the copy as the cache has it now: what it has already, no event will bring */
  expect({ metadata }: KubeObject, held: KubeObject | undefined): void {
    const { uid = '', resourceVersion } = metadata;
    this.#versions.delete(uid);
    if (!resourceVersion || held?.metadata.resourceVersion === resourceVersion) return;
    this.#versions.set(uid, resourceVersion);
    if (this.#versions.size > limit) this.#versions.delete(this.#versions.keys().next().value as string);
  }

  /** Lets all events through but echoes; what a copy whose labels move has left is to be looked at too. */
  readonly isNews: Predicate<KubeObject> = (event) => {
    const { uid = '', resourceVersion } = event.object.metadata;
    const expected = this.#versions.get(uid);
    if (expected === undefined) return true;
    const isEcho = event.type === 'updated' && expected === resourceVersion;
    if (isEcho || event.type === 'deleted') this.#versions.delete(uid);
    return !isEcho || !deepEqual(event.old.metadata.labels, event.object.metadata.labels);
  };

  /** Copies whose echo is waited for. */
  get size(): number {
    return this.#versions.size;
  }
}
