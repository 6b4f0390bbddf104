/** {@link Informer}: one reflector, one store, any number of subscribers. */
import {
  abortable,
  type Clock,
  describeError,
  type DurationMs,
  type Kind,
  type KubeObject,
  linkAbort,
  type LinkedAbort,
  later,
  type MonotonicMs,
  type Random,
} from '@lifeline/core';
import type { Log, LogFields } from '../app/env.ts';
import { admission, type AdmissionOptions } from './admission.ts';
import type {
  EventOrigin,
  Following,
  IndexFunction,
  Informer,
  InformerStatus,
  ObjectEvent,
  Store,
} from './informer.ts';
import type { Delta, End, ListerWatcher } from './reflector.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';
import { type Pace, type ReflectorObserver, runReflector } from './run-reflector.ts';
import { ObjectStore } from './store.ts';

export interface SharedInformerOptions<T> extends AdmissionOptions {
  readonly source: ListerWatcher<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Already says which cluster and kind this is. */
  readonly log: Log;
  readonly metrics: ReflectorMetrics;
  /** The status is `stale` when the server was not heard for this long. */
  readonly silenceMs: DurationMs;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined;
  readonly pace?: Partial<Pace> | undefined;
  /** @see DeliveryInterceptor */
  readonly intercept?: ((delta: Delta<T>, deliver: (delta: Delta<T>) => void) => void) | undefined;
}

const afterBugMs: DurationMs = 30_000;

/** Without a watch for longer than this, the cache does not follow its server: see {@link Informer.following}. */
const gapMs: DurationMs = 5_000;

/** Ends after which it cannot be told what was missed, however short the break. */
const endsFollowing: Readonly<Record<End['reason'], boolean>> = {
  closed: false,
  barren: false,
  failed: false,
  silent: true,
  rewound: true,
  expired: true,
  'kind-missing': true,
  forbidden: true,
};

interface Subscriber<T> {
  readonly handler: (event: ObjectEvent<T>, origin: EventOrigin) => void;
}

export class SharedInformer<T extends KubeObject> implements Informer<T> {
  readonly kind: Kind<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #store: ObjectStore<T>;
  #source: ListerWatcher<T>;
  /** Replaced, never changed: who tells an event holds on to those it is for. */
  #subscribers: readonly Subscriber<T>[] = [];
  /** What the last complete exchange left: `listed`, or why there is none. */
  #reached: 'nothing' | 'listed' | 'kind-missing' | 'forbidden' = 'nothing';
  #heardAt: MonotonicMs | undefined;
  #following: Following | undefined;
  /** Since when no watch is open. */
  #brokenAt: MonotonicMs | undefined;
  readonly #waiting = new Set<() => void>();
  /** Changes to the store and to who hears of them, one after the other; the first is under way. */
  readonly #turns: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();
  /** What was logged since the server was last heard. */
  #complaint: string | undefined;
  /** Ends the reflector that runs now. */
  #reflector: LinkedAbort | undefined;

  constructor(kind: Kind<T>, options: SharedInformerOptions<T>) {
    this.kind = kind;
    this.#options = options;
    this.#source = options.source;
    this.#store = new ObjectStore(admission(kind, options), (error) => this.#handlerFailed(error, 'an index function'));
    this.#store.addIndexes(options.indexes ?? {});
  }

  get store(): Store<T> {
    return this.#store;
  }

