/** A cluster as one controller may use it. */
import {
  type Clock,
  deadlineAbort,
  DeadlineError,
  type DurationMs,
  type Kind,
  type KubeObject,
  later,
} from '@lifeline/core';
import type { Store } from '../cache/informer.ts';
import type { Client, Draft, Reader, WriteOptions } from '../client/client.ts';
import { KubeError } from '../client/kube-error.ts';
import type { Cluster, ClusterProvider, ScopedCluster, Write, WriteResult } from '../fleet/cluster.ts';
import type { Controller } from './define-controller.ts';
import type { EventRecorder, RecordedEvent } from './event-recorder.ts';
import type { Fence } from './fence.ts';
import type { WriteGuard } from './write-guard.ts';

export interface ScopeOptions {
  readonly controller: Controller;
  readonly guard: WriteGuard;
  readonly clock: Clock;
  readonly fence: Fence;
  readonly recorder: EventRecorder;
  /** Ends what is written in the background. */
  readonly life: AbortSignal;
  /** Called when a write leaves. */
  readonly onWrite?: (() => void) | undefined;
}

/** No write takes longer, whatever the fence says. */
const maxWriteMs: DurationMs = 30_000;

/** @throws ClusterNotReadyError when the cluster is not engaged, or suspended */
export function scopedCluster(provider: ClusterProvider, name: string, options: ScopeOptions): ScopedCluster {
  return new Scope(provider, provider.get(name), options);
}

/**
 * Writes an Event in a scoped cluster, see {@link ReconcileContext.record}.
 *
 * @throws TypeError when the cluster is none of ours
 */
export function recordIn(cluster: ScopedCluster, event: RecordedEvent): void {
  if (!(cluster instanceof Scope)) throw new TypeError(`cluster ${cluster.name} is not from this reconcile's context`);
  cluster.record(event);
}

class Scope implements ScopedCluster {
  readonly name: string;
  readonly plane: string;
  readonly live: Reader;
  readonly #provider: ClusterProvider;
  readonly #cluster: Cluster;
  readonly #options: ScopeOptions;

  constructor(provider: ClusterProvider, cluster: Cluster, options: ScopeOptions) {
    this.name = cluster.name;
    this.plane = cluster.plane;
    this.#provider = provider;
    this.#cluster = cluster;
    this.#options = options;
    this.live = this.#reader();
  }

  store<T extends KubeObject>(kind: Kind<T>): Store<T> {
    const watch = this.#options.controller.watches.find(
      (known) => known.provider === this.#provider && known.kind.id === kind.id,
    );
    if (!watch) throw this.#undeclared(`a watch of ${kind.id}`);
    this.#engaged();
    // Kinds with one id are one kind: what the watch holds are T.
    return watch.store(this.#cluster) as Store<T>;
  }

