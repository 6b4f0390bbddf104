/** One API server that controllers read from and write to, and the providers that bring them. */
import { type Kind, type KubeObject, type ObjectName, PlatformError } from '@lifeline/core';
import type { Client, PatchBody, Reader } from '../client/client.ts';
import type { Informer, InformerOptions, Store } from '../cache/informer.ts';
import type { Endpoint } from '../transport/endpoint.ts';

/**
 * Not now: the cluster is not engaged, is suspended, or the kind's cache has not synced. The runtime parks the request and replays it
 * when that changes. Never a reason to conclude that something is absent.
 */
export class ClusterNotReadyError extends PlatformError<'cluster-not-ready'> {
  /** Calls back once when trying again makes sense; dispose to stop waiting. */
  readonly whenReady: (wake: () => void) => Disposable;

  constructor(message: string, whenReady: (wake: () => void) => Disposable) {
    super('cluster-not-ready', message);
    this.whenReady = whenReady;
  }
}

/** A cluster as the runtime holds it. Reconcilers see a {@link ScopedCluster} instead. */
export interface Cluster {
  /** Unique within its provider: the project's full name, the edge's name. */
  readonly name: string;
  /** The role of all clusters of its provider: `project`, `hub`, `edge`. */
  readonly plane: string;
  /** The cluster's life: aborts when it is disengaged. */
  readonly signal: AbortSignal;
  /** Follows the current endpoint: credentials may be replaced under it. */
  readonly client: Client;
  /** The one shared informer of a kind with these options; first use starts it. */
  informer<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Informer<T>;
  /** Those that have been started. */
  informers(): readonly Informer<KubeObject>[];
  /** @throws ClusterNotReadyError until the kind has synced, while the kind is unavailable and while the cluster is suspended */
  store<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Store<T>;
}

/** The clusters of one plane. */
export interface ClusterProvider {
  readonly plane: string;
  /** @throws ClusterNotReadyError when no such cluster is engaged, or it is suspended */
  get(name: string): Cluster;
  /** Engaged ones, suspended ones included, by name. */
  list(): readonly Cluster[];
  /** Told about every cluster already engaged, then about each engagement. The cluster's signal tells the end. */
  subscribe(engaged: (cluster: Cluster) => void): Disposable;
  /** Finds clusters and keeps them engaged until the signal aborts; then disengages all and resolves. */
  run(signal: AbortSignal): Promise<void>;
}

/** How a source of clusters steers the fleet. Idempotent; calls for one name are applied in order. */
export interface FleetControl {
  /**
   * Engages a cluster, resumes a suspended one, or moves an engaged one to a changed endpoint (credentials rotated: caches are kept and
   * relisted, no delete events). Another `identity` under the same name is a new cluster: the old one is disengaged first and the new one
   * starts with empty caches.
   */
  engage(name: string, target: ClusterTarget): void;
  /** The plane says it is not ready: caches go on, reads and writes are refused. */
  suspend(name: string): void;
  disengage(name: string): void;
}

export interface ClusterTarget {
  readonly endpoint: Endpoint;
  /** Uid of what the plane belongs to. Default: the endpoint's server URL. */
  readonly identity?: string | undefined;
}

/** Where clusters come from. Returns when the signal aborts; what it throws ends the manager. */
export type ClusterSource = (fleet: FleetControl, signal: AbortSignal) => Promise<void>;

/** What a reconciler may do in one cluster: read caches, read live, and write what its controller declared. */
export interface ScopedCluster {
  readonly name: string;
  readonly plane: string;
  /** Live reads. */
  readonly live: Reader;
  /** @throws ClusterNotReadyError see {@link Cluster.store} */
  store<T extends KubeObject>(kind: Kind<T>): Store<T>;
  /**
   * Carries out one write. Guarantees: it is declared by the controller, its fields lie in the declared lane, leadership is certain at the
   * moment it leaves, and its deadline ends before that certainty does.
   *
   * @throws KubeError `not-declared`, `fenced`, or the server's
   */
  write<T extends KubeObject>(write: Write<T>, options: { readonly signal: AbortSignal }): Promise<WriteResult<T>>;
}

/** A write as a value, so that `decide` can return it. */
export type Write<T extends KubeObject = KubeObject> =
  | {
      readonly verb: 'create';
      readonly kind: Kind<T>;
      readonly object: Record<string, unknown> & { readonly metadata: ObjectName & Record<string, unknown> };
    }
  | {
      readonly verb: 'apply';
      readonly kind: Kind<T>;
      readonly object: Record<string, unknown> & { readonly metadata: ObjectName & Record<string, unknown> };
      readonly force: boolean;
      readonly subresource?: 'status' | undefined;
    }
  | {
      readonly verb: 'patch';
      readonly kind: Kind<T>;
      readonly name: ObjectName;
      readonly patch: PatchBody;
      readonly subresource?: 'status' | undefined;
      /** `Ignore`: the server drops fields that it does not know. Default: it refuses them. */
      readonly fieldValidation?: 'Ignore' | undefined;
    }
  | { readonly verb: 'delete'; readonly kind: Kind<T>; readonly name: ObjectName; readonly uid: string };

/** The object as the server answered; for a delete whether it is gone or held by finalizers. */
export type WriteResult<T> = T | 'gone' | 'terminating';