  get status(): InformerStatus {
    switch (this.#reached) {
      case 'nothing':
        return { at: 'syncing' };
      case 'listed': {
        const silentFor = this.silentFor();
        const since = later(this.#options.clock.monotonic(), -silentFor);
        return silentFor > this.#options.silenceMs ? { at: 'stale', since } : { at: 'synced' };
      }
      case 'kind-missing':
      case 'forbidden':
        return { at: 'unavailable', reason: this.#reached };
    }
  }

  silentFor(): DurationMs {
    return this.#heardAt === undefined ? 0 : this.#options.clock.monotonic() - this.#heardAt;
  }

  get following(): Following | undefined {
    return this.#brokenFor() > gapMs ? undefined : this.#following;
  }

  async synced(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#reached === 'listed') return;
    let wake: () => void = () => undefined;
    try {
      await abortable(new Promise<void>((resolve) => this.#waiting.add((wake = resolve))), signal);
    } finally {
      this.#waiting.delete(wake);
    }
  }

  subscribe(handler: Subscriber<T>['handler']): Disposable {
    const subscriber: Subscriber<T> = { handler };
    let disposed = false;
    this.#inTurn(() => {
      if (disposed) return;
      this.#subscribers = [...this.#subscribers, subscriber];
      for (const event of [...this.#store.replay()]) this.#tell([subscriber], event, 'list');
    });
    return {
      [Symbol.dispose]: () => {
        disposed = true;
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
      },
    };
  }

  addIndexes(indexes: Readonly<Record<string, IndexFunction<T>>>): void {
    this.#store.addIndexes(indexes);
  }

  /**
   * Lists and watches until `signal` aborts, then resolves with nothing left behind; what is held stays, and a later run lists anew. A run
   * begins when the ones asked for before it have ended: there is never more than one stream.
   */
  run(signal: AbortSignal): Promise<void> {
    const follow = (): Promise<void> => this.#follow(signal);
    this.#running = this.#running.then(follow, follow);
    return this.#running;
  }

  /**
   * Reads from elsewhere from now on (default: from the same source, whose client leads elsewhere): ends the stream, lists again, keeps the
   * contents. Only what differs there is told.
   */
  replaceSource(source: ListerWatcher<T> = this.#source): void {
    this.#source = source;
    this.#reflector?.abort(new Error('the source was replaced'));
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, random, pace, metrics } = this.#options;
    using _shown = metrics.show(() => ({
      objects: this.#store.size,
      malformed: this.#store.malformed().size,
      silentMs: this.silentFor(),
    }));
    while (!signal.aborted) {
      using reflector = (this.#reflector = linkAbort(signal));
      this.#brokenAt ??= clock.monotonic();
      try {
        await runReflector({ source: this.#source, observer: this.#observe(), clock, random, pace }, reflector.signal);
      } catch (error) {
        // A bug of ours. Staying away would leave the cache stale for good.
        this.#handlerFailed(error, 'taking objects over');
        this.#brokenAt ??= clock.monotonic();
        await clock.sleep(afterBugMs, reflector.signal).catch(() => undefined);
      }
    }
    this.#brokenAt ??= clock.monotonic();
    this.#reflector = undefined;
  }

  #observe(): ReflectorObserver<T> {
    const { clock, intercept } = this.#options;
    const take = (delta: Delta<T>): void => this.#inTurn(() => this.#take(delta));
    return {
      deliver: intercept ? (delta) => intercept(delta, take) : take,
      heard: () => {
        this.#heardAt = clock.monotonic();
        this.#complaint = undefined;
      },
      opened: () => this.#follows(),
      ended: (end, waitMs) => this.#ended(end, waitMs),
    };
  }

  #take(delta: Delta<T>): void {
    this.#options.metrics.delivered(delta);
    const origin = delta.type === 'replaced' ? 'list' : 'watch';
    const audience = this.#subscribers;
    if (delta.type === 'replaced') this.#follows();
    for (const event of this.#store.apply(delta)) this.#tell(audience, event, origin);
    if (delta.type !== 'replaced') return;
    this.#reached = 'listed';
    for (const wake of this.#waiting) wake();
  }

  #tell(audience: readonly Subscriber<T>[], event: ObjectEvent<T>, origin: EventOrigin): void {
    for (const subscriber of audience) {
      if (!this.#subscribers.includes(subscriber)) continue;
      try {
        subscriber.handler(event, origin);
      } catch (error) {
        this.#handlerFailed(error, 'an event handler');
      }
    }
  }

  /** A handler that subscribes, or makes an interceptor deliver, does not overtake the events that are being told. A turn that throws ends no other one. */
  #inTurn(turn: () => void): void {
    this.#turns.push(turn);
    if (this.#turns.length > 1) return;
    const bugs: unknown[] = [];
    for (let next = this.#turns[0]; next; next = this.#turns[0]) {
      try {
        next();
      } catch (error) {
        bugs.push(error);
      }
      this.#turns.shift();
    }
    if (bugs.length > 0) throw bugs[0];
  }

  #ended(end: End, waitMs: DurationMs): void {
    this.#options.metrics.ended(end);
    const { reason, error } = end;
    const cause = error === undefined ? undefined : describeError(error);
    this.#log(reason, { reason, error: cause, waitMs: Math.round(waitMs) });
    if (reason === 'kind-missing' || reason === 'forbidden') this.#reached = reason;
    this.#brokenAt ??= this.#options.clock.monotonic();
    if (endsFollowing[reason]) this.#following = undefined;
  }

  /** The server is followed: still, when it was not left for long, else from now on. */
  #follows(): void {
    const { clock } = this.#options;
    if (!this.following) this.#following = { since: clock.monotonic() };
    this.#brokenAt = undefined;
  }

  #brokenFor(): DurationMs {
    return this.#brokenAt === undefined ? 0 : this.#options.clock.monotonic() - this.#brokenAt;
  }

  /** One line when something is wrong, not one for each try: the rest are for debugging. */
  #log(reason: End['reason'], fields: { readonly error: string | undefined } & LogFields): void {
    const { log } = this.#options;
    const complaint = `${reason} ${fields.error}`;
    if (reason === 'closed' || complaint === this.#complaint) return log.debug(fields, 'list or watch ended');
    this.#complaint = complaint;
    switch (reason) {
      case 'expired':
      case 'silent':
      case 'barren':
      case 'rewound':
        return log.info(fields, 'the watch cannot go on: listing again');
      case 'failed':
        return log.warn(fields, 'list or watch failed: trying again');
      case 'kind-missing':
      case 'forbidden':
        return log.warn(fields, 'the kind is unavailable: trying again slowly; nothing else stops');
    }
  }

  #handlerFailed(error: unknown, what: string): void {
    this.#options.metrics.handlerFailed();
    this.#options.log.error({ error: describeError(error) }, `${what} failed`);
  }
}
