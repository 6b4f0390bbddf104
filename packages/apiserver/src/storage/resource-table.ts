/** The objects of one resource, sorted, and what became of them. */
import { type ObjectKey, objectKey } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import type { Revision } from './store.ts';

/**
 * Objects in the order of their keys, and the revisions since the last compaction.
 *
 * Lists are handed out as they are and copied at the next write: whoever holds one holds that moment.
 */
export class ResourceTable {
  /** Sorted, `keys[i]` is the key of `objects[i]`. Keys are compared as etcd compares them: `a-b/c` comes before `a/b`. */
  #keys: string[] = [];
  #objects: StoredObject[] = [];
  /** Whether {@link #objects} has been handed out. */
  #shared = false;
  #log: Revision[] = [];

  get(key: ObjectKey): StoredObject | undefined {
    const at = this.#find(key);
    return this.#keys[at] === key ? this.#objects[at] : undefined;
  }

  list(namespace: string | undefined): readonly StoredObject[] {
    if (namespace === undefined) {
      this.#shared = true;
      return this.#objects;
    }
    // '0' is the character after '/'.
    return this.#objects.slice(this.#find(`${namespace}/`), this.#find(`${namespace}0`));
  }

  /** Takes a revision in. Revisions come in order. */
  apply(revision: Revision): void {
    const key = objectKey(revision.object.metadata);
    const at = this.#find(key);
    this.#own();
    switch (revision.type) {
      case 'ADDED':
        if (at === this.#keys.length) {
          this.#keys.push(key);
          this.#objects.push(revision.object);
        } else {
          this.#keys.splice(at, 0, key);
          this.#objects.splice(at, 0, revision.object);
        }
        break;
      case 'MODIFIED':
        this.#objects[at] = revision.object;
        break;
      case 'DELETED':
        this.#keys.splice(at, 1);
        this.#objects.splice(at, 1);
        break;
    }
    this.#log.push(revision);
  }

  since(after: number): readonly Revision[] {
    return this.#log.slice(this.#firstAfter(after));
  }

  /** What {@link list} returned right after that revision. */
  listAt(revision: number, namespace: string | undefined): readonly StoredObject[] {
    const undone = new Map<ObjectKey, StoredObject | undefined>();
    for (let at = this.#log.length - 1; at >= 0; at--) {
      const { revision: number, object, previous } = this.#log[at] as Revision;
      if (number <= revision) break;
      if (namespace === undefined || object.metadata.namespace === namespace) {
        undone.set(objectKey(object.metadata), previous);
      }
    }
    if (undone.size === 0) return this.list(namespace);
    const then = new Map<ObjectKey, StoredObject>();
    for (const object of this.list(namespace)) {
      const key = objectKey(object.metadata);
      if (!undone.has(key)) then.set(key, object);
    }
    for (const [key, object] of undone) if (object) then.set(key, object);
    return [...then.keys()].sort().map((key) => then.get(key) as StoredObject);
  }

  compact(to: number): void {
    this.#log.splice(0, this.#firstAfter(to));
  }

  entries(): ReadonlyMap<ObjectKey, StoredObject> {
    return new Map(this.#keys.map((key, at) => [key, this.#objects[at] as StoredObject]));
  }

  /** Shows every object in another form, past ones too. The key of an object must not change. */
  reshape(shape: (object: StoredObject) => StoredObject): void {
    const known = new Map<StoredObject, StoredObject>();
    const shaped = (object: StoredObject): StoredObject => {
      const next = known.get(object) ?? shape(object);
      known.set(object, next);
      return next;
    };
    this.#objects = this.#objects.map(shaped);
    this.#shared = false;
    this.#log = this.#log.map(({ object, previous, ...rest }) => ({
      ...rest,
      object: shaped(object),
      previous: previous && shaped(previous),
    }));
  }

  /** A table with these objects and no history. @param entries in the order of their keys */
  static of(entries: ReadonlyMap<ObjectKey, StoredObject>): ResourceTable {
    const table = new ResourceTable();
    table.#keys = [...entries.keys()];
    table.#objects = [...entries.values()];
    return table;
  }

  #own(): void {
    if (!this.#shared) return;
    this.#objects = this.#objects.slice();
    this.#shared = false;
  }

  /** Where the key is, or would be. */
  #find(key: ObjectKey): number {
    return firstWhere(this.#keys, (each) => each >= key);
  }

  #firstAfter(revision: number): number {
    return firstWhere(this.#log, (each) => each.revision > revision);
  }
}

/** Where the first item is of which something holds, in a list where it holds of all that follow: else the length. */
function firstWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
