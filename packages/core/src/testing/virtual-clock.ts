import {
  type Clock,
  type DurationMs,
  type EpochMs,
  epochMs,
  type MonotonicMs,
  monotonicMs,
  sleepWith,
} from '../time.ts';

interface Entry {
  readonly due: number;
  readonly order: number;
  fire: (() => void) | undefined;
}

/** How a virtual clock starts. */
export interface VirtualClockOptions {
  /** Wall time at monotonic 0. Default 2026-01-01T00:00:00Z. */
  readonly startsAt?: EpochMs;
}

/**
 * A clock that moves only when told to.
 *
 * Guarantees: timers fire in order of due time, equal ones in order of creation; after each timer every microtask it caused has run
 * before the next one fires or time moves, so a run is a function of its inputs.
 * Assumptions: the code under test waits on this clock and on promises only. Sockets, threads, `setImmediate` and thread-pool work
 * (async zlib, `crypto.subtle`, fs) are invisible to it.
 */
export class VirtualClock implements Clock {
  readonly #startsAt: number;
  readonly #heap: Entry[] = [];
  #elapsed = 0;
  #order = 0;
  #live = 0;
  #steps = 0;

  constructor({ startsAt = epochMs(Date.UTC(2026, 0, 1)) }: VirtualClockOptions = {}) {
    this.#startsAt = startsAt;
  }

  now(): EpochMs {
    return epochMs(this.#startsAt + this.#elapsed);
  }

  monotonic(): MonotonicMs {
    return monotonicMs(this.#elapsed);
  }

  timer(ms: DurationMs, fire: () => void): Disposable {
    const entry: Entry = { due: this.#elapsed + Math.max(0, ms), order: this.#order++, fire };
    this.#push(entry);
    this.#live++;
    return {
      [Symbol.dispose]: () => {
        if (!entry.fire) return;
        entry.fire = undefined;
        this.#live--;
      },
    };
  }

  sleep(ms: DurationMs, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, ms, signal);
  }

  /** Timers set and not yet fired or disposed. A leak check compares it before and after. */
  get pending(): number {
    return this.#live;
  }

  /** When the next timer is due; undefined when none is set. */
  get nextDue(): MonotonicMs | undefined {
    const head = this.#head();
    return head && monotonicMs(head.due);
  }

  /** Runs all microtasks that are queued, and those that they queue, without moving time. */
  async settle(): Promise<void> {
    await drainMicrotasks();
    // The test runner's own messages need a turn of the event loop now and then; nothing of ours waits there.
    if (++this.#steps % 4096 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Moves time by `ms`, firing what falls due on the way, and settles after each timer. */
  async advance(ms: DurationMs): Promise<void> {
    const end = this.#elapsed + ms;
    await this.settle();
    for (let head = this.#head(); head && head.due <= end; head = this.#head()) await this.#fire(head);
    this.#elapsed = end;
  }

  /** Fires the next timer, however far away it is. False when there is none. */
  async step(): Promise<boolean> {
    await this.settle();
    const head = this.#head();
    if (head) await this.#fire(head);
    return head !== undefined;
  }

  /**
   * Steps until `work` settles and returns its result.
   *
   * @throws Error when it has not settled within `limitMs` of virtual time, or when nothing is left that could settle it
   */
  async run<T>(work: Promise<T>, limitMs: DurationMs = 3_600_000): Promise<T> {
    let settled = false;
    work.then(
      () => (settled = true),
      () => (settled = true),
    );
    const end = this.#elapsed + limitMs;
    await this.settle();
    while (!settled) {
      const due = this.nextDue;
      if (due === undefined) throw new Error('virtual clock: the work waits, and no timer is set that could wake it');
      if (due > end) throw new Error(`virtual clock: the work was not done within ${limitMs} ms`);
      await this.step();
    }
    return work;
  }

  async #fire(head: Entry): Promise<void> {
    this.#pop();
    this.#elapsed = Math.max(this.#elapsed, head.due);
    const { fire } = head;
    head.fire = undefined;
    this.#live--;
    fire?.();
    await this.settle();
  }

  /** The next live entry; disposed ones are dropped on the way. */
  #head(): Entry | undefined {
    while (this.#heap[0] && !this.#heap[0].fire) this.#pop();
    return this.#heap[0];
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Entry, heap[child] as Entry)) child++;
      if (!before(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
  }
}

const before = (a: Entry, b: Entry): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

/** Node runs its tick queue only when the microtask queue is empty, so the callback comes after every microtask there was. */
const drainMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
