/** Clusters for the tests of this folder: caches that are filled by hand, and a client that answers as it is told. */
import {
  type ConfigMap,
  keyOf,
  type Kind,
  type KubeObject,
  linkAbort,
  monotonicMs,
  type ObjectKey,
  type ObjectMeta,
  seeded,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog } from '../app/log.ts';
import { createMetrics } from '../app/prometheus.ts';
import type { Metrics } from '../app/metrics.ts';
import type { EventOrigin, Informer, InformerOptions, ObjectEvent, Store } from '../cache/informer.ts';
import type { Client, MetadataObject, WriteOptions } from '../client/client.ts';
import { type Cluster, ClusterNotReadyError, type ClusterProvider } from '../fleet/cluster.ts';
import type { RunOptions } from './runtime.ts';

export const configMap = (
  name: string,
  data: Record<string, string> = {},
  metadata: Partial<ObjectMeta> = {},
): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: '1', ...metadata },
  data,
});

/** A call that reached the client, in the client's own words. */
export interface SentWrite {
  readonly verb: 'create' | 'apply' | 'patch' | 'delete';
  readonly target: string;
  readonly options: Partial<WriteOptions> & { readonly force?: boolean; readonly uid?: string };
}

/** Answers a write: what it throws the caller sees; what it returns is waited for. */
export type Answer = (write: SentWrite) => Promise<void> | void;

export class FakeInformer implements Informer<KubeObject> {
  readonly kind: Kind;
  readonly options: InformerOptions<KubeObject>;
  status: Informer<KubeObject>['status'] = { at: 'synced' };
  following: Informer<KubeObject>['following'] = { since: monotonicMs(0) };
  subscribers = 0;
  readonly #objects = new Map<ObjectKey, KubeObject>();
  readonly #malformed = new Map<ObjectKey, string>();
  readonly #handlers = new Set<(event: ObjectEvent<KubeObject>, origin: EventOrigin) => void>();

  constructor(kind: Kind, options: InformerOptions<KubeObject> = {}) {
    this.kind = kind;
    this.options = options;
  }

