/** Reading gives way: hundreds of servers that send all they have at once keep nothing else of the process waiting. */
import type { Clock, DurationMs, MonotonicMs } from '@lifeline/core';

/** For so long reading may go on before whatever else is due has its turn. */
const budgetMs: DurationMs = 20;
/** Who wait are let on so many at a time: each reads a piece of some 16 KiB, in a millisecond. */
const perTurn = 16;

/**
 * The turns of one event loop, for all who read a lot. The loop reads what has come from each connection, which is megabytes for each of them
 * when they all send lists; timers, and the answers of other servers, would wait for all of it, and Leases end meanwhile.
 */
export class Turns {
  static readonly #all = new WeakMap<Clock, Turns>();
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** When reading began in this turn of the loop; undefined when it has not. */
  #began: MonotonicMs | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Those of the process that the clock belongs to. */
  static of(clock: Clock): Turns {
    const found = this.#all.get(clock) ?? new Turns(clock);
    this.#all.set(clock, found);
    return found;
  }

  /** Undefined: read on. Else resolves when others had their turn; who wait are let on in order, some in each turn of the loop. */
  take(): Promise<void> | undefined {
    const { turn } = this.#clock;
    if (!turn) return undefined;
    const now = this.#clock.monotonic();
    if (this.#began === undefined) {
      this.#began = now;
      turn(() => this.#next());
    }
    if (this.#waiting.length === 0 && now - this.#began < budgetMs) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const next = this.#waiting.splice(0, perTurn);
    this.#began = next.length > 0 ? this.#clock.monotonic() : undefined;
    if (next.length > 0) this.#clock.turn?.(() => this.#next());
    for (const go of next) go();
  }
}
