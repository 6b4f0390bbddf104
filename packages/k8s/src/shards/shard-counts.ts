/** Replicas that share out another number of shards. */
import { type Clock, type DurationMs, type Lease, type MonotonicMs, PlatformError } from '@lifeline/core';
import type { EventOrigin } from '../cache/informer.ts';
import type { ShardRecord } from './records.ts';

/** Replicas with different shard counts run at a time: with another count the same shard is another set of projects. */
export class ShardCountError extends PlatformError<'shard-count'> {
  constructor(message: string) {
    super('shard-count', message);
  }
}

interface Other {
  readonly lease: Lease;
  readonly record: ShardRecord;
  readonly at: MonotonicMs;
  /** Seen to come or to change. */
  readonly proven: boolean;
}

export interface ShardCountsOptions {
  readonly clock: Clock;
  readonly count: number;
  readonly durationMs: DurationMs;
}

/** Leases of our set that say another count. One is alive until it was seen to stand still for as long as it says. */
export class ShardCounts {
  readonly #options: ShardCountsOptions;
  readonly #others = new Map<string, Other>();

  constructor(options: ShardCountsOptions) {
    this.#options = options;
  }

  /** Whether a record says another count than ours. One that says none counts as ours. */
  isOther({ count }: ShardRecord): boolean {
    return count !== undefined && count !== this.#options.count;
  }

  saw(lease: Lease, record: ShardRecord, origin: EventOrigin): void {
    const { name, resourceVersion } = lease.metadata;
    if (!this.isOther(record)) return void this.#others.delete(name);
    const known = this.#others.get(name);
    if (known?.lease.metadata.resourceVersion === resourceVersion) return;
    const proven = known !== undefined || origin === 'watch';
    this.#others.set(name, { lease, record, at: this.#options.clock.monotonic(), proven });
  }

  gone(name: string): void {
    this.#others.delete(name);
  }

  /** Whether this is what was seen last of the record. */
  knows({ metadata }: Lease): boolean {
    return this.#others.get(metadata.name)?.lease.metadata.resourceVersion === metadata.resourceVersion;
  }

  /** Somebody may work with another count. */
  anyAlive(): boolean {
    return [...this.#others.values()].some((other) => this.#isAlive(other));
  }

  /** Records of another count that are long dead. */
  dead(): readonly Lease[] {
    const before = this.#options.clock.monotonic() - 3 * this.#options.durationMs;
    return [...this.#others.values()]
      .filter((other) => !this.#isAlive(other) && other.at < before)
      .map(({ lease }) => lease);
  }

  /**
   * Of two replicas with different counts the younger one gives way, by the times that the server gave their Leases.
   *
   * @throws ShardCountError when this replica is the one
   */
  ensureSole(own: Lease): void {
    for (const other of this.#others.values()) {
      const { lease, record, proven } = other;
      if (record.of !== 'member' || !proven || !this.#isAlive(other) || !isOlder(lease, own)) continue;
      throw new ShardCountError(
        `lease ${lease.metadata.namespace}/${lease.metadata.name}: a replica works with ${record.count} shards and this one is set to ${this.#options.count}: give all the same count, or stop all replicas before it changes`,
      );
    }
  }

  #isAlive({ lease, at }: Other): boolean {
    const { clock, durationMs } = this.#options;
    const saidMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    const holder = lease.spec?.holderIdentity ?? '';
    return holder !== '' && clock.monotonic() - at < Math.max(saidMs, durationMs);
  }
}

function isOlder({ metadata: a }: Lease, { metadata: b }: Lease): boolean {
  const [timeA, timeB] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  return timeA === timeB ? (a.uid ?? '') < (b.uid ?? '') : timeA < timeB;
}
