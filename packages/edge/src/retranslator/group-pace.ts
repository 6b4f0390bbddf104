/** When the Gateways of one translation are stamped: together, for one call answers them all. */
import { type Clock, later, type MonotonicMs, monotonicMs, type ObjectKey, stampDefaults } from '@lifeline/core';

export interface GroupPaceOptions {
  readonly clock: Clock;
  /** A call runs that may be about them. */
  readonly isCalling: () => boolean;
  /** Writes their stamps, concurrently. */
  readonly stamp: (keys: readonly ObjectKey[]) => void;
  /** These are not stamped: the stamp of another one settles them, or they come again. */
  readonly settled: (keys: readonly ObjectKey[]) => void;
}

/**
 * The first change goes at once when no call runs; later ones are gathered, and there is a pause between two batches. Of very many, and of
 * those that come first after a start, one is stamped for all: the one with the least key, so that all retranslators choose the same.
 */
export class GroupPace implements Disposable {
  readonly #options: GroupPaceOptions;
  readonly #pending = new Set<ObjectKey>();
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

  add(key: ObjectKey): void {
    this.#pending.add(key);
    if (this.#timer) return;
    const { clock, isCalling } = this.#options;
    const pauseMs = this.#nextBatch - clock.monotonic();
    const gatherMs = pauseMs > 0 || isCalling() || this.#isFirst ? stampDefaults.gatherMs : 0;
    this.#timer = clock.timer(Math.max(pauseMs, gatherMs), () => this.#batch());
  }

  drop(key: ObjectKey): void {
    this.#pending.delete(key);
  }

  #batch(): void {
    this.#timer = undefined;
    const keys = [...this.#pending].sort();
    this.#pending.clear();
    if (keys.length === 0) return;
    const all = keys.length > stampDefaults.settleAbove || this.#isFirst;
    this.#isFirst = false;
    const { clock, stamp, settled } = this.#options;
    this.#nextBatch = later(clock.monotonic(), stampDefaults.batchEveryMs);
    stamp(all ? keys.slice(0, 1) : keys);
    if (all) settled(keys.slice(1));
  }
}
