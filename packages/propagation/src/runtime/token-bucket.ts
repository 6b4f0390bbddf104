import type { Clock, DurationMs, MonotonicMs, TransportInterceptor } from '@lifeline/core';
import type { Rate } from '../settings.ts';

/** Tokens that come at a steady rate and are saved up to a limit. Who takes one that is not there yet waits for it; first come, first served. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #at: MonotonicMs;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = clock.monotonic();
  }

  /** Takes a token, and says how long until it is there. */
  take(): DurationMs {
    const { qps, burst } = this.#rate;
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) * qps) / 1000) - 1;
    this.#at = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / qps;
  }
}

/** A transport whose requests each take a token first. */
export const rateLimited =
  (bucket: TokenBucket, clock: Clock): TransportInterceptor =>
  (next) =>
  async (request, options) => {
    const waitMs = bucket.take();
    if (waitMs > 0) await clock.sleep(waitMs, options.signal);
    return next(request, options);
  };
