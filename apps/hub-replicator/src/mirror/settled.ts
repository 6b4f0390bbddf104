/** What was found in order, for kinds whose objects are not held in memory. */
import type { KubeObject } from '@lifeline/core';

/** Remembers the versions of an object and its copy that were found equal, so that a second look needs no read. */
export class Settled {
  readonly #versions = new Map<string, string>();
  readonly #limit: number;

  /** @param limit objects remembered; the oldest is forgotten first, and costs a few live reads */
  constructor(limit = 100_000) {
    this.#limit = limit;
  }

  remember(id: string, upstream: KubeObject, copy: KubeObject): void {
    this.#versions.delete(id);
    this.#versions.set(id, versionsOf(upstream, copy));
    if (this.#versions.size > this.#limit) this.#versions.delete(this.#versions.keys().next().value as string);
  }

  has(id: string, upstream: KubeObject, copy: KubeObject): boolean {
    return this.#versions.get(id) === versionsOf(upstream, copy);
  }

  forget(id: string): void {
    this.#versions.delete(id);
  }
}

const versionsOf = (upstream: KubeObject, copy: KubeObject): string =>
  [upstream, copy].map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).join(' ');