  readonly store: Store<KubeObject> = {
    size: 0,
    get: (key) => {
      if (this.#malformed.has(key)) throw new Error(`malformed ${key}`);
      return this.#objects.get(key);
    },
    has: (key) => this.#objects.has(key),
    keys: () => this.#objects.keys(),
    list: () => this.#objects.values(),
    byIndex: (index, value) => this.#indexed(index, value),
    malformed: () => this.#malformed,
  };

  put(object: KubeObject, origin: EventOrigin = 'watch'): void {
    const old = this.#objects.get(keyOf(object));
    this.#objects.set(keyOf(object), object);
    this.#malformed.delete(keyOf(object));
    this.#emit(old ? { type: 'updated', old, object } : { type: 'added', object }, origin);
  }

  /** Changes the cache and tells nobody: a lost event. */
  putUnseen(object: KubeObject): void {
    this.#objects.set(keyOf(object), object);
  }

  remove(key: ObjectKey, origin: EventOrigin = 'watch'): void {
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.#emit({ type: 'deleted', object }, origin);
  }

  spoil(object: MetadataObject): void {
    const old = this.#objects.get(keyOf(object));
    this.#objects.delete(keyOf(object));
    this.#malformed.set(keyOf(object), 'spec: odd');
    this.#emit({ type: 'malformed', object, old }, 'watch');
  }

  silentFor(): number {
    return 0;
  }

  synced(): Promise<void> {
    return Promise.resolve();
  }

  subscribe(handler: (event: ObjectEvent<KubeObject>, origin: EventOrigin) => void): Disposable {
    this.#handlers.add(handler);
    this.subscribers = this.#handlers.size;
    for (const object of this.#objects.values()) handler({ type: 'added', object }, 'list');
    return {
      [Symbol.dispose]: () => {
        this.#handlers.delete(handler);
        this.subscribers = this.#handlers.size;
      },
    };
  }

  #emit(event: ObjectEvent<KubeObject>, origin: EventOrigin): void {
    for (const handler of this.#handlers) handler(event, origin);
  }

  #indexed(index: string, value: string): readonly KubeObject[] {
    const indexOf = this.options.indexes?.[index];
    if (!indexOf) throw new Error(`no index ${index}`);
    return [...this.#objects.values()].filter((object) => indexOf(object).includes(value));
  }
}

export class FakeCluster implements Cluster {
  readonly name: string;
  readonly plane: string;
  readonly client: Client;
  readonly sent: SentWrite[] = [];
  answer: Answer = () => undefined;
  readonly life = linkAbort();
  readonly #informers = new Map<string, FakeInformer>();
  readonly #waiting = new Set<() => void>();

  constructor(plane: string, name: string) {
    this.plane = plane;
    this.name = name;
    this.client = this.#client();
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  /** Requests that wait for a kind. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The informer of a kind as the test fills it. */
  of(kind: Kind): FakeInformer {
    return this.informer(kind) as unknown as FakeInformer;
  }

  informer<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Informer<T> {
    const known = this.#informers.get(kind.id);
    const informer = known ?? new FakeInformer(kind, options as InformerOptions<KubeObject> | undefined);
    this.#informers.set(kind.id, informer);
    return informer as unknown as Informer<T>;
  }

  informers(): readonly Informer<KubeObject>[] {
    return [...this.#informers.values()];
  }

  store<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Store<T> {
    const informer = this.informer(kind, options);
    if (informer.status.at === 'synced') return informer.store;
    throw new ClusterNotReadyError(`${kind.id} is ${informer.status.at}`, (wake) => waitIn(this.#waiting, wake));
  }

  sync(kind: Kind): void {
    this.of(kind).status = { at: 'synced' };
    for (const wake of [...this.#waiting]) wake();
  }

  #client(): Client {
    const send = async <R>(write: SentWrite, result: R): Promise<R> => {
      write.options.signal?.throwIfAborted();
      this.sent.push(write);
      await this.answer(write);
      return result;
    };
    const unused = (): never => {
      throw new Error('not used by these tests');
    };
    return {
      get: unused,
      find: (_kind, { name }) => Promise.resolve(name === 'absent' ? undefined : (configMap(name) as never)),
      list: unused,
      findMetadata: unused,
      listMetadata: unused,
      watch: unused,
      watchMetadata: unused,
      update: unused,
      raw: unused,
      create: (kind, object, options) =>
        send({ verb: 'create', target: `${kind.id} ${object.metadata.name}`, options }, object as never),
      apply: (kind, object, options) =>
        send({ verb: 'apply', target: `${kind.id} ${object.metadata.name}`, options }, object as never),
      patch: ({ kind, name }, _patch, options) =>
        send({ verb: 'patch', target: `${kind.id} ${name.name}`, options }, configMap(name.name) as never),
      delete: ({ kind, name }, options) =>
        send({ verb: 'delete', target: `${kind.id} ${name.name}`, options }, 'gone' as const),
    };
  }
}

export class FakeProvider implements ClusterProvider {
  readonly plane: string;
  readonly #clusters = new Map<string, FakeCluster>();
  readonly #suspended = new Set<string>();
  readonly #subscribers = new Set<(cluster: Cluster) => void>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(plane: string, ...engaged: readonly string[]) {
    this.plane = plane;
    for (const name of engaged) this.engage(name);
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }

  /** Requests that wait for a cluster. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  find(name: string): FakeCluster | undefined {
    return this.#clusters.get(name);
  }

  cluster(name: string): FakeCluster {
    return this.#clusters.get(name) as FakeCluster;
  }

  engage(name: string, prepare: (cluster: FakeCluster) => void = () => undefined): FakeCluster {
    const cluster = new FakeCluster(this.plane, name);
    prepare(cluster);
    this.#clusters.set(name, cluster);
    for (const subscriber of [...this.#subscribers]) subscriber(cluster);
    this.#wake(name);
    return cluster;
  }

  suspend(name: string): void {
    this.#suspended.add(name);
  }

  resume(name: string): void {
    this.#suspended.delete(name);
    this.#wake(name);
  }

  disengage(name: string): void {
    const cluster = this.#clusters.get(name);
    this.#clusters.delete(name);
    cluster?.life.abort(new Error(`${name} was disengaged`));
  }

  get(name: string): Cluster {
    const cluster = this.#clusters.get(name);
    if (cluster && !this.#suspended.has(name)) return cluster;
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting);
    throw new ClusterNotReadyError(`${this.plane} ${name} is not ready`, (wake) => waitIn(waiting, wake));
  }

  list(): readonly Cluster[] {
    return [...this.#clusters.values()];
  }

  subscribe(engaged: (cluster: Cluster) => void): Disposable {
    this.#subscribers.add(engaged);
    for (const cluster of this.list()) engaged(cluster);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(engaged) };
  }

  run(): Promise<void> {
    return Promise.resolve();
  }

  #wake(name: string): void {
    for (const wake of [...(this.#waiting.get(name) ?? [])]) wake();
  }
}

function waitIn(waiting: Set<() => void>, wake: () => void): Disposable {
  const once = (): void => {
    waiting.delete(once);
    wake();
  };
  waiting.add(once);
  return { [Symbol.dispose]: () => void waiting.delete(once) };
}

export interface FakeEnv {
  readonly clock: VirtualClock;
  readonly env: RunOptions['env'];
  readonly metrics: Metrics;
  /** What was logged, parsed. */
  readonly lines: { level: string; msg: string; [field: string]: unknown }[];
  /** The value of one series of the metrics. */
  value(series: string): Promise<number | undefined>;
}

export function fakeEnv(seed: string | number = 'controller'): FakeEnv {
  const clock = new VirtualClock();
  const metrics = createMetrics();
  const lines: FakeEnv['lines'] = [];
  const log = createLog({
    clock,
    write: (line) => lines.push(JSON.parse(line) as FakeEnv['lines'][number]),
    level: 'debug',
  });
  return {
    clock,
    env: { clock, random: seeded(seed), log, metrics },
    metrics,
    lines,
    async value(series) {
      const line = (await metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
  };
}
