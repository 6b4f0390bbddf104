/** How long an item that keeps failing waits. */
import type { DurationMs, Random } from '@lifeline/core';
import { ItemMap, type QueueItem } from './queue-item.ts';

export interface BackoffOptions {
  /** The longest first delay. Default 200 ms. */
  readonly baseMs?: DurationMs | undefined;
  /** No delay is longer. Default 2 min. */
  readonly capMs?: DurationMs | undefined;
  /** The share of a delay that is left to chance, 0 to 1. Default 0.5: between half of it and all of it. */
  readonly jitter?: number | undefined;
}

const defaults = { baseMs: 200, capMs: 120_000, jitter: 0.5 };

/**
 * Exponential backoff per item: each failure doubles the delay (200 ms, 400 ms, … up to the cap, reached at the eleventh), spread by
 * jitter so that items which failed together do not come back together. Remembers an item until it is forgotten.
 */
export class RateLimiter {
  readonly #random: Random;
  readonly #baseMs: DurationMs;
  readonly #capMs: DurationMs;
  readonly #jitter: number;
  readonly #failures = new ItemMap<number>();

  constructor(random: Random, { baseMs, capMs, jitter }: BackoffOptions = {}) {
    this.#random = random;
    this.#baseMs = baseMs ?? defaults.baseMs;
    this.#capMs = capMs ?? defaults.capMs;
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
    return Math.min(this.#capMs, this.#baseMs * 2 ** failures) * (1 - this.#jitter * this.#random.next());
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
