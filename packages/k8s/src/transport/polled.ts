import { type Clock, describeError, type DurationMs, type MonotonicMs } from '@lifeline/core';
import type { Log } from '../app/env.ts';

export interface PolledOptions<T> {
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** What is read, for the log. */
  readonly what: string;
  /** Reads and checks it. */
  readonly load: () => Promise<T>;
  readonly same: (a: T, b: T) => boolean;
}

const pollEveryMs: DurationMs = 60_000;

/**
 * A value that changes outside, such as a file: read when it is used, at most once a minute, so never older than that when used.
 *
 * Guarantees: one reading at a time, shared by all who wait; a reading that fails (half-written, unreadable) keeps the last good value
 * and warns; only the first one ever throws. Values that are the same keep their identity.
 */
export class Polled<T> {
  readonly #options: PolledOptions<T>;
  #held: { readonly value: T; readonly readAt: MonotonicMs } | undefined;
  #reading: Promise<T> | undefined;

  constructor(options: PolledOptions<T>) {
    this.#options = options;
  }

  /** The value, at most a minute old. A promise only when it has to be read. */
  current(): T | Promise<T> {
    const held = this.#held;
    const due = held === undefined || this.#options.clock.monotonic() - held.readAt >= pollEveryMs;
    return due ? this.#read() : held.value;
  }

  /** Reads now: for when the value was just refused. */
  refresh(): Promise<T> {
    return this.#read();
  }

  #read(): Promise<T> {
    this.#reading ??= this.#load().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #load(): Promise<T> {
    const { clock, log, what, load, same } = this.#options;
    const readAt = clock.monotonic();
    let value: T;
    try {
      value = await load();
    } catch (error) {
      if (!this.#held) throw error;
      log?.warn({ reason: describeError(error) }, `cannot use the new ${what}; keeping the old one`);
      this.#held = { value: this.#held.value, readAt };
      return this.#held.value;
    }
    if (this.#held && same(this.#held.value, value)) value = this.#held.value;
    this.#held = { value, readAt };
    return value;
  }
}
