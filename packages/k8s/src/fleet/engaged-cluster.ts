/** A cluster while it is engaged: one client, one informer for each kind that somebody watches. */
import { type Clock, type Kind, type KubeObject, linkAbort, type LinkedAbort } from '@lifeline/core';
import type { Informer, InformerOptions, Store } from '../cache/informer.ts';
import type { Client } from '../client/client.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import { type Cluster, ClusterNotReadyError } from './cluster.ts';
import { followClient } from './follow-client.ts';

/** An informer as its cluster runs it. */
export interface RunningInformer<T extends KubeObject> extends Informer<T> {
  /** Lists and watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** The client leads elsewhere now: end the stream, list again, keep the contents. */
  replaceSource(): void;
  addIndexes(indexes: NonNullable<InformerOptions<T>['indexes']>): void;
}

export interface ClusterParts {
  readonly clock: Clock;
  connect(endpoint: Endpoint, signal: AbortSignal): Client;
  createInformer<T extends KubeObject>(
    kind: Kind<T>,
    cluster: { name: string; client: Client },
    options: InformerOptions<T>,
  ): RunningInformer<T>;
}

/** A replaced connection lives on this long, so that calls under way end well. The client's own deadline for a call is as long. */
const lingerMs = 30_000;

export class EngagedCluster implements Cluster {
  readonly name: string;
  readonly plane: string;
  readonly client: Client;
  readonly #parts: ClusterParts;
  readonly #life: LinkedAbort;
  readonly #informers = new Map<string, RunningInformer<KubeObject>>();
  /** The same by the options of those who asked: each look at an object asks for several stores. */
  readonly #asked = new WeakMap<object, RunningInformer<KubeObject>>();
  readonly #runs: Promise<void>[] = [];
  readonly #waiting = new Set<() => void>();
  /** Who waits for an informer to sync. */
  readonly #unsynced = new Map<object, Set<() => void>>();
  #connection: { readonly endpoint: Endpoint; readonly client: Client; readonly life: LinkedAbort };
  #suspended = false;

  constructor(identity: { readonly plane: string; readonly name: string }, endpoint: Endpoint, parts: ClusterParts) {
    this.plane = identity.plane;
    this.name = identity.name;
    this.#parts = parts;
    this.#life = linkAbort();
    this.#connection = this.#connect(endpoint);
    this.client = followClient(() => this.#connection.client);
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  suspend(): void {
    this.#suspended = true;
  }

  resume(): void {
    this.#suspended = false;
    this.#wake();
  }

  /** No-op for an equal endpoint. */
  replace(endpoint: Endpoint): void {
    if (JSON.stringify(endpoint) === JSON.stringify(this.#connection.endpoint)) return;
    const { life } = this.#connection;
    this.#connection = this.#connect(endpoint);
    for (const informer of this.#informers.values()) informer.replaceSource();
    const timer = this.#parts.clock.timer(lingerMs, () => {
      this.signal.removeEventListener('abort', stop);
      life.abort(new Error('the endpoint was replaced'));
      life[Symbol.dispose]();
    });
    const stop = (): void => timer[Symbol.dispose]();
    this.signal.addEventListener('abort', stop, { once: true });
  }

  /** Resolves when nothing of it runs any more. */
  async disengage(reason: Error): Promise<void> {
    this.#life.abort(reason);
    this.#informers.clear();
    this.#wake();
    await Promise.all(this.#runs);
  }

  informer<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T> = {}): Informer<T> {
    this.signal.throwIfAborted();
    const asked = this.#asked.get(options);
    // Kinds with one id are one kind.
    if (asked?.kind.id === kind.id) return asked as unknown as Informer<T>;
    const informer = this.#informer(kind, options);
    this.#asked.set(options, informer);
    return informer;
  }

  #informer<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T>): RunningInformer<T> {
    const key = informerKey(kind, options);
    const running = this.#informers.get(key) as RunningInformer<T> | undefined;
    if (running) {
      running.addIndexes(options.indexes ?? {});
      return running;
    }
    const informer = this.#parts.createInformer(kind, this, options);
    this.#informers.set(key, informer);
    // It ends with the cluster, and logs and retries everything else itself.
    this.#runs.push(informer.run(this.signal).catch(() => undefined));
    return informer;
  }

  informers(): readonly Informer<KubeObject>[] {
    return [...this.#informers.values()];
  }

  store<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Store<T> {
    this.ensureReady();
    const informer = options ? this.informer(kind, options) : this.#onlyInformer(kind);
    const { at } = informer.status;
    if (at === 'synced' || at === 'stale') return informer.store;
    throw new ClusterNotReadyError(`${kind.id} of ${this.plane} ${this.name} is ${at}`, (wake) =>
      this.#onSynced(informer, wake),
    );
  }

  /** @throws ClusterNotReadyError while suspended */
  ensureReady(): void {
    if (!this.#suspended) return;
    throw new ClusterNotReadyError(`${this.plane} ${this.name} is suspended`, (wake) => {
      const once = (): void => {
        this.#waiting.delete(once);
        wake();
      };
      this.#waiting.add(once);
      return { [Symbol.dispose]: () => void this.#waiting.delete(once) };
    });
  }

  /** One wait for each informer, however many wait: a plane that comes up late has every request of its objects waiting for it. */
  #onSynced<T extends KubeObject>(informer: Informer<T>, wake: () => void): Disposable {
    const waiting = this.#unsynced.get(informer) ?? new Set();
    if (!this.#unsynced.has(informer)) {
      this.#unsynced.set(informer, waiting);
      const done = (): void => {
        this.#unsynced.delete(informer);
        for (const each of waiting) each();
      };
      // Also when the cluster goes: then there is another one of its name to wait for, or none yet.
      informer.synced(this.signal).then(done, done);
    }
    waiting.add(wake);
    return { [Symbol.dispose]: () => void waiting.delete(wake) };
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #onlyInformer<T extends KubeObject>(kind: Kind<T>): RunningInformer<T> {
    const found = [...this.#informers.values()].filter((informer) => informer.kind.id === kind.id);
    if (found.length === 1) return found[0] as unknown as RunningInformer<T>;
    const many =
      found.length > 1 ? 'is watched with several selections: name one' : 'is watched by no controller: add a watch';
    throw new TypeError(`${kind.id} in plane ${this.plane} ${many}`);
  }

  #connect(endpoint: Endpoint): { endpoint: Endpoint; client: Client; life: LinkedAbort } {
    const life = linkAbort(this.signal);
    return { endpoint, client: this.#parts.connect(endpoint, life.signal), life };
  }
}

/** One stream for each kind and selection; indexes are added to it. */
function informerKey<T>(
  kind: Kind,
  { namespace, labelSelector, fieldSelector, metadataOnly, keepManagedFields }: InformerOptions<T>,
): string {
  return JSON.stringify([
    kind.id,
    namespace,
    labelSelector,
    fieldSelector,
    metadataOnly === true,
    keepManagedFields === true,
  ]);
}
