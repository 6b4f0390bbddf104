/** One stretch of time in which this replica holds a shard. */
import { abortable, type Clock, deadlineAbort, type DurationMs } from '@lifeline/core';
import type { Fence } from '../controller/fence.ts';

/**
 * The fence of all work that began while a shard was held.
 *
 * Guarantee: once it is closed it is never certain again, though the shard may be held anew: who began before decides again from what is
 * there then.
 */
export class Tenure implements Fence {
  readonly #claim: Fence;
  readonly #idle = new Set<() => void>();
  #open = true;
  #working = 0;

  constructor(claim: Fence) {
    this.#claim = claim;
  }

  certainFor(): DurationMs {
    return this.#open ? this.#claim.certainFor() : 0;
  }

  enter(): Disposable {
    let inside = true;
    this.#working++;
    return {
      [Symbol.dispose]: () => {
        if (!inside) return;
        inside = false;
        this.#working--;
        if (this.#working === 0) for (const wake of this.#idle) wake();
      },
    };
  }

  /** No write may begin any more; those under way go on until their own deadline. */
  close(): void {
    this.#open = false;
  }

  /** Resolves when nothing that began in it runs any more. */
  async idle(): Promise<void> {
    if (this.#working === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.add(resolve);
    await promise.finally(() => this.#idle.delete(resolve));
  }

  /** False when something of it still runs after `ms`. */
  async idleWithin(clock: Clock, ms: DurationMs): Promise<boolean> {
    if (this.#working === 0) return true;
    using deadline = deadlineAbort(clock, ms);
    try {
      await abortable(this.idle(), deadline.signal);
      return true;
    } catch {
      return false;
    }
  }
}

/** Of work that begins where the shard is not held. */
export const notHeld: Fence = { certainFor: () => 0 };
