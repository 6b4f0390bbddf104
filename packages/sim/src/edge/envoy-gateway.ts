/**
 * An Envoy Gateway that asks a hook before it publishes, as version 1.9.1 was seen to do it: what makes it ask, how calls are put
 * together, which are tried again, and what becomes of the others.
 */
import { abortable, type Clock, type DurationMs, linkAbort, type LinkedAbort, type Random } from '@lifeline/core';
import type { ApiServer } from '@lifeline/apiserver';
import { Envoy } from './envoy.ts';
import { type Hook, type HookCall, HookError, type HookInterceptor, type HookRequest, type Hooks } from './hook.ts';
import { fingerprint, translate } from './translate.ts';
import { virtualHostsOf, type XdsSnapshot } from './xds.ts';
import { answerOf, requestBytes } from './xds-wire.ts';

export interface EnvoyGatewayOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly api: ApiServer;
  readonly hooks: Hooks;
  readonly merged: boolean;
  readonly classes?: readonly string[] | undefined;
}

/** gRPC tries an UNAVAILABLE call again at these times, if it is small. */
const retryAtMs: readonly DurationMs[] = [111, 273, 726];
/** What gRPC keeps of a call to repeat it; larger ones are sent once. */
const retryBytes = 256 * 1024;
/** From a change in a store to the call that carries it. */
const translateMs: readonly [DurationMs, DurationMs] = [15, 60];
/** gRPC's pause between connection attempts. @see https://github.com/grpc/grpc/blob/master/doc/connection-backoff.md */
const reconnect = { firstMs: 1_000, factor: 1.6, longestMs: 120_000, jitter: 0.2 };

/**
 * Guarantees: calls are strictly one after the other, over all keys; a key that changed several times while it waited is asked for once, as it
 * is then. A call that failed for good is not repeated until its key changes again. While no hook listens everything waits, and goes on by
 * itself afterwards.
 */
export class EnvoyGateway implements Disposable {
  /** Told of each call as it ended. */
  readonly observers = new Set<(call: HookCall) => void>();
  readonly interceptors = new Set<HookInterceptor>();
  readonly #options: EnvoyGatewayOptions;
  readonly #envoys = new Map<string, Envoy>();
  /** What each key was when it was last put in the queue. */
  readonly #seen = new Map<string, string>();
  /** Keys that are to be asked for, in order. */
  readonly #queue = new Set<string>();
  readonly #life: LinkedAbort = linkAbort();
  readonly #tap: Disposable;
  #snapshots = new Map<string, XdsSnapshot>();
  #pass: Disposable | undefined;
  #working = false;
  /** Hook calls that were made, attempts included. */
  attempts = 0;
  /** Calls after which nothing was published. */
  skipped = 0;

  constructor(options: EnvoyGatewayOptions) {
    this.#options = options;
    this.#tap = options.api.tap(() => this.#changed());
    this.#changed();
  }

  /** The Envoys of a key: `namespace/name` of a Gateway, or the class of merged ones. */
  envoy(key: string): Envoy {
    const known = this.#envoys.get(key) ?? new Envoy();
    this.#envoys.set(key, known);
    return known;
  }

  get keys(): Iterable<string> {
    return this.#snapshots.keys();
  }

  /** Everything is translated anew. */
  restart(): void {
    this.#seen.clear();
    this.#changed();
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the world ends'));
    this.#tap[Symbol.dispose]();
    this.#pass?.[Symbol.dispose]();
  }

  #changed(): void {
    const { clock, random } = this.#options;
    const [least, most] = translateMs;
    this.#pass ??= clock.timer(least + random.next() * (most - least), () => {
      this.#pass = undefined;
      this.#translate();
    });
  }

  #translate(): void {
    this.#snapshots = translate(this.#options);
    for (const [key, snapshot] of this.#snapshots) {
      const now = fingerprint(snapshot);
      if (this.#seen.get(key) === now) continue;
      this.#seen.set(key, now);
      this.#queue.add(key);
    }
    for (const key of this.#seen.keys()) {
      if (this.#snapshots.has(key)) continue;
      this.#seen.delete(key);
      this.#envoys.delete(key);
    }
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      for (let key = first(this.#queue); key !== undefined; key = first(this.#queue)) {
        await this.#reachable();
        this.#queue.delete(key);
        const asked = this.#snapshots.get(key);
        if (asked) await this.#ask({ key, asked, request: { bytes: requestBytes(asked) } });
      }
    } catch (error) {
      if (!this.#life.signal.aborted) throw error;
    } finally {
      this.#working = false;
    }
  }

  /** Resolves when some hook listens: at the next attempt to connect, not before. */
  async #reachable(): Promise<void> {
    const { clock, random, hooks } = this.#options;
    const { firstMs, factor, longestMs, jitter } = reconnect;
    for (let pauseMs = firstMs; hooks().length === 0; pauseMs = Math.min(longestMs, pauseMs * factor))
      await clock.sleep(pauseMs * (1 + jitter * (2 * random.next() - 1)), this.#life.signal);
  }

  async #ask(question: Question): Promise<void> {
    const { clock } = this.#options;
    const { request } = question;
    const mayRepeat = request.bytes.length <= retryBytes;
    const began = clock.monotonic();
    for (let attempt = 0; ;) {
      const done = await this.#call(request);
      if (!(done instanceof HookError)) return this.#publish(question, done);
      // Lost with its server: said again to the next one, if it was kept.
      if (done.code === 'EOF' && mayRepeat) {
        await this.#reachable();
        continue;
      }
      const at = done.code === 'UNAVAILABLE' && mayRepeat ? retryAtMs[attempt++] : undefined;
      if (at === undefined) return this.#skip(question, done);
      await clock.sleep(Math.max(0, began + at - clock.monotonic()), this.#life.signal);
    }
  }

  async #call(request: HookRequest): Promise<Uint8Array | HookError> {
    const all = this.#options.hooks();
    const [nearest] = all;
    if (!nearest) return new HookError('EOF', 'nobody listens');
    const hook = [...this.interceptors].reduce<Hook>((next, interceptor) => interceptor(next, all), nearest);
    this.attempts++;
    try {
      return await abortable(hook(request, { signal: this.#life.signal }), this.#life.signal);
    } catch (error) {
      if (error instanceof HookError) return error;
      this.#life.signal.throwIfAborted();
      return new HookError('INTERNAL', 'the hook threw', { cause: error });
    }
  }

  #publish(question: Question, bytes: Uint8Array): void {
    let answer: XdsSnapshot;
    try {
      answer = answerOf(bytes);
    } catch (error) {
      if (error instanceof HookError) return this.#skip(question, error);
      throw error;
    }
    this.#tell({ ...question, outcome: { at: 'answered', answer, bytes } });
    if (isRefused(answer)) this.skipped++;
    else this.envoy(question.key).take(answer);
  }

  #skip(question: Question, error: HookError): void {
    this.skipped++;
    const injected = error instanceof InjectedHookError;
    this.#tell({ ...question, outcome: { at: 'failed', code: error.code, injected } });
  }

  #tell(call: HookCall): void {
    for (const observer of this.observers) observer(call);
  }
}

type Question = Omit<HookCall, 'outcome'>;

/** What Envoy Gateway itself refuses: the whole key stays as it was. */
const isRefused = (answer: XdsSnapshot): boolean =>
  answer.clusters.some(({ name }) => !name) ||
  virtualHostsOf(answer).some(({ name, domains = [] }) => !name || domains.length === 0);

const first = (queue: ReadonlySet<string>): string | undefined => queue.values().next().value;

/** A failure that the world made. */
export class InjectedHookError extends HookError {}
