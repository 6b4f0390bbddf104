/** All open watches of one view of a server. */
import type { ResourceId } from '../resources/resource.ts';
import type { Revision, Store } from '../storage/store.ts';

/** What the hub tells one open watch. */
export interface Watcher {
  /** As it is stored. */
  readonly resource: ResourceId;
  readonly committed: (revision: Revision) => void;
  /** Cleanly, or as a broken connection. */
  readonly end: (error?: Error) => void;
}

export class WatchHub implements Disposable {
  readonly #watchers = new Map<ResourceId, Set<Watcher>>();
  readonly #subscription: Disposable;

  constructor(store: Store) {
    this.#subscription = store.subscribe((revision) => {
      for (const watcher of this.#watchers.get(revision.resource) ?? []) watcher.committed(revision);
    });
  }

  get size(): number {
    let size = 0;
    for (const watchers of this.#watchers.values()) size += watchers.size;
    return size;
  }

  add(watcher: Watcher): Disposable {
    const { resource } = watcher;
    let watchers = this.#watchers.get(resource);
    if (!watchers) this.#watchers.set(resource, (watchers = new Set()));
    watchers.add(watcher);
    return {
      [Symbol.dispose]: () => {
        watchers.delete(watcher);
        if (watchers.size === 0) this.#watchers.delete(resource);
      },
    };
  }

  end(resource?: ResourceId, error?: Error): void {
    for (const [id, watchers] of [...this.#watchers]) {
      if (resource === undefined || id === resource) for (const watcher of [...watchers]) watcher.end(error);
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.end();
  }
}
