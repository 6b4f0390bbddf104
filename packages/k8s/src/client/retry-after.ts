/** What servers say about when to come back. */
import type { DurationMs, EpochMs } from '@lifeline/core';

/** Bounds of any pause that a server asks for: below, it would be no pause; above, it is taken for a mistake. */
export const shortestPauseMs: DurationMs = 1_000;
export const longestPauseMs: DurationMs = 60_000;

export const clampPause = (ms: DurationMs): DurationMs => Math.min(longestPauseMs, Math.max(shortestPauseMs, ms));

/** RFC 9110 section 5.6.7, the one form that senders may use. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * A `Retry-After` header as a pause between {@link shortestPauseMs} and {@link longestPauseMs}; undefined when there is none. What makes
 * no sense (−1, 1e9, words) counts as a wish for the nearest bound.
 * @param now wall time, which dates are compared with; the bounds keep a skewed clock from doing harm
 * @see RFC 9110 section 10.2.3
 */
export function retryAfter(header: string | undefined, now: EpochMs): DurationMs | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = Number(text === '' ? NaN : text);
  if (Number.isFinite(seconds)) return clampPause(seconds * 1000);
  return httpDate.test(text) ? clampPause(Date.parse(text) - now) : shortestPauseMs;
}
