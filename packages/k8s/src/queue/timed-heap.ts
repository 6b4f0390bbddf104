/** What waits for its time, and one timer for the soonest of it. */
import type { Clock, MonotonicMs } from '@lifeline/core';
import { DelayHeap, type HeapNode } from './delay-heap.ts';

export interface TimedHeapOptions<N extends HeapNode> {
  readonly clock: Clock;
  /** The node's time has come: it waits no longer, and may be set again. */
  readonly due: (node: N) => void;
}

/** Guarantees: one timer, on the soonest; none while nothing waits, and none after `clear`. */
export class TimedHeap<N extends HeapNode> {
  readonly #clock: Clock;
  readonly #due: (node: N) => void;
  readonly #heap = new DelayHeap<N>();
  #timer: { readonly due: MonotonicMs; readonly handle: Disposable } | undefined;
  #releasing = false;

  constructor({ clock, due }: TimedHeapOptions<N>) {
    this.#clock = clock;
    this.#due = due;
  }

  get size(): number {
    return this.#heap.size;
  }

  /** Waits until `due`, and no longer for another time. */
  set(node: N, due: MonotonicMs): void {
    if (node.at >= 0) this.#heap.move(node, due);
    else {
      node.due = due;
      this.#heap.push(node);
    }
    this.#arm();
  }

  /** Those of them that wait do so no more. */
  remove(...nodes: readonly N[]): void {
    for (const node of nodes) if (node.at >= 0) this.#heap.remove(node);
    this.#arm();
  }

  clear(): void {
    this.#heap.clear();
    this.#arm();
  }

  #arm(): void {
    const due = this.#heap.peek()?.due;
    if (this.#releasing || due === this.#timer?.due) return;
    this.#timer?.handle[Symbol.dispose]();
    this.#timer =
      due === undefined
        ? undefined
        : { due, handle: this.#clock.timer(due - this.#clock.monotonic(), () => this.#release()) };
  }

  #release(): void {
    this.#timer = undefined;
    this.#releasing = true;
    try {
      const now = this.#clock.monotonic();
      for (let head = this.#heap.peek(); head && head.due <= now; head = this.#heap.peek()) {
        this.#heap.remove(head);
        this.#due(head);
      }
    } finally {
      this.#releasing = false;
      this.#arm();
    }
  }
}
