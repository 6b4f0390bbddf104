/** A read cache of one kind in one plane, with subscribers. */
import type { DurationMs, Kind, KubeObject, MonotonicMs, ObjectKey } from '@lifeline/core';
import type { MetadataObject, Selection } from '../client/client.ts';

/**
 * What happened to an object between two states of the cache. An object recreated under its name is `deleted` (the old one, last known
 * state) and then `added`, whatever the server sent.
 *
 * Guarantee: whoever keeps the object of `added` and `updated` by key, and drops it on `deleted` and `malformed`, holds what `Store.list`
 * yields.
 */
export type ObjectEvent<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly old: T; readonly object: T }
  | { readonly type: 'deleted'; readonly object: T }
  /**
   * An object that its schema refuses came, changed or went: look at the key. `Store.get` throws while it is there (so that the key's
   * reconcile shows it) and gives undefined once it is gone. `object` is checked as far as its metadata and holds nothing else; `old` is
   * the last sound state when this event ends it. A later sound state is `added`.
   */
  | { readonly type: 'malformed'; readonly object: MetadataObject; readonly old?: T | undefined };

/** Where an event comes from: seen live on the watch, or found out by (re)listing. Fresh ones are worked on first. */
export type EventOrigin = 'watch' | 'list';

/**
 * Objects by key. One writer (the reflector), many readers. Objects are shared, never copied: readers must not change them (in tests
 * they are deeply frozen).
 *
 * Assumption: only read through a cluster's `store()`, which refuses until the cache has synced: absent is never confused with unknown.
 */
export interface Store<T> {
  readonly size: number;
  /**
   * @throws PlatformError `malformed-object` when the server holds the object in a shape that its schema refuses: present, but unusable.
   * It is a fate of that one key; `list` and the indexes leave such objects out and `malformed` names them.
   */
  get(key: ObjectKey): T | undefined;
  has(key: ObjectKey): boolean;
  keys(): IterableIterator<ObjectKey>;
  list(): IterableIterator<T>;
  /** Objects that the named index files under `value`, in no particular order. @throws when no such index was declared. */
  byIndex(index: string, value: string): readonly T[];
  malformed(): ReadonlyMap<ObjectKey, string>;
}

/** Values to file an object under. */
export type IndexFunction<T> = (object: T) => readonly string[];

export interface InformerOptions<T> extends Selection {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined;
  /** Keep `metadata.managedFields`. Default false: they are most of a small object's size. */
  readonly keepManagedFields?: boolean | undefined;
  /** Ask only for metadata. Default false. */
  readonly metadataOnly?: boolean | undefined;
}

export type InformerStatus =
  /** Never listed to the end. */
  | { readonly at: 'syncing' }
  /** Listed, and the watch was heard within the silence limit. */
  | { readonly at: 'synced' }
  /** Listed once; the server has not been heard since `since`. The store holds the last known state. */
  | { readonly at: 'stale'; readonly since: MonotonicMs }
  /** The kind is not served, or we may not list it: tried again slowly. After a first sync the store keeps its last state, unread. */
  | { readonly at: 'unavailable'; readonly reason: 'kind-missing' | 'forbidden' };

/** A stretch of time in which a cache follows its server without a gap. */
export interface Following {
  /** When it began: the list or the watch that ended the gap before it. */
  readonly since: MonotonicMs;
}

export interface Informer<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly store: Store<T>;
  readonly status: InformerStatus;
  /**
   * The stretch of now; undefined in a gap. For whoever judges by what did not come: that says something only as long as the server is
   * followed, and each gap starts the judging anew.
   *
   * A gap begins when no watch was open for more than 5 s, and at once when what was missed cannot be told apart: a watch that went
   * silent, a revision that is too old, a server that was restored, a kind that is unavailable. A stretch that begins is another object,
   * and is there before the events of its list are told.
   */
  readonly following: Following | undefined;
  /** Time since the server was last heard (event, bookmark or list), 0 when never. */
  silentFor(): DurationMs;
  /** Resolves when the status is `synced` or `stale`; rejects when the signal aborts. */
  synced(signal: AbortSignal): Promise<void>;
  /**
   * Every event from now on, in per-object order, after an `added` (origin `list`) for each object already held. A handler that throws
   * is logged and counted; the others and the cache go on.
   */
  subscribe(handler: (event: ObjectEvent<T>, origin: EventOrigin) => void): Disposable;
}
