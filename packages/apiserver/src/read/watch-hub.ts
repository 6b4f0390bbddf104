/** Open watches, by the resource they are of. */
import type { ResourceId } from '../resources/resource.ts';
import type { Revision } from '../storage/store.ts';

/** What one open watch is told. */
export interface Watcher {
  /** As it is stored. */
  readonly resource: ResourceId;
  readonly committed: (revision: Revision) => void;
  /** Cleanly, or as a broken connection. */
  readonly end: (error?: Error) => void;
}

export class WatchHub {
  readonly #watchers = new Map<ResourceId, Set<Watcher>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Resources that are watched. */
  get resources(): readonly ResourceId[] {
    return [...this.#watchers.keys()];
  }

  add(watcher: Watcher): Disposable {
    const { resource } = watcher;
    const watchers = this.#watchers.get(resource) ?? new Set();
    this.#watchers.set(resource, watchers.add(watcher));
    this.#size++;
    return {
      [Symbol.dispose]: () => {
        if (!watchers.delete(watcher)) return;
        this.#size--;
        if (watchers.size === 0) this.#watchers.delete(resource);
      },
    };
  }

  deliver(revision: Revision): void {
    const watchers = this.#watchers.get(revision.resource);
    if (watchers) for (const watcher of watchers) watcher.committed(revision);
  }

  /** @param resource undefined: all */
  end(resource?: ResourceId, error?: Error): void {
    const ids = resource === undefined ? this.resources : [resource];
    for (const id of ids) for (const watcher of [...(this.#watchers.get(id) ?? [])]) watcher.end(error);
  }
}
