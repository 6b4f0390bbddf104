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

export interface GuardedStream<E> extends AsyncIterator<E, void, undefined> {
  /** Ends the stream with an error of the caller's. */
  abort(reason: Error): void;
  /** Ends the stream and gives its connection back. */
  return(): Promise<IteratorResult<E, void>>;
}

export interface Watchdog {
  readonly clock: Clock;
  readonly silenceMs: DurationMs;
}

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
  readonly #clock: Clock;
  readonly #silenceMs: DurationMs;
  readonly #life: LinkedAbort;
  #inner: AsyncIterator<E, void, undefined> | undefined;
  #heardAt: MonotonicMs;
  #timer: Disposable;

  constructor({ clock, silenceMs }: Watchdog, signal: AbortSignal) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#life = linkAbort(signal);
    this.#heardAt = clock.monotonic();
    this.#timer = this.#wakeAfter(silenceMs);
  }

  async open(open: (signal: AbortSignal) => Promise<AsyncIterator<E, void, undefined>>): Promise<void> {
    this.#inner = await this.#reading(() => open(this.#life.signal));
  }

  async next(): Promise<IteratorResult<E, void>> {
    const result = await this.#reading(() => this.#inner?.next() ?? ended);
    this.#heardAt = this.#clock.monotonic();
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

  #wakeAfter(ms: DurationMs): Disposable {
    return this.#clock.timer(ms, () => {
      const left = this.#heardAt + this.#silenceMs - this.#clock.monotonic();
      if (left > 0) this.#timer = this.#wakeAfter(left);
      else this.#life.abort(new SilentStreamError(this.#silenceMs));
    });
  }

  #close(): void {
    this.#timer[Symbol.dispose]();
    this.#life[Symbol.dispose]();
  }
}
