/** What makes an object a member of at most one {@link Fifo} at a time. */
export interface FifoNode<N> {
  previous: N | undefined;
  next: N | undefined;
}

/**
 * First in, first out; a member may also leave from the middle. Every operation is O(1), which an array (`shift`) and a `Set` (whose
 * first live member is searched for behind all deleted ones) are not.
 *
 * Assumption: a node is pushed only while it is in no list, and removed only from the list that it is in.
 */
export class Fifo<N extends FifoNode<N>> {
  #head: N | undefined;
  #tail: N | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(node: N): void {
    node.previous = this.#tail;
    node.next = undefined;
    if (this.#tail) this.#tail.next = node;
    else this.#head = node;
    this.#tail = node;
    this.#size++;
  }

  shift(): N | undefined {
    const head = this.#head;
    if (head) this.remove(head);
    return head;
  }

  remove(node: N): void {
    if (node.previous) node.previous.next = node.next;
    else this.#head = node.next;
    if (node.next) node.next.previous = node.previous;
    else this.#tail = node.previous;
    node.previous = undefined;
    node.next = undefined;
    this.#size--;
  }
}
