/** Items in the order that they came, clusters in turn. */
import { Fifo, type FifoNode } from './fifo.ts';

export interface LaneItem<N> extends FifoNode<N> {
  readonly cluster: string;
}

/** The waiting items of one cluster. Exists only while there are some, and is then in the ring. */
interface Row<N extends LaneItem<N>> extends FifoNode<Row<N>> {
  readonly cluster: string;
  readonly items: Fifo<N>;
}

/**
 * Hands out items round-robin over the clusters that have any, first in, first out within a cluster: a cluster with 10,000 items makes
 * another one's single item wait for one turn, not for 10,000. Every operation is O(1).
 */
export class FairLane<N extends LaneItem<N>> {
  readonly #rows = new Map<string, Row<N>>();
  readonly #ring = new Fifo<Row<N>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: N): void {
    let row = this.#rows.get(item.cluster);
    if (!row) {
      row = { cluster: item.cluster, items: new Fifo(), previous: undefined, next: undefined };
      this.#rows.set(item.cluster, row);
      this.#ring.push(row);
    }
    row.items.push(item);
    this.#size++;
  }

  /** The next cluster's oldest item; that cluster then goes to the end of the ring. */
  shift(): N | undefined {
    const row = this.#ring.shift();
    const item = row?.items.shift();
    if (!row || !item) return undefined;
    if (row.items.size > 0) this.#ring.push(row);
    else this.#rows.delete(row.cluster);
    this.#size--;
    return item;
  }

  /** @throws Error when the item is not in this lane */
  remove(item: N): void {
    const row = this.#rows.get(item.cluster);
    if (!row) throw new Error(`no item of cluster ${item.cluster} is in this lane`);
    row.items.remove(item);
    this.#size--;
    if (row.items.size > 0) return;
    this.#rows.delete(row.cluster);
    this.#ring.remove(row);
  }
}
