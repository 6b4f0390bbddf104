/** A limit on how long a stream may say nothing. */
import {
  type Clock,
  type DurationMs,
  linkAbort,
  type LinkedAbort,
  type MonotonicMs,
  PlatformError,
} from '@lifeline/core';

/** Nothing came over a stream for longer than its limit: it may be half open, or follow a history that is not the server's any more. */
export class SilentStreamError extends PlatformError<'silent'> {
  constructor(silenceMs: DurationMs) {
    super('silent', `nothing was heard for ${silenceMs} ms`);
  }
}

export interface SilenceLimit {
  readonly clock: Clock;
  readonly silenceMs: DurationMs;
  /** However much is heard. Default: for ever. */
  readonly longestMs?: DurationMs | undefined;
}

/** Calls `tell` once nothing was heard for `silenceMs`, or once `longestMs` are over. One timer, however much is heard. */
export class Silence implements Disposable {
  readonly #limit: SilenceLimit;
  readonly #tell: () => void;
  readonly #ends: number;
  #heardAt: MonotonicMs;
  #timer: Disposable;

  constructor(limit: SilenceLimit, tell: () => void) {
    this.#limit = limit;
    this.#tell = tell;
    this.#heardAt = limit.clock.monotonic();
    this.#ends = this.#heardAt + (limit.longestMs ?? Infinity);
    this.#timer = this.#wakeAfter(limit.silenceMs);
  }

  heard(): void {
    this.#heardAt = this.#limit.clock.monotonic();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #wakeAfter(ms: DurationMs): Disposable {
    const { clock, silenceMs } = this.#limit;
    return clock.timer(ms, () => {
      const left = Math.min(this.#heardAt + silenceMs, this.#ends) - clock.monotonic();
      if (left > 0) this.#timer = this.#wakeAfter(left);
      else this.#tell();
    });
  }
}

export interface GuardedStream<E> extends AsyncIterator<E, void, undefined> {
  /** Ends the stream with an error of the caller's. */
  abort(reason: Error): void;
  /** Ends the stream and gives its connection back. */
  return(): Promise<IteratorResult<E, void>>;
}

export type Watchdog = Pick<SilenceLimit, 'clock' | 'silenceMs'>;

/**
 * Opens a stream and ends it with a {@link SilentStreamError} once nothing comes for `silenceMs`; waiting for the stream to open counts.
 * Costs one timer a stream, however many events come. Nothing is left behind when it ends, is returned, or `signal` aborts.
 */
export async function guarded<E>(
  open: (signal: AbortSignal) => Promise<AsyncIterator<E, void, undefined>>,
  watchdog: Watchdog,
  signal: AbortSignal,
): Promise<GuardedStream<E>> {
  const stream = new Guarded<E>(watchdog, signal);
  await stream.open(open);
  return stream;
}

const ended = { done: true, value: undefined } as const;

class Guarded<E> implements GuardedStream<E> {
  readonly #life: LinkedAbort;
  readonly #silence: Silence;
  #inner: AsyncIterator<E, void, undefined> | undefined;

  constructor(watchdog: Watchdog, signal: AbortSignal) {
    this.#life = linkAbort(signal);
    this.#silence = new Silence(watchdog, () => this.#life.abort(new SilentStreamError(watchdog.silenceMs)));
  }

  async open(open: (signal: AbortSignal) => Promise<AsyncIterator<E, void, undefined>>): Promise<void> {
    this.#inner = await this.#reading(() => open(this.#life.signal));
  }

  async next(): Promise<IteratorResult<E, void>> {
    const result = await this.#reading(() => this.#inner?.next() ?? ended);
    this.#silence.heard();
    if (result.done) this.#close();
    return result;
  }

  async return(): Promise<IteratorResult<E, void>> {
    this.#close();
    try {
      await this.#inner?.return?.();
    } catch {
      // It has ended, which is all that was asked.
    }
    return ended;
  }

  abort(reason: Error): void {
    this.#life.abort(reason);
  }

  async #reading<R>(read: () => Promise<R> | R): Promise<R> {
    try {
      return await read();
    } catch (error) {
      this.#close();
      // Whatever the transport made of our abort, the reason is what counts.
      throw this.#life.signal.aborted ? this.#life.signal.reason : error;
    }
  }

  #close(): void {
    this.#silence[Symbol.dispose]();
    this.#life[Symbol.dispose]();
  }
}
