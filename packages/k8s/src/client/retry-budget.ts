/**
 * The patience that all requests of an app share: while a server has asked for a pause, or cannot be reached, nobody asks it.
 *
 * A pause belongs to a lane: to an API server's origin after a 503 with `Retry-After` or a failed connection, to one plane (origin and
 * base path) after a 429. When it is over, one request goes first; the others follow once that one was answered.
 */
import {
  abortable,
  type Clock,
  DeadlineError,
  deadlineAbort,
  type DurationMs,
  type MonotonicMs,
  monotonicMs,
  type Random,
} from '@lifeline/core';
import type { CallOptions } from './client.ts';
import { KubeError } from './kube-error.ts';
import { longestPauseMs } from './retry-after.ts';

/** How a request fared, as far as the budget cares. */
export type Fate =
  /** Any answer that asks for no pause, an error included. */
  | { readonly at: 'answered' }
  /** 429. */
  | { readonly at: 'throttled'; readonly pauseMs: DurationMs }
  /** 503 with `Retry-After`. */
  | { readonly at: 'unavailable'; readonly pauseMs: DurationMs }
  /** No connection, or it broke before an answer. */
  | { readonly at: 'unreachable' }
  /** Given up on our side: says nothing about the server. */
  | { readonly at: 'abandoned' };

/** Permission to send one request. */
export interface BudgetPass {
  /** To be called exactly once. */
  settle(fate: Fate): void;
}

export interface RetryBudget {
  /**
   * Waits for the end of a pause, at most {@link waitLimitMs}, and for the first request after it. What is urgent waits only for pauses that a
   * server asked for; an answer to it ends our own.
   * @param baseUrl of the plane
   * @throws KubeError `throttled`, `unavailable` at once when the pause is longer; `retryAfterMs` says how long it still is
   */
  enter(baseUrl: string, call: Pick<CallOptions, 'signal' | 'urgent'>): Promise<BudgetPass>;
  /** A stream that was open already was told to come back later (an `ERROR` event 429). */
  throttle(baseUrl: string, pauseMs: DurationMs): void;
}

/** A longer pause is not waited out: the caller holds a worker that other planes need. */
export const waitLimitMs: DurationMs = 10_000;

/** Own pauses are drawn between 0 and a bound that doubles from the first to the last: "full jitter". */
const firstBoundMs: DurationMs = 1_000;
/** A connection is not tried again sooner, however lucky the draw. */
const shortestOwnPauseMs: DurationMs = 100;
/** A lane that nobody asked for since is forgotten. */
const forgottenAfterMs: DurationMs = 600_000;

interface Lane {
  readonly code: 'throttled' | 'unavailable';
  until: MonotonicMs;
  /** The part of it that the server asked for. */
  askedUntil: MonotonicMs;
  /** In a row, each seen by a request that was sent after the pause before it. */
  failures: number;
  /** Settles when the first request after the pause has. */
  probe: PromiseWithResolvers<void> | undefined;
}

