/** How long to wait between tries of one thing. */
import type { Clock, DurationMs, Random } from '@lifeline/core';

export interface BackoffSpec {
  /** The first wait is at most this long. */
  readonly baseMs: DurationMs;
  /** Each wait may be twice as long as the one before, up to this. */
  readonly capMs: DurationMs;
  /** Start over when nothing was asked for this long. Default: never, only by `reset`. */
  readonly resetMs?: DurationMs | undefined;
}

export interface Backoff {
  /** The next wait: a random span between half of its step and all of it. */
  next(): DurationMs;
  /** Nothing was asked for `resetMs`, or ever since the last `reset`. */
  readonly calm: boolean;
  reset(): void;
}

export function backoff({ baseMs, capMs, resetMs = Infinity }: BackoffSpec, clock: Clock, random: Random): Backoff {
  let step = 0;
  let asked = clock.monotonic();
  const calm = (): boolean => step === 0 || clock.monotonic() - asked >= resetMs;
  return {
    get calm() {
      return calm();
    },
    next() {
      if (calm()) step = 0;
      asked = clock.monotonic();
      const longest = Math.min(capMs, baseMs * 2 ** step++);
      return longest * (0.5 + random.next() / 2);
    },
    reset() {
      step = 0;
    },
  };
}
