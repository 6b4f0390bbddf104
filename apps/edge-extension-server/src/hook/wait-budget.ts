/** How long calls may wait for the cache, all of them together. */
import { type DurationMs, hookDefaults, type MonotonicMs, monotonicMs } from '@lifeline/core';

interface Wait {
  readonly from: MonotonicMs;
  /** What was granted, until the wait is over; then what was used. */
  to: MonotonicMs;
}

/** A wait that may last so long. */
export interface Grant {
  readonly ms: DurationMs;
  /** Gives back what was not used. */
  over(now: MonotonicMs): void;
}

/**
 * Guarantees: no single wait is longer than {@link hookDefaults.behindWaitMs}, and over any ten seconds the waits come to a fifth of that
 * at most, however many wait at once. Time goes on between calls, never back.
 */
export class WaitBudget {
  /** By start. */
  readonly #waits: Wait[] = [];

  /** Undefined: there is no time left to wait. */
  grant(now: MonotonicMs): Grant | undefined {
    const { behindWaitMs, behindShare, behindWindowMs } = hookDefaults;
    const since = monotonicMs(now - behindWindowMs);
    while (this.#waits[0] && this.#waits[0].to <= since) this.#waits.shift();
    // Every ten seconds in which the new wait falls begin after `since`, so they hold no more of the earlier ones than this.
    const used = this.#waits.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0);
    const ms = Math.min(behindWaitMs, behindShare * behindWindowMs - used);
    if (ms <= 0) return undefined;
    const wait: Wait = { from: now, to: monotonicMs(now + ms) };
    this.#waits.push(wait);
    return {
      ms,
      over: (at) => {
        if (at < wait.to) wait.to = at;
      },
    };
  }
}
