/**
 * A process that a test can kill, pause and restart between any two awaits.
 *
 * An app reaches the outside only through its `Env`, so between two uses of it nothing outside can change: killing the app at every use of
 * `Env` in turn is killing it at every await. Each use passes two points, `call` (before anything has happened) and `settle` (it has happened,
 * the app does not know yet); {@link SimulatedProcess.killAt} counts both.
 */
import {
  type Clock,
  type DurationMs,
  linkAbort,
  type LinkedAbort,
  type Random,
  sleepWith,
  type Transport,
  type TransportResponse,
  untilAborted,
} from '@lifeline/core';
import type { CacheSettings, Env, Files, Health, Log } from '../app/env.ts';
import { createHealth } from '../app/health.ts';
import type { Metrics } from '../app/metrics.ts';
import { createMetrics } from '../app/prometheus.ts';
import type { TransportFactory } from '../transport/endpoint.ts';

export interface ProcessOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: TransportFactory;
  readonly files: Files;
  readonly log: Log;
  /** Default: frozen objects. */
  readonly caches?: CacheSettings | undefined;
  /** Told at each point, in order: for traces. */
  readonly onPoint?: ((point: number, what: string) => void) | undefined;
}

export class SimulatedProcess {
  readonly env: Env;
  readonly metrics: Metrics = createMetrics();
  readonly health: ReturnType<typeof createHealth> = createHealth();
  readonly #options: ProcessOptions;
  readonly #stop: LinkedAbort = linkAbort();
  /** Ends what the operating system ends with a process: its connections and timers. */
  readonly #life: LinkedAbort = linkAbort();
  readonly #held: (() => void)[] = [];
  /** Timers that are set. Not listeners of `#life`: adding the n-th of those takes n steps. */
  readonly #timers = new Set<Disposable>();
  #paused = false;
  #point = 0;
  #killAt = Infinity;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.env = {
      clock: this.#clock(),
      random: options.random,
      transport: (endpoint, signal) => this.#transport(options.transport(endpoint, this.#linked(signal))),
      files: {
        read: (path, signal) => this.#gate(`read ${path}`, () => options.files.read(path, signal)),
        list: (path, signal) => this.#gate(`list ${path}`, () => options.files.list(path, signal)),
      },
      variables: {},
      log: options.log,
      metrics: this.metrics,
      health: this.health satisfies Health,
      signal: this.#stop.signal,
      caches: options.caches ?? { freeze: true },
    };
  }

  get dead(): boolean {
    return this.#life.signal.aborted;
  }

  /** Resolves when it was killed. */
  get died(): Promise<void> {
    return untilAborted(this.#life.signal);
  }

  /** Points passed so far. */
  get points(): number {
    return this.#point;
  }

  /** Kills the process when it reaches this point, counted from 1. */
  killAt(point: number): void {
    this.#killAt = point;
  }

  /** SIGKILL: no code of it runs after its current step; its connections break. */
  kill(): void {
    if (this.dead) return;
    this.#held.length = 0;
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#life.abort(new Error(`${this.#options.name} was killed`));
  }

  /** SIGTERM: asks the app to stop in order. */
  terminate(): void {
    this.#stop.abort(new Error(`${this.#options.name} was asked to stop`));
  }

  /** The event loop stands still; what happens meanwhile is delivered after {@link resume}, in order. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  /** False when the process is dead, now or by this very point. */
  #pass(what: string): boolean {
    if (this.dead) return false;
    this.#point++;
    this.#options.onPoint?.(this.#point, what);
    if (this.#point === this.#killAt) this.kill();
    return !this.dead;
  }

  /** Lets something reach the process from outside: at once, after a pause, or never when it is dead. Counts as a point. */
  deliver(what: string, act: () => void): void {
    const now = (): void => {
      if (this.#pass(what)) act();
    };
    if (this.#paused) this.#held.push(now);
    else now();
  }

  #gate<T>(what: string, start: () => Promise<T>): Promise<T> {
    if (!this.#pass(`call ${what}`)) return never();
    return this.#settle(what, start());
  }

  #settle<T>(what: string, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(
        (value) => this.deliver(`settle ${what}`, () => resolve(value)),
        (error: unknown) => this.deliver(`reject ${what}`, () => reject(error)),
      );
    });
  }

  /** A connection's life within the process's. */
  #linked(signal: AbortSignal): AbortSignal {
    const linked = linkAbort(signal, this.#life.signal);
    linked.signal.addEventListener('abort', () => linked[Symbol.dispose](), { once: true });
    return linked.signal;
  }

  #clock(): Clock {
    const { clock } = this.#options;
    const timer = (ms: DurationMs, fire: () => void): Disposable => {
      if (this.dead) return { [Symbol.dispose]: () => undefined };
      let live = true;
      const inner = clock.timer(ms, () => {
        this.#timers.delete(timer);
        this.deliver('timer', () => {
          if (live) fire();
        });
      });
      const timer = {
        [Symbol.dispose]: () => {
          live = false;
          inner[Symbol.dispose]();
          this.#timers.delete(timer);
        },
      };
      this.#timers.add(timer);
      return timer;
    };
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      timer,
      sleep: (ms, signal) => sleepWith({ timer }, ms, signal),
    };
  }

  #transport(inner: Transport): Transport {
    return async (request, options) => {
      const what = `${request.method} ${request.url}`;
      const response = await this.#gate(what, () => inner(request, options));
      return { ...response, body: this.#body(what, response) };
    };
  }

  #body(what: string, response: TransportResponse): AsyncIterable<Uint8Array> {
    return {
      [Symbol.asyncIterator]: () => {
        const iterator = response.body[Symbol.asyncIterator]();
        return {
          next: () => (this.dead ? never() : this.#settle(`body ${what}`, iterator.next())),
          return: async () => {
            await iterator.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
