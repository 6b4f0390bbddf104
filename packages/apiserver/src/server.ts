/** One control plane, in process. */
import type { Clock, DurationMs, Kind, KubeObject, ObjectName, Random, Transport } from '@lifeline/core';
import type { Listening, ListenOptions } from './http/listen.ts';
import type { Revision, Snapshot } from './storage/store.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Kinds beside the built-in ones: each is installed as its CustomResourceDefinition, established from the start. */
  readonly kinds?: readonly Kind[] | undefined;
  /** `bearer token → user`, as in kube-apiserver's CSV token file. None: whoever asks is `system:admin`. */
  readonly tokens?: readonly Token[] | undefined;
  /** Default `false`: every known user may do everything. */
  readonly rbac?: boolean | undefined;
  /** The path that the plane lives under. Default: none. */
  readonly basePath?: string | undefined;
  /** Revisions remembered; then the older half is compacted. Default 10,000. */
  readonly historyLimit?: number | undefined;
  /** Default 60,000. */
  readonly bookmarkEveryMs?: number | undefined;
  /** What kube-controller-manager does in a real plane: owner garbage collection and namespace termination. Default true. */
  readonly controllers?: boolean | undefined;
  /** How long each step of the garbage collector waits on the clock. Default 0 to 20 ms. */
  readonly collectorDelayMs?: DelaySpan | undefined;
  /**
   * The same of a namespace that ends. Default 0 to 20 ms. A real plane takes `[5000, 5000]`: five seconds from the delete to that of
   * what is in it, and five more where something held it up.
   */
  readonly namespaceDelayMs?: DelaySpan | undefined;
}

/** Each delay is drawn from between the two. */
export type DelaySpan = readonly [least: DurationMs, most: DurationMs];

/** One line of a token file. */
export interface Token {
  readonly token: string;
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** A view of the same plane through another API server, whose watch cache may lag. */
export interface Replica {
  readonly transport: Transport;
  /** As {@link ApiServer.listen}. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Watches, and reads that allow it (`resourceVersion=0`), see nothing newer than now. @param kind undefined: all kinds */
  freeze(kind?: Kind): void;
  thaw(): void;
}

export interface ApiServer extends Disposable {
  readonly transport: Transport;
  readonly fetch: typeof fetch;
  readonly revision: number;
  /** Watches that are open now. */
  readonly openWatches: number;
  /** Ground truth, for oracles and tests: not a request, no rights asked. Objects are frozen. */
  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName): T | undefined;
  objects<T extends KubeObject>(kind: Kind<T>): readonly T[];
  /** Told of each revision, synchronously, in order. */
  tap(listener: (revision: Revision) => void): Disposable;
  /** Forgets all history: what continues from before meets a 410. */
  compact(): void;
  snapshot(): Snapshot;
  /** As etcd from a backup: the revision goes back, every connection breaks. */
  restore(snapshot: Snapshot): void;
  /** Ends open watches: cleanly, or as a broken connection when there is an error. */
  endWatches(options?: { readonly kind?: Kind; readonly error?: Error }): void;
  replica(): Replica;
  /**
   * The same over HTTP/1.1 and, with TLS, h2 by ALPN. With tokens, who shows none is `system:anonymous`, who without RBAC may only see how
   * the server is. Rejects when the port cannot be had. What listens is closed on its own, not with the plane.
   */
  listen(options?: ListenOptions): Promise<Listening>;
}