export function createRetryBudget({ clock, random }: { readonly clock: Clock; readonly random: Random }): RetryBudget {
  /** Only lanes that are paused, or tried again after a pause. */
  const lanes = new Map<string, Lane>();

  const ownPause = (failures: number): DurationMs =>
    Math.max(shortestOwnPauseMs, random.next() * Math.min(longestPauseMs, firstBoundMs * 2 ** (failures - 1)));

  const pause = (
    key: string,
    code: Lane['code'],
    { askedMs, claimed }: { askedMs: DurationMs; claimed: boolean },
  ): void => {
    const now = clock.monotonic();
    const known = lanes.get(key);
    const askedUntil = monotonicMs(Math.max(known?.askedUntil ?? 0, now + askedMs));
    if (known) known.askedUntil = askedUntil;
    if (known && !claimed) {
      // Sent before the pause began: one more witness of the same trouble.
      known.until = monotonicMs(Math.max(known.until, now + askedMs));
      return;
    }
    for (const [other, { until, probe }] of lanes) if (!probe && until + forgottenAfterMs < now) lanes.delete(other);
    const failures = (known?.failures ?? 0) + 1;
    // What a server asked for meanwhile, of a request that did not wait for us, is no shorter for our failure.
    const until = monotonicMs(Math.max(askedUntil, now + ownPause(failures)));
    lanes.set(key, Object.assign(known ?? { code, probe: undefined }, { until, askedUntil, failures }));
  };

  const settle = (key: string, failure: Failure, claim: Claim): void => {
    if (failure) pause(key, failure.code, { askedMs: failure.askedMs, claimed: claim.lane !== undefined });
    if (!claim.lane) return;
    if (!failure && claim.clears) {
      claim.lane.failures = 0;
      // Unless a late witness asked for a pause meanwhile.
      if (claim.lane.until <= clock.monotonic()) lanes.delete(key);
    }
    claim.lane.probe?.resolve();
    claim.lane.probe = undefined;
  };

  /** An urgent request was sent during a pause of ours. */
  const settleUrgent = (key: string, failure: Failure, clears: boolean): void => {
    if (failure) return pause(key, failure.code, { askedMs: failure.askedMs, claimed: false });
    const lane = lanes.get(key);
    const now = clock.monotonic();
    if (!clears || !lane || lane.askedUntil > now) return;
    Object.assign(lane, { until: now, failures: 0 });
    if (!lane.probe) lanes.delete(key);
  };

  return {
    async enter(baseUrl, { signal, urgent = false }) {
      const origin = new URL(baseUrl).origin;
      const keys = { origin, plane: `plane ${baseUrl}` };
      const giveUpAt = clock.monotonic() + waitLimitMs;
      for (;;) {
        signal.throwIfAborted();
        const here = [lanes.get(keys.origin), lanes.get(keys.plane)].filter((lane) => lane !== undefined);
        const now = clock.monotonic();
        const pauses = here.map(({ code, until, askedUntil }) => ({ code, until: urgent ? askedUntil : until }));
        const paused = pauses.toSorted((a, b) => b.until - a.until)[0];
        if (paused && paused.until > now) {
          if (paused.until > giveUpAt) throw notSent(baseUrl, paused.code, paused.until - now);
          await clock.sleep(paused.until - now, signal);
          continue;
        }
        if (urgent) {
          return {
            settle: (fate) => {
              settleUrgent(keys.origin, originFailure(fate), fate.at === 'answered' || fate.at === 'throttled');
              settleUrgent(keys.plane, planeFailure(fate), fate.at === 'answered');
            },
          };
        }
        const tried = here.find(({ probe }) => probe);
        if (tried?.probe) {
          if (now >= giveUpAt) throw notSent(baseUrl, tried.code, firstBoundMs);
          await settled(tried.probe.promise, giveUpAt - now, signal);
          continue;
        }
        for (const lane of here) lane.probe = Promise.withResolvers<void>();
        const [originLane, planeLane] = [lanes.get(keys.origin), lanes.get(keys.plane)];
        return {
          settle: (fate) => {
            // An answer of any kind shows that the server is there; only a calm one shows that the plane is.
            const calm = fate.at === 'answered';
            settle(keys.origin, originFailure(fate), { lane: originLane, clears: calm || fate.at === 'throttled' });
            settle(keys.plane, planeFailure(fate), { lane: planeLane, clears: calm });
          },
        };
      }
    },
    throttle: (baseUrl, pauseMs) => pause(`plane ${baseUrl}`, 'throttled', { askedMs: pauseMs, claimed: false }),
  };

  async function settled(probe: Promise<void>, ms: DurationMs, signal: AbortSignal): Promise<void> {
    using limit = deadlineAbort(clock, ms, signal);
    try {
      await abortable(probe, limit.signal);
    } catch (error) {
      if (!(error instanceof DeadlineError) || signal.aborted) throw error;
    }
  }
}

/** The lane that a request was the first to try again, if it was. */
interface Claim {
  readonly lane: Lane | undefined;
  /** What came back ends the lane's trouble. */
  readonly clears: boolean;
}

type Failure = { readonly code: Lane['code']; readonly askedMs: DurationMs } | undefined;

function originFailure(fate: Fate): Failure {
  if (fate.at === 'unavailable') return { code: 'unavailable', askedMs: fate.pauseMs };
  return fate.at === 'unreachable' ? { code: 'unavailable', askedMs: 0 } : undefined;
}

const planeFailure = (fate: Fate): Failure =>
  fate.at === 'throttled' ? { code: 'throttled', askedMs: fate.pauseMs } : undefined;

const notSent = (baseUrl: string, code: Lane['code'], retryAfterMs: DurationMs): KubeError =>
  new KubeError(code, `not sent: ${baseUrl} is to be left alone for ${Math.ceil(retryAfterMs)} ms more`, {
    retryAfterMs,
  });
