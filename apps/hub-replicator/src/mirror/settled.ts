/** What was found in order, for kinds whose objects are not held in memory. */
import type { KubeObject } from '@lifeline/core';

/** Remembers the versions of an object and its copy that were found equal, so that a second look needs no read. */
export class Settled {
  readonly #versions = new Map<string, string>();

  remember(id: string, upstream: KubeObject, copy: KubeObject): void {
    this.#versions.set(id, versionsOf(upstream, copy));
  }

  has(id: string, upstream: KubeObject, copy: KubeObject): boolean {
    return this.#versions.get(id) === versionsOf(upstream, copy);
  }

  forget(id: string): void {
    this.#versions.delete(id);
  }

  /** A project is not looked after here any more. */
  drop(isGone: (id: string) => boolean): void {
    for (const id of this.#versions.keys()) if (isGone(id)) this.#versions.delete(id);
  }
}

const versionsOf = (upstream: KubeObject, copy: KubeObject): string =>
  [upstream, copy].map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).join(' ');
