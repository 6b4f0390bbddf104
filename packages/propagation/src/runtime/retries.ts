import type { Clock, DurationMs } from '@lifeline/core';
import type { Rate } from '../settings.ts';
import { TokenBucket } from './token-bucket.ts';

export interface RetryPace {
  readonly baseMs: DurationMs;
  readonly maxMs: DurationMs;
  /** All keys together. Undefined: no limit. */
  readonly rate?: Rate | undefined;
}

/** How long a key waits that has failed: twice as long after each failure. Nothing but a success takes that back. */
export class Retries {
  readonly #pace: RetryPace;
  readonly #bucket: TokenBucket | undefined;
  readonly #failures = new Map<string, number>();

  constructor(clock: Clock, pace: RetryPace) {
    this.#pace = pace;
    this.#bucket = pace.rate && new TokenBucket(clock, pace.rate);
  }

  /** Counts one more failure. */
  next(key: string): DurationMs {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const ownMs = Math.min(this.#pace.maxMs, this.#pace.baseMs * 2 ** failures);
    return Math.max(ownMs, this.#bucket?.take() ?? 0);
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }
}
