/** How long a Gateway that is not converged is left alone before it is stamped again. */
import {
  attemptBackoffMs,
  type DurationMs,
  type MonotonicMs,
  noIntent,
  parseStamp,
  stampDefaults,
} from '@lifeline/core';
import type { Caller } from './caller.ts';

export interface Look {
  /** As cached, whoever wrote it. */
  readonly stamp: string | undefined;
  readonly wanted: string;
  readonly now: MonotonicMs;
}

export type Patience =
  /** A stamp may be written now. */
  | { readonly at: 'over' }
  /** Look again after this, or when a call ends. */
  | { readonly at: 'waiting'; readonly ms: DurationMs }
  /** No more stamps until its inputs change or a report names it. */
  | { readonly at: 'unserved' };

/** Measures from the last change of the stamp, whoever made it, or of what is wanted. */
export class Waiting {
  readonly #since: MonotonicMs;
  /** How long each caller had been idle by then. A caller that we meet later has not been waited for. */
  readonly #idle = new Map<Caller, DurationMs>();

  constructor(now: MonotonicMs) {
    this.#since = now;
  }

  /**
   * For a Gateway whose callers run something else. Time in which a caller has a call running does not count, for that call may be the one:
   * up to a limit, for one that never ends.
   */
  behind(callers: readonly Caller[], { stamp, wanted, now }: Look): Patience {
    const left = Math.min(...callers.map((caller) => this.#graceLeft(caller, now)));
    const backoff = this.#backoff(attemptOf(stamp, wanted)) - (now - this.#since);
    return after(Math.max(left, backoff));
  }

  /** For a Gateway whose stamp is missing or malformed. */
  stampless(now: MonotonicMs): Patience {
    return after(stampDefaults.graceMs - (now - this.#since));
  }

  /**
   * For a stamp that only has to go. One that says `none` was written by somebody who waits for a call about it: taken off at once it would
   * never be asked for, and be written again.
   */
  needless({ stamp, now }: Look): Patience {
    const isNudge = parseStamp(stamp)?.intent === noIntent;
    return after(isNudge ? 2 * stampDefaults.graceMs - (now - this.#since) : 0);
  }

  /** For a Gateway that nobody was asked about: without routes its stamp never reaches the hook. */
  unnamed({ stamp, wanted, now }: Look): Patience {
    const attempt = attemptOf(stamp, wanted);
    if (attempt === undefined) return this.stampless(now);
    const waitMs = stampDefaults.unservedBackoffMs[attempt];
    return waitMs === undefined ? { at: 'unserved' } : after(waitMs - (now - this.#since));
  }

  #graceLeft(caller: Caller, now: MonotonicMs): DurationMs {
    const idleMs = caller.idleMs(now);
    const before = this.#idle.get(caller) ?? idleMs;
    this.#idle.set(caller, before);
    const limit = stampDefaults.maxGraceMs - (now - this.#since);
    const grace = stampDefaults.graceMs - (idleMs - before);
    // While it calls, time stands still for it: its end is heard of.
    return grace <= 0 ? 0 : Math.min(limit, caller.isCalling ? Infinity : grace);
  }

  /** The first attempt needs nothing but the grace. */
  #backoff(attempt: number | undefined): DurationMs {
    return attempt === undefined || attempt === 0 ? 0 : attemptBackoffMs(attempt);
  }
}

/** How often the wanted intent was stamped again; undefined when it was not stamped at all. */
function attemptOf(text: string | undefined, wanted: string): number | undefined {
  const stamp = parseStamp(text);
  return stamp?.intent === wanted ? stamp.attempt : undefined;
}

const after = (ms: DurationMs): Patience => (ms <= 0 ? { at: 'over' } : { at: 'waiting', ms });
