/** When the Gateways of one translation are stamped: together, for one call answers them all. */
import {
  type Clock,
  later,
  type MonotonicMs,
  monotonicMs,
  type ObjectKey,
  type StampCause,
  stampDefaults,
} from '@lifeline/core';

export interface GroupPaceOptions {
  readonly clock: Clock;
  /** A call runs that may be about them. */
  readonly isCalling: () => boolean;
  /** Writes their stamps, concurrently. */
  readonly stamp: (keys: readonly ObjectKey[]) => void;
  /** These are not stamped: the stamp of another one settles them, or they come again. */
  readonly settled: (keys: readonly ObjectKey[]) => void;
}

/** What another one's stamp does for a Gateway. */
export interface Share {
  readonly cause: StampCause;
  /** Nothing: its own stamp is what is missing, or must go. */
  readonly isOwn: boolean;
}

/**
 * The first change goes at once when no call runs; later ones are gathered, and there is a pause between two batches. Of very many, of
 * those that come first after a start, and of those that a lost call left behind, one is stamped for all: the one with the least key, so
 * that all retranslators choose the same. The others follow if they come again.
 */
export class GroupPace implements Disposable {
  readonly #options: GroupPaceOptions;
  readonly #pending = new Map<ObjectKey, Share>();
  /** One was stamped for them, and they have not converged since. */
  readonly #settled = new Set<ObjectKey>();
  #nextBatch: MonotonicMs = monotonicMs(-Infinity);
  #timer: Disposable | undefined;
  #isFirst: boolean;

  /** @param afterStart what comes first is what a predecessor may have left */
  constructor(options: GroupPaceOptions, afterStart: boolean) {
    this.#options = options;
    this.#isFirst = afterStart;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  add(key: ObjectKey, share: Share): void {
    this.#pending.set(key, share);
    if (this.#timer) return;
    const { clock, isCalling } = this.#options;
    const pauseMs = this.#nextBatch - clock.monotonic();
    const gatherMs = pauseMs > 0 || isCalling() || this.#isFirst ? stampDefaults.gatherMs : 0;
    this.#timer = clock.timer(Math.max(pauseMs, gatherMs), () => this.#batch());
  }

  drop(key: ObjectKey): void {
    this.#pending.delete(key);
    this.#settled.delete(key);
  }

  #batch(): void {
    this.#timer = undefined;
    const pending = [...this.#pending].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#pending.clear();
    if (pending.length === 0) return;
    const { clock, stamp, settled } = this.#options;
    this.#nextBatch = later(clock.monotonic(), stampDefaults.batchEveryMs);
    const keysOf = (shares: readonly (readonly [ObjectKey, Share])[]): ObjectKey[] => shares.map(([key]) => key);
    const own = pending.filter(([, { isOwn }]) => isOwn);
    const shared = pending.filter(([, { isOwn }]) => !isOwn);
    const leftBehind = shared.every(([key, { cause }]) => cause === 'not-converged' && !this.#settled.has(key));
    const oneForAll = shared.length > stampDefaults.settleAbove || this.#isFirst || leftBehind;
    this.#isFirst = false;
    const now = own.splice(0, stampDefaults.settleAbove);
    const some = oneForAll ? shared.splice(0, now.length > 0 ? 0 : 1) : shared.splice(0);
    for (const key of keysOf(some)) this.#settled.delete(key);
    for (const key of keysOf(shared)) this.#settled.add(key);
    for (const [key, share] of own) this.add(key, share);
    stamp(keysOf([...now, ...some]));
    if (shared.length > 0) settled(keysOf(shared));
  }
}
