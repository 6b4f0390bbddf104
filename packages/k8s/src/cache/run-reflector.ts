/** Takes a reflector's steps, each at its time. */
import type { Clock, DurationMs, KubeObject, Random } from '@lifeline/core';
import { isKubeError } from '../client/kube-error.ts';
import { backoff, type BackoffSpec } from './backoff.ts';
import { type Delta, type End, type ListerWatcher, type State, type Step, step } from './reflector.ts';

export interface Pace {
  /** Between tries after a failure, and between ends that come one after the other. Default 0.8 s → 30 s, over after 2 min of peace: client-go's. */
  readonly retry: BackoffSpec;
  /**
   * While the kind is missing or forbidden: only a change on the other side helps. What was there before, and what is forbidden, is first tried
   * at the pace of failures: an API server that has just started knows no roles yet, and refuses everybody for a moment. Default 30 s → 5 min.
   */
  readonly unavailable: BackoffSpec;
  /**
   * A watch that ends when the last list is this old is followed by a list, ±10 %: a floor under what no watch can tell (a server restored
   * and moved past our revision before we came back). Default 6 h.
   */
  readonly relistMs: DurationMs;
}

export const defaultPace: Pace = {
  retry: { baseMs: 800, capMs: 30_000, resetMs: 120_000 },
  unavailable: { baseMs: 30_000, capMs: 300_000 },
  relistMs: 6 * 3_600_000,
};

/** What is told of a reflector's life, synchronously and in order. */
export interface ReflectorObserver<T> {
  deliver(delta: Delta<T>): void;
  /** A list, an event or a bookmark came. The opening of a watch is none: a proxy may accept one for a server that is gone. */
  heard(): void;
  /** A watch was accepted that goes on from where the one before it, or the list, ended. */
  opened(): void;
  /** A list or a watch ended; the next step is taken after `waitMs`. */
  ended(end: End, waitMs: DurationMs): void;
}

export interface ReflectorRun<T> {
  readonly source: ListerWatcher<T>;
  readonly observer: ReflectorObserver<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly pace?: Partial<Pace> | undefined;
}

/** A server may ask for more patience than our own back-off has, within reason. */
const longestHintMs = 300_000;

/**
 * Runs until `signal` aborts, then resolves; nothing of it is left then: no stream, no timer, no listener. Whatever goes wrong with the
 * server is waited out and tried again.
 */
export async function runReflector<T extends KubeObject>(run: ReflectorRun<T>, signal: AbortSignal): Promise<void> {
  const { source, observer, clock, random } = run;
  const pace = { ...defaultPace, ...run.pace };
  const retry = backoff(pace.retry, clock, random);
  const unavailable = backoff(pace.unavailable, clock, random);
  const passing = backoff({ ...pace.unavailable, baseMs: pace.retry.baseMs }, clock, random);
  let wasThere = false;
  let relistAt = Infinity;

  function waitFor({ reason, error }: End, at: State<T>['at']): DurationMs {
    switch (reason) {
      case 'kind-missing':
      case 'forbidden':
        // It may be listed: that is done instead.
        if (at !== 'empty') return retry.next();
        return (wasThere || reason === 'forbidden' ? passing : unavailable).next();
      case 'failed': {
        const hint = isKubeError(error) ? (error.retryAfterMs ?? 0) : 0;
        return Math.max(retry.next(), Math.min(hint, longestHintMs));
      }
      case 'closed':
      case 'barren':
      case 'silent':
      case 'rewound':
      case 'expired': {
        // The usual end of a healthy watch: what changes meanwhile is late by the wait. Only ends in a row are spaced out.
        const calm = retry.calm;
        const waitMs = retry.next();
        return calm ? 0 : waitMs;
      }
    }
  }

  let state = { at: 'empty' } as State<T>;
  let openedAt = clock.monotonic();

  /** Returns why the list or watch does not go on. */
  function take({ next, deltas, end }: Step<T>): End | undefined {
    const { at } = state;
    state = next;
    if (at !== 'watching') openedAt = clock.monotonic();
    // A watch that lasted longer than any wait comes in no row, however it ended: some proxies cut each one after a minute.
    else if (end && clock.monotonic() - openedAt >= pace.retry.capMs) retry.reset();
    if (!end) observer[at === 'listed' ? 'opened' : 'heard']();
    for (const delta of deltas) observer.deliver(delta);
    if (at === 'empty' && !end) {
      unavailable.reset();
      passing.reset();
      wasThere = true;
      relistAt = clock.monotonic() + pace.relistMs * (0.9 + random.next() / 5);
    }
    return end;
  }

  try {
    while (!signal.aborted) {
      const { at } = state;
      // No step is held by this frame: while it waits for the next one, an engine that keeps dead variables would keep the whole list.
      const end = await step(state, source, signal).then(take);
      if (!end) continue;
      if (state.at === 'listed' && clock.monotonic() >= relistAt) state = { at: 'empty' };
      const waitMs = waitFor(end, at);
      observer.ended(end, waitMs);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (state.at === 'watching') await state.events.return?.();
  }
}
