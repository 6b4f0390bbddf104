/** How old the truth is at this edge: what the watermark says, judged by when we saw its beats change. */
import { type Clock, type DurationMs, type MonotonicMs, parseWatermark } from '@lifeline/core';

interface Seen {
  readonly beat: number;
  /** Undefined: seen once, and nobody knows how old it was. */
  readonly changedAt: MonotonicMs | undefined;
}

/** Assumption: told of every state of the watermark in order. A watermark that goes leaves the ages growing. */
export class TruthAge {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #shards: ReadonlyMap<number, Seen> = new Map();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes over the watermark's `data`. */
  read(data: Readonly<Record<string, string>> | null | undefined): void {
    const now = this.#clock.monotonic();
    this.#shards = new Map(
      Array.from(parseWatermark(data), ([shard, { beat }]) => {
        const known = this.#shards.get(shard);
        const isSame = known === undefined || known.beat === beat;
        return [shard, { beat, changedAt: isSame ? known?.changedAt : now }];
      }),
    );
  }

  /** By shard. A shard whose age is unknown is absent: no change of its beat was seen yet, or it is not in the watermark. */
  ages(): ReadonlyMap<number, DurationMs> {
    const now = this.#clock.monotonic();
    return new Map(
      [...this.#shards].flatMap(([shard, { changedAt }]) =>
        changedAt === undefined ? [] : [[shard, now - changedAt]],
      ),
    );
  }
}
