/** The store of one plane, in memory. */
import { objectKey, type ObjectName } from '@lifeline/core';
import { type ResourceId, type StoredObject, withMetadata } from '../resources/resource.ts';
import { freezeNew } from './freeze-new.ts';
import { ResourceTable } from './resource-table.ts';
import type { Revision, Snapshot, Store } from './store.ts';

interface Subscriber {
  readonly committed: (revision: Revision) => void;
  readonly restored: (() => void) | undefined;
}

/** @param historyLimit revisions remembered; when there are more, the older half is compacted */
export const createMemoryStore = (historyLimit: number): Store => new MemoryStore(historyLimit);

class MemoryStore implements Store {
  readonly #historyLimit: number;
  readonly #subscribers = new Set<Subscriber>();
  #tables = new Map<ResourceId, ResourceTable>();
  #revision = 1;
  #compactedTo = 1;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedTo(): number {
    return this.#compactedTo;
  }

  get resources(): Iterable<ResourceId> {
    return this.#tables.keys();
  }

  get(resource: ResourceId, name: ObjectName): StoredObject | undefined {
    return this.#tables.get(resource)?.get(objectKey(name));
  }

  list(resource: ResourceId, namespace?: string): readonly StoredObject[] {
    return this.#tables.get(resource)?.list(namespace) ?? [];
  }

  listAt(revision: number, resource: ResourceId, namespace?: string): readonly StoredObject[] {
    return this.#tables.get(resource)?.listAt(revision, namespace) ?? [];
  }

  since(after: number, resource: ResourceId): readonly Revision[] {
    return this.#tables.get(resource)?.since(after) ?? [];
  }

  put(resource: ResourceId, object: StoredObject, previous: StoredObject | undefined): StoredObject {
    return this.#commit(previous ? 'MODIFIED' : 'ADDED', resource, { object, previous });
  }

  remove(resource: ResourceId, previous: StoredObject): StoredObject {
    return this.#commit('DELETED', resource, { object: previous, previous });
  }

  reshape(resource: ResourceId, shape: (object: StoredObject) => StoredObject): void {
    this.#tables.get(resource)?.reshape((object) => freezeNew(shape(object)));
  }

  subscribe(committed: (revision: Revision) => void, restored?: () => void): Disposable {
    const subscriber = { committed, restored };
    this.#subscribers.add(subscriber);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  compact(to = this.#revision): void {
    if (to <= this.#compactedTo) return;
    this.#compactedTo = Math.min(to, this.#revision);
    for (const table of this.#tables.values()) table.compact(this.#compactedTo);
  }

  snapshot(): Snapshot {
    return {
      revision: this.#revision,
      objects: new Map([...this.#tables].map(([resource, table]) => [resource, table.entries()])),
    };
  }

  restore({ revision, objects }: Snapshot): void {
    this.#revision = revision;
    this.#compactedTo = revision;
    this.#tables = new Map([...objects].map(([resource, entries]) => [resource, ResourceTable.of(entries)]));
    for (const { restored } of this.#subscribers) restored?.();
  }

  #commit(
    type: Revision['type'],
    resource: ResourceId,
    { object, previous }: Pick<Revision, 'object' | 'previous'>,
  ): StoredObject {
    if (this.get(resource, object.metadata) !== previous) {
      throw new TypeError(`${resource} ${objectKey(object.metadata)} is not what the writer saw`);
    }
    const revision = ++this.#revision;
    const stored = freezeNew(withMetadata(object, { resourceVersion: String(revision) }));
    const entry: Revision = { revision, type, resource, object: stored, previous };
    this.#tableOf(resource).apply(entry);
    if (revision - this.#compactedTo > this.#historyLimit) this.compact(revision - (this.#historyLimit >> 1));
    for (const { committed } of this.#subscribers) committed(entry);
    return stored;
  }

  #tableOf(resource: ResourceId): ResourceTable {
    let table = this.#tables.get(resource);
    if (!table) this.#tables.set(resource, (table = new ResourceTable()));
    return table;
  }
}