  async write<T extends KubeObject>(
    write: Write<T>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<WriteResult<T>> {
    const { guard, onWrite } = this.#options;
    const right = guard.rightFor(this.plane, write);
    const call: Call<WriteResult<T>> = (client, { signal, admit }) => {
      const left = (): void => {
        admit();
        onWrite?.();
      };
      return send(client, write, { signal, admit: left, fieldManager: right.owner });
    };
    return await this.#whileCertain(`${write.verb} of ${write.kind.id}`, [signal], call);
  }

  record(event: RecordedEvent): void {
    const { controller, recorder, life } = this.#options;
    if (!controller.events.includes(this.plane)) throw this.#undeclared('events');
    const { signal } = this.#cluster;
    const guarded = async <R>(call: Call<R>): Promise<R> => this.#whileCertain('event', [signal, life], call);
    recorder.record(
      {
        controller: controller.name,
        cluster: `${this.plane} ${this.name}`,
        signal: life,
        client: {
          create: (kind, object, options) =>
            guarded((client, limits) => client.create(kind, object, { ...options, ...limits })),
          patch: (target, patch, options) =>
            guarded((client, limits) => client.patch(target, patch, { ...options, ...limits })),
        },
      },
      event,
    );
  }

  /** Carries out a call that writes: it leaves only while leadership is certain, and its deadline ends before that certainty does. */
  async #whileCertain<R>(what: string, signals: readonly AbortSignal[], call: Call<R>): Promise<R> {
    const { clock, fence } = this.#options;
    const client = this.#engaged();
    const certainMs = fence.certainFor();
    if (certainMs <= 0) throw fenced();
    const limitMs = Math.min(maxWriteMs, certainMs);
    const ends = later(clock.monotonic(), limitMs);
    let left = false;
    const admit = (): void => {
      this.#engaged();
      if (fence.certainFor() <= 0 || clock.monotonic() >= ends) throw fenced();
      left = true;
    };
    using _work = fence.enter?.();
    using limit = deadlineAbort(clock, limitMs, ...signals);
    try {
      return await call(client, { signal: limit.signal, admit });
    } catch (error) {
      if (signals.some(({ aborted }) => aborted) || !(limit.signal.reason instanceof DeadlineError)) throw error;
      if (!left) throw fenced(error);
      throw new KubeError('timeout', `${what} not answered within ${limitMs} ms`, { cause: error });
    }
  }

  /** The client, as long as the cluster is the one that is engaged and not suspended. */
  #engaged(): Client {
    this.#cluster.signal.throwIfAborted();
    this.#provider.get(this.name);
    return this.#cluster.client;
  }

  #reader(): Reader {
    const client = (verb: 'get' | 'list', kind: Kind): Client => {
      const { watches, writes, reads } = this.#options.controller;
      const rights = [
        ...reads.filter(({ verbs }) => verbs?.includes(verb) ?? true),
        ...writes.filter((right) => right.reads),
      ];
      const declared =
        watches.some((watch) => watch.provider === this.#provider && watch.kind.id === kind.id) ||
        rights.some((right) => right.plane === this.plane && right.kind.id === kind.id);
      if (!declared) throw this.#undeclared(`live reads of ${kind.id}`);
      return this.#engaged();
    };
    return {
      get: async (kind, name, options) => client('get', kind).get(kind, name, options),
      find: async (kind, name, options) => client('get', kind).find(kind, name, options),
      list: async (kind, options) => client('list', kind).list(kind, options),
      findMetadata: async (kind, name, options) => client('get', kind).findMetadata(kind, name, options),
      listMetadata: async (kind, options) => client('list', kind).listMetadata(kind, options),
    };
  }

  #undeclared(what: string): KubeError {
    return new KubeError(
      'not-declared',
      `controller ${this.#options.controller.name} did not declare: ${what} in plane ${this.plane}`,
    );
  }
}

const fenced = (cause?: unknown): KubeError =>
  new KubeError('fenced', 'leadership is not certain for as long as the write may take', { cause });

type Call<R> = (client: Client, limits: { readonly signal: AbortSignal; readonly admit: () => void }) => Promise<R>;

type Guarded = Pick<WriteOptions, 'signal' | 'admit'> & { readonly fieldManager: string };

function send<T extends KubeObject>(client: Client, write: Write<T>, options: Guarded): Promise<WriteResult<T>> {
  switch (write.verb) {
    case 'create':
      return client.create(write.kind, write.object as unknown as Draft<T>, options);
    case 'apply': {
      const { force, subresource } = write;
      return client.apply(write.kind, write.object as unknown as Draft<T>, { ...options, force, subresource });
    }
    case 'patch': {
      const { kind, name, subresource, fieldValidation } = write;
      return client.patch({ kind, name }, write.patch, { ...options, subresource, fieldValidation });
    }
    case 'delete': {
      const { kind, name, uid } = write;
      return client.delete({ kind, name }, { signal: options.signal, admit: options.admit, uid });
    }
  }
}
