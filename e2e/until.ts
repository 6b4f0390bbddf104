import { type DurationMs, systemClock } from '@lifeline/core';

const pollMs: DurationMs = 100;
const limitMs: DurationMs = 60_000;

/** Looks, on the real clock, until it is so. @throws Error with what it is instead, after a minute */
export async function until<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<void> {
  const from = systemClock.monotonic();
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return;
    if (systemClock.monotonic() - from > limitMs) throw new Error(`after a minute it is still ${JSON.stringify(seen)}`);
    await systemClock.sleep(pollMs);
  }
}
