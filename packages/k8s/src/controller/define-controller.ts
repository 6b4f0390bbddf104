/** What a controller is: a name, what it watches, what it may write, and one reconcile function. */
import type { Clock, DurationMs, Kind, KubeObject, ObjectKey } from '@lifeline/core';
import type { Selection } from '../client/client.ts';
import type { IndexFunction, ObjectEvent } from '../cache/informer.ts';
import type { ClusterProvider, ScopedCluster } from '../fleet/cluster.ts';
import type { Log } from '../app/env.ts';

/** Which object of which cluster to look at. Nothing else: what happened is not the reconciler's business. */
export interface ReconcileRequest {
  readonly cluster: string;
  readonly key: ObjectKey;
}

/** `after`: look again then, at the latest (absent: only when something changes, or at the floor). */
export interface ReconcileResult {
  readonly after?: DurationMs | undefined;
}

export interface ReconcileContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** A cluster with this controller's rights. `name` may be left out where the provider has exactly one. @throws ClusterNotReadyError */
  cluster(provider: ClusterProvider, name?: string): ScopedCluster;
}

/** Level-triggered and idempotent: reads what is, writes what should be. A failure is retried as `retryOf` says; a `TerminalError` is not. */
export type Reconcile = (request: ReconcileRequest, context: ReconcileContext) => Promise<ReconcileResult | void>;

export type Predicate<T> = (event: ObjectEvent<T>) => boolean;

/** Requests that an object concerns; run on the old and the new object of an update. */
export type Mapper<T> = (object: T, cluster: string) => readonly ReconcileRequest[];

export interface Watch<T extends KubeObject = KubeObject> extends Selection {
  readonly provider: ClusterProvider;
  readonly kind: Kind<T>;
  readonly mapper: Mapper<T>;
  readonly predicate?: Predicate<T> | undefined;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined;
  readonly metadataOnly?: boolean | undefined;
}

export type Verb = 'create' | 'apply' | 'patch' | 'delete';

/** One row of what a controller may write. RBAC, `doctor` and the own-lane check read it. */
export interface WriteRight {
  readonly plane: string;
  readonly kind: Kind;
  readonly verbs: readonly Verb[];
  /** Paths in the object, dots between segments: `data`, `status.conditions`, `metadata.finalizers`; `*`: the whole object. */
  readonly fields: readonly string[];
  /** Field manager. */
  readonly owner: string;
  /** Read live too, beside what is watched. */
  readonly reads?: boolean | undefined;
}

export interface ControllerSpec {
  readonly name: string;
  readonly watches: readonly Watch[];
  readonly writes: readonly WriteRight[];
  readonly reconcile: Reconcile;
  /** Requests worked on at once. Default 4. */
  readonly workers?: number | undefined;
  /** Every known key is looked at again this often, ±10 %. Default 10 min: a lost event costs minutes, not for ever. */
  readonly floorMs?: DurationMs | undefined;
}

export interface Controller extends Readonly<Required<ControllerSpec>> {}
