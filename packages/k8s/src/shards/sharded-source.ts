/** Engages of a plane's clusters only those whose shard this replica holds. */
import type { ClusterSource, ClusterTarget, FleetControl } from '../fleet/cluster.ts';
import type { Shards } from './shards.ts';

interface Known {
  readonly target: ClusterTarget;
  readonly suspended: boolean;
}

/**
 * A source that passes on what another one says about clusters of held shards, and keeps the rest in mind.
 *
 * Guarantees: a cluster is engaged only while its shard is held. When the shard is given back the cluster is suspended first, so that what
 * runs ends and nothing begins, and then disengaged: caches are freed, reconciles aborted. When a shard comes, its clusters are engaged as
 * the source last said.
 * Caveat: two clusters with one key are only refused where one replica holds both.
 */
export function shardedSource(source: ClusterSource, shards: Shards): ClusterSource {
  return async (fleet, signal) => {
    const control = new ShardedControl(fleet, shards);
    using _changes = shards.subscribe((shard, change) => {
      switch (change) {
        case 'held':
          return control.open(shard);
        case 'closing':
          return control.close(shard);
        case 'gone':
          return control.leave(shard);
      }
    });
    await source(control, signal);
  };
}

class ShardedControl implements FleetControl {
  readonly #fleet: FleetControl;
  readonly #shards: Pick<Shards, 'shardOf'>;
  /** By shard, then by name. */
  readonly #known = new Map<number, Map<string, Known>>();
  readonly #open = new Set<number>();

  constructor(fleet: FleetControl, shards: Pick<Shards, 'shardOf'>) {
    this.#fleet = fleet;
    this.#shards = shards;
  }

  engage(name: string, target: ClusterTarget): void {
    this.#note(name, { target, suspended: false });
    if (this.#isOpen(name)) this.#fleet.engage(name, target);
  }

  suspend(name: string): void {
    const known = this.#of(name).get(name);
    if (known) this.#note(name, { ...known, suspended: true });
    if (this.#isOpen(name)) this.#fleet.suspend(name);
  }

  disengage(name: string): void {
    this.#of(name).delete(name);
    // Also while its shard closes.
    this.#fleet.disengage(name);
  }

  /** @throws when clusters cannot be engaged, after all the others were */
  open(shard: number): void {
    this.#open.add(shard);
    const failures = new Map<string, unknown>();
    for (const [name, { target, suspended }] of this.#known.get(shard) ?? []) {
      try {
        this.#fleet.engage(name, target);
        if (suspended) this.#fleet.suspend(name);
      } catch (error) {
        failures.set(name, error);
      }
    }
    if (failures.size === 0) return;
    const [cause] = failures.values();
    throw new Error(`cannot be engaged: ${[...failures.keys()].join(', ')}`, { cause });
  }

  close(shard: number): void {
    this.#open.delete(shard);
    for (const name of this.#known.get(shard)?.keys() ?? []) this.#fleet.suspend(name);
  }

  leave(shard: number): void {
    this.#open.delete(shard);
    for (const name of this.#known.get(shard)?.keys() ?? []) this.#fleet.disengage(name);
  }

  #isOpen(name: string): boolean {
    return this.#open.has(this.#shards.shardOf(name));
  }

  #of(name: string): Map<string, Known> {
    const shard = this.#shards.shardOf(name);
    const known = this.#known.get(shard) ?? new Map<string, Known>();
    this.#known.set(shard, known);
    return known;
  }

  #note(name: string, known: Known): void {
    this.#of(name).set(name, known);
  }
}
