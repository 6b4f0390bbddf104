/** A machine's own idea of the time: its wall clock may be wrong, its monotonic clock is not. */
import { type Clock, type DurationMs, type EpochMs, epochMs, type MonotonicMs } from '@lifeline/core';

export interface Skew {
  /** Ahead by so much; negative: behind. */
  readonly offsetMs: DurationMs;
  /** Gains so many milliseconds an hour. */
  readonly driftMsPerHour: number;
}

const noSkew: Skew = { offsetMs: 0, driftMsPerHour: 0 };

/** Guarantee: only `now()` differs from the clock underneath. A change of skew is a step, backwards too. */
export class SkewedClock implements Clock {
  readonly #clock: Clock;
  #skew: Skew = noSkew;
  #since: MonotonicMs;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** From now on. Default: what the time is. */
  skew(skew: Skew = noSkew): void {
    this.#skew = skew;
    this.#since = this.#clock.monotonic();
  }

  now(): EpochMs {
    const { offsetMs, driftMsPerHour } = this.#skew;
    if (offsetMs === 0 && driftMsPerHour === 0) return this.#clock.now();
    const hours = (this.#clock.monotonic() - this.#since) / 3_600_000;
    return epochMs(Math.round(this.#clock.now() + offsetMs + driftMsPerHour * hours));
  }

  monotonic(): MonotonicMs {
    return this.#clock.monotonic();
  }

  timer(ms: DurationMs, fire: () => void): Disposable {
    return this.#clock.timer(ms, fire);
  }

  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }
}
