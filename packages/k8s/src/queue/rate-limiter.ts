/** How long an item that keeps failing waits. */
import type { DurationMs, Random } from '@lifeline/core';
import { ItemMap, type QueueItem } from './queue-item.ts';

export interface BackoffOptions {
  /** The longest delay after so many failures before this one. Default: 200 ms, doubled by each, up to 2 min. */
  readonly delayMs?: ((failures: number) => DurationMs) | undefined;
  /** The share of a delay that is left to chance, 0 to 1. Default 0.5: between half of it and all of it. */
  readonly jitter?: number | undefined;
}

/** `baseMs`, doubled by each failure, `capMs` at most. */
export const exponential =
  (baseMs: DurationMs, capMs: DurationMs): ((failures: number) => DurationMs) =>
  (failures) =>
    Math.min(capMs, baseMs * 2 ** failures);

export const firstFailureMs: DurationMs = 200;

const defaults = { delayMs: exponential(firstFailureMs, 120_000), jitter: 0.5 };

/**
 * Backoff per item, spread by jitter so that items which failed together do not come back together. Remembers an item until it is
 * forgotten.
 */
export class RateLimiter {
  readonly #random: Random;
  readonly #delayMs: (failures: number) => DurationMs;
  readonly #jitter: number;
  readonly #failures = new ItemMap<number>();

  constructor(random: Random, { delayMs, jitter }: BackoffOptions = {}) {
    this.#random = random;
    this.#delayMs = delayMs ?? defaults.delayMs;
    this.#jitter = jitter ?? defaults.jitter;
  }

  /** Items that are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /** Counts one more failure and returns how long to wait for the next try. */
  next(item: QueueItem): DurationMs {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    return this.#delayMs(failures) * (1 - this.#jitter * this.#random.next());
  }

  /** Failures in a row. */
  failures(item: QueueItem): number {
    return this.#failures.get(item) ?? 0;
  }

  /** It worked, or is not tried again: the next failure is the first. */
  forget(item: QueueItem): void {
    this.#failures.delete(item);
  }

  drop(cluster: string): void {
    this.#failures.deleteCluster(cluster);
  }
}
