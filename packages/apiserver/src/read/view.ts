/** Through which eyes requests read: those of the plane itself, or of a replica whose cache may lag. */
import { type Clock, type DurationMs, keyOf, objectKey, type ObjectName } from '@lifeline/core';
import type { ResourceId, StoredObject } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import { BookmarkTimer } from './bookmark-timer.ts';
import { WatchHub } from './watch-hub.ts';

export interface ViewOptions {
  readonly clock: Clock;
  readonly store: Store;
  readonly bookmarkEveryMs: DurationMs;
}

/** What had been seen of a resource when it froze. It outlives the store's memory of it, as the cache of a real server does. */
interface Frozen {
  readonly revision: number;
  readonly objects: readonly StoredObject[];
}

/** What one API server of a plane has seen of each resource. It sees everything at once, unless it is frozen. */
export class View implements Disposable {
  readonly watches = new WatchHub();
  readonly bookmarks: BookmarkTimer;
  readonly #store: Store;
  readonly #subscription: Disposable;
  readonly #frozen = new Map<ResourceId, Frozen>();
  /** Once everything is frozen: what is to be said of a resource that had no objects. */
  #nothing: Frozen | undefined;

  constructor({ clock, store, bookmarkEveryMs }: ViewOptions) {
    this.bookmarks = new BookmarkTimer(clock, bookmarkEveryMs);
    this.#store = store;
    this.#subscription = store.subscribe(
      (revision) => {
        if (revision.revision <= this.horizon(revision.resource)) this.watches.deliver(revision);
      },
      () => this.#forgetFrozen(),
    );
  }

  /** The newest revision that watches, and reads that may be stale, see of a resource. */
  horizon(resource: ResourceId): number {
    return this.#frozenOf(resource)?.revision ?? this.#store.revision;
  }

  /** As the store's, at the {@link horizon}. */
  list(resource: ResourceId, namespace?: string): readonly StoredObject[] {
    const frozen = this.#frozenOf(resource);
    if (!frozen) return this.#store.list(resource, namespace);
    const { objects } = frozen;
    return namespace === undefined ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  get(resource: ResourceId, name: ObjectName): StoredObject | undefined {
    const frozen = this.#frozenOf(resource);
    if (!frozen) return this.#store.get(resource, name);
    return frozen.objects.find((object) => keyOf(object) === objectKey(name));
  }

  /** @param resource undefined: all */
  freeze(resource?: ResourceId): void {
    const { revision } = this.#store;
    if (resource !== undefined) {
      if (!this.#frozenOf(resource)) this.#frozen.set(resource, { revision, objects: this.#store.list(resource) });
      return;
    }
    if (this.#nothing) return;
    for (const id of this.#store.resources) this.freeze(id);
    this.#nothing = { revision, objects: [] };
  }

  /** Open watches get what they missed; where that is compacted, they end, as they do when a cache has to begin anew. */
  thaw(): void {
    const seen = new Map(this.watches.resources.map((resource) => [resource, this.horizon(resource)]));
    this.#forgetFrozen();
    for (const [resource, revision] of seen) {
      if (revision < this.#store.compactedTo) this.watches.end(resource);
      else for (const missed of this.#store.since(revision, resource)) this.watches.deliver(missed);
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.watches.end();
    this.bookmarks[Symbol.dispose]();
  }

  #forgetFrozen(): void {
    this.#frozen.clear();
    this.#nothing = undefined;
  }

  #frozenOf(resource: ResourceId): Frozen | undefined {
    return this.#frozen.get(resource) ?? this.#nothing;
  }
}
