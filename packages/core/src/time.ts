/**
 * The one home of wall time, monotonic time and timers. Everything else takes a {@link Clock}.
 */

declare const wall: unique symbol;
declare const monotonic: unique symbol;

/** Milliseconds since the Unix epoch, as some machine's wall clock showed them. May jump. Never subtract it from a {@link MonotonicMs}. */
export type EpochMs = number & { readonly [wall]: true };

/** Milliseconds since an arbitrary origin of this process. Never goes back; the only time that durations are judged by. */
export type MonotonicMs = number & { readonly [monotonic]: true };

/** A length of time in milliseconds. */
export type DurationMs = number;

/** A number as wall time. */
export const epochMs = (value: number): EpochMs => value as EpochMs;
/** A number as monotonic time. */
export const monotonicMs = (value: number): MonotonicMs => value as MonotonicMs;

/** The end of a span: `origin` plus `span`, on the same clock. */
export const later = <T extends EpochMs | MonotonicMs>(origin: T, span: DurationMs): T => (origin + span) as T;

/** Wall time, monotonic time and waiting: all that code knows of time. Disposing a timer or aborting a sleep leaves nothing behind. */
export interface Clock {
  /** Wall time. For what people and other machines read, never for deciding how long something took. */
  now(): EpochMs;
  /** Monotonic time. For durations, deadlines and freshness. */
  monotonic(): MonotonicMs;
  /**
   * Calls `fire` once, `ms` from now (0 or less: as soon as the current code has run). Disposing it earlier cancels it; disposing
   * twice is harmless.
   */
  timer(ms: DurationMs, fire: () => void): Disposable;
  /**
   * Resolves after `ms`; rejects with `signal.reason` when the signal aborts first (at once if it already has). Leaves no listener
   * and no timer behind either way.
   */
  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void>;
  /** Calls `begin` in the next turn of the event loop, after what has come meanwhile. A clock on which computing takes no time has none. */
  readonly turn?: ((begin: () => void) => void) | undefined;
}

/** `sleep` in terms of a clock's `timer`, shared by every clock. */
export function sleepWith(clock: Pick<Clock, 'timer'>, ms: DurationMs, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      timer[Symbol.dispose]();
      reject(signal?.reason as Error);
    };
    const timer = clock.timer(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Node clamps longer timeouts to 1 ms. @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const maxTimeoutMs = 2 ** 31 - 1;

/** The real clock. Spans over 2^31−1 ms are split into several timeouts. */
export const systemClock: Clock = {
  now: () => epochMs(Date.now()),
  monotonic: () => monotonicMs(performance.now()),
  timer(ms, fire) {
    const due = performance.now() + ms;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = due - performance.now();
      handle = left > maxTimeoutMs ? setTimeout(arm, maxTimeoutMs) : setTimeout(fire, Math.max(0, left));
    };
    arm();
    return { [Symbol.dispose]: () => clearTimeout(handle) };
  },
  sleep: (ms, signal) => sleepWith(systemClock, ms, signal),
  turn: (begin) => void setImmediate(begin),
};
