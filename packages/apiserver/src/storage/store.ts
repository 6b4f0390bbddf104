/** Where objects are: the part that etcd plays. One sequence of revisions over all resources. */
import type { ObjectName } from '@lifeline/core';
import type { ResourceId, StoredObject } from '../resources/resource.ts';

/** One committed write. `object` carries its own resourceVersion: that of the revision, of a deletion too. */
export interface Revision {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: ResourceId;
  /** The state after the write; of a deletion the last state, with the resourceVersion of the deletion. */
  readonly object: StoredObject;
  /** The state before; undefined for `ADDED`. */
  readonly previous: StoredObject | undefined;
}

/** All objects of a moment. Immutable and cheap to take: restoring one is what restoring etcd from a backup is. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: ReadonlyMap<ResourceId, ReadonlyMap<string, StoredObject>>;
}

export interface Store {
  /** Of the last write. Starts at 1. */
  readonly revision: number;
  /** Reads and watches from before this revision are refused. */
  readonly compactedTo: number;
  /** Those that have, or had, objects. */
  readonly resources: Iterable<ResourceId>;
  get(resource: ResourceId, name: ObjectName): StoredObject | undefined;
  /** In key order (`namespace/name`), as etcd has it. @param namespace undefined: of all */
  list(resource: ResourceId, namespace?: string): readonly StoredObject[];
  /** As it was at a revision in [compactedTo, revision]. */
  listAt(revision: number, resource: ResourceId, namespace?: string): readonly StoredObject[];
  /** Revisions after `after`, in order. */
  since(after: number, resource: ResourceId): readonly Revision[];
  /**
   * Stores an object under the next revision and returns it frozen, with its resourceVersion. Synchronous: who read in the same turn of
   * the event loop has read the latest. `previous` is what the caller saw; the store throws a TypeError if that is not what it holds.
   */
  put(resource: ResourceId, object: StoredObject, previous: StoredObject | undefined): StoredObject;
  remove(resource: ResourceId, previous: StoredObject): StoredObject;
  /**
   * Shows every object of a resource in another form, past ones too, without a revision: so a real server reads what it has stored when
   * the schema of a resource has changed. Nobody is told.
   */
  reshape(resource: ResourceId, shape: (object: StoredObject) => StoredObject): void;
  /**
   * Told of each revision synchronously, in order, after it is in place. A listener must not throw and must not write.
   * @param restored told after the whole store was replaced by a snapshot
   */
  subscribe(listener: (revision: Revision) => void, restored?: () => void): Disposable;
  /** Forgets revisions up to `to`. Default: all. */
  compact(to?: number): void;
  snapshot(): Snapshot;
  /** Puts everything back, the revision too, without any history. */
  restore(snapshot: Snapshot): void;
}
