/** What a queue holds: keys, never objects or events. */

/** One object of one cluster. A reconcile request is one. */
export interface QueueItem {
  readonly cluster: string;
  readonly key: string;
}

/**
 * `urgent`: something changed that is waited for; goes before all others, and rests for nobody. `fresh`: something changed, or a time has
 * come. `resync`: a look at what probably has not changed; waits for the others.
 */
export type Lane = 'urgent' | 'fresh' | 'resync';

/** The first is served first. */
export const lanesInOrder: readonly Lane[] = ['urgent', 'fresh', 'resync'];

/** Whether an item in lane `a` is served no later than one in lane `b`. */
export const asEarly = (a: Lane, b: Lane): boolean => lanesInOrder.indexOf(a) <= lanesInOrder.indexOf(b);

export const earlierLane = (a: Lane, b: Lane): Lane => (asEarly(a, b) ? a : b);

/** A map by item, from which a whole cluster can be taken out. Two levels, so that no key is ever built from two names. */
export class ItemMap<V> {
  readonly #clusters = new Map<string, Map<string, V>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(item: QueueItem): V | undefined {
    return this.#clusters.get(item.cluster)?.get(item.key);
  }

  set(item: QueueItem, value: V): void {
    let keys = this.#clusters.get(item.cluster);
    if (!keys) this.#clusters.set(item.cluster, (keys = new Map<string, V>()));
    const before = keys.size;
    keys.set(item.key, value);
    this.#size += keys.size - before;
  }

  delete(item: QueueItem): boolean {
    const keys = this.#clusters.get(item.cluster);
    if (!keys?.delete(item.key)) return false;
    if (keys.size === 0) this.#clusters.delete(item.cluster);
    this.#size--;
    return true;
  }

  deleteCluster(cluster: string): void {
    this.#size -= this.#clusters.get(cluster)?.size ?? 0;
    this.#clusters.delete(cluster);
  }

  clear(): void {
    this.#clusters.clear();
    this.#size = 0;
  }

  /** The values of one cluster, as they are now. */
  of(cluster: string): readonly V[] {
    return [...(this.#clusters.get(cluster)?.values() ?? [])];
  }

  *values(): IterableIterator<V> {
    for (const keys of this.#clusters.values()) yield* keys.values();
  }
}
