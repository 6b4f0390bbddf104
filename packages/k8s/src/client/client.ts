/** One API server, typed by kind. */
import type { Int64, JsonPatch, JsonValue, Kind, KubeObject, ObjectMeta, ObjectName } from '@lifeline/core';

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Handed on to the transport: see `TransportOptions.admit`. Also called before each further try of the same call. */
  readonly admit?: (() => void) | undefined;
  /**
   * For what is lost when it comes too late, as the renewal of a Lease. Does not wait for a pause that we make because a server could not be
   * reached, only for one that it asked for. Few requests, and never one that is repeated without a pause of its own.
   */
  readonly urgent?: boolean | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Default: a consistent read (no resourceVersion sent). */
  readonly resourceVersion?: string | undefined;
}

/** What a reader can do without. */
export interface Trim {
  /** `managedFields` may come empty, in half the time: for those who drop them anyway. Default false. */
  readonly omitManagedFields?: boolean | undefined;
}

/** Narrows a list or a watch, on the server. */
export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** As `kubectl -l`. */
  readonly labelSelector?: string | undefined;
  /** As `kubectl --field-selector`. */
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends CallOptions, Selection, Trim {
  /** Objects per page. Default 500. */
  readonly pageSize?: number | undefined;
  /** Default: a consistent read. Never `0`. */
  readonly resourceVersion?: string | undefined;
}

export interface ListResult<T> {
  /** All of them, in the server's order: a list that was not read to its end throws. */
  readonly items: T[];
  /** Where a watch continues. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends CallOptions, Selection, Trim {
  /** Continue after this revision. With `sendInitialEvents`: at least this recent; default the newest. */
  readonly resourceVersion?: string | undefined;
  /** Start with an `ADDED` for each object, then a bookmark annotated `k8s.io/initial-events-end` (streaming list). */
  readonly sendInitialEvents?: boolean | undefined;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds: number;
}

/** What a watch sends. `bookmark` moves the revision and carries no object. */
export type WatchEvent<T> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: T }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string | undefined;
  readonly subresource?: 'status' | undefined;
  readonly dryRun?: boolean | undefined;
  /** Rejects unknown and duplicate fields. Default `Strict`. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take over fields that other managers own, or fail with `conflict`. Explicit, never by default. */
  readonly force: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** The object must still have this uid. */
  readonly uid: string;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly dryRun?: boolean | undefined;
}

export type PatchBody =
  | { readonly type: 'merge'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: 'json'; readonly body: JsonPatch };

/** An object to send: our fields only, no server-set metadata needed. */
export type Draft<T extends KubeObject> = Omit<Partial<T>, 'metadata'> & {
  readonly metadata: Partial<ObjectMeta> & { readonly name: string };
};

/** Only metadata (`PartialObjectMetadata`): a fraction of the memory and traffic. */
export interface MetadataObject extends KubeObject {
  readonly metadata: ObjectMeta & { readonly generation?: Int64 | undefined };
}

export interface Reader {
  /** @throws KubeError `not-found` only when the server proved that this object is absent (a `Status` that names it) */
  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options: ReadOptions): Promise<T>;
  /** Like `get`; undefined when the object is proven absent. Every other failure throws. */
  find<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options: ReadOptions): Promise<T | undefined>;
  /** Every page of one consistent snapshot, or an error. */
  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions): Promise<ListResult<T>>;
  findMetadata(kind: Kind, name: ObjectName, options: ReadOptions): Promise<MetadataObject | undefined>;
  listMetadata(kind: Kind, options: ListOptions): Promise<ListResult<MetadataObject>>;
}

/**
 * All verbs, unguarded. Controllers never hold one: they write through their cluster's `write`, which checks the declared rights and
 * the leadership fence first.
 *
 * Objects are as the server sent them: nothing is dropped ({@link Trim} aside), renamed or defaulted; numbers are lossless (core's `JsonValue`).
 * While a server has asked for a pause or cannot be reached, a call waits for up to 10 s and then fails with the time (`RetryBudget`).
 * Once sent, it has a deadline of its own (default 30 s; for a watch, until it begins) beside `signal`. Writes are never repeated.
 *
 * @throws KubeError see `kube-error.ts` for its codes and which of them retry
 */
export interface Client extends Reader {
  /** Resolves once the server accepted the watch. Ends cleanly when the server closes it; an `ERROR` event and a torn line throw. */
  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): Promise<AsyncIterableIterator<WatchEvent<T>>>;
  watchMetadata(kind: Kind, options: WatchOptions): Promise<AsyncIterableIterator<WatchEvent<MetadataObject>>>;
  create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: ApplyOptions): Promise<T>;
  patch<T extends KubeObject>(target: WriteTarget<T>, patch: PatchBody, options: WriteOptions): Promise<T>;
  /** Whole-object replacement, by resourceVersion. For tests and repair tools: controllers apply or patch. */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions): Promise<T>;
  /**
   * Resolves when the server took the delete, or had already done so: `gone` (also: absent before), or `terminating` (finalizers hold
   * it). A different uid throws `conflict`.
   */
  delete<T extends KubeObject>(target: WriteTarget<T>, options: DeleteOptions): Promise<'gone' | 'terminating'>;
  /** A request that no verb covers (discovery, subresources); parsed JSON. */
  raw(
    request: { readonly method: string; readonly path: string; readonly body?: JsonValue },
    options: CallOptions,
  ): Promise<JsonValue>;
}

export interface WriteTarget<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly name: ObjectName;
}
