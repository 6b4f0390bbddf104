/** What waits for a time, soonest first. */
import type { MonotonicMs } from '@lifeline/core';

export interface HeapNode {
  due: MonotonicMs;
  /** Where the node stands in the heap; its owner does not touch it. */
  at: number;
  /** Breaks ties: first come, first out. Set by the heap. */
  order: number;
}

/** A binary heap whose members can leave and move: `peek` is O(1), everything else O(log n). */
export class DelayHeap<N extends HeapNode> {
  readonly #nodes: N[] = [];
  #order = 0;

  get size(): number {
    return this.#nodes.length;
  }

  peek(): N | undefined {
    return this.#nodes[0];
  }

  push(node: N): void {
    node.order = this.#order++;
    this.#up(node, this.#nodes.length);
  }

  remove(node: N): void {
    const last = this.#nodes.pop() as N;
    if (last !== node) this.#settle(last, node.at);
    node.at = -1;
  }

  /** Gives a member another time. */
  move(node: N, due: MonotonicMs): void {
    node.due = due;
    this.#settle(node, node.at);
  }

  clear(): void {
    this.#nodes.length = 0;
  }

  /** Puts `node` into the hole at `at`, or where it belongs above or below. */
  #settle(node: N, at: number): void {
    const parent = this.#nodes[(at - 1) >> 1];
    if (at > 0 && parent && before(node, parent)) this.#up(node, at);
    else this.#down(node, at);
  }

  #up(node: N, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = this.#nodes[(at - 1) >> 1] as N;
      if (!before(node, parent)) break;
      this.#place(parent, at);
      at = (at - 1) >> 1;
    }
    this.#place(node, at);
  }

  #down(node: N, from: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      const right = this.#nodes[child + 1];
      if (right && before(right, this.#nodes[child] as N)) child++;
      const soonest = this.#nodes[child];
      if (!soonest || !before(soonest, node)) break;
      this.#place(soonest, at);
      at = child;
    }
    this.#place(node, at);
  }

  #place(node: N, at: number): void {
    this.#nodes[at] = node;
    node.at = at;
  }
}

const before = (a: HeapNode, b: HeapNode): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);
