/** A work queue whose items can also come later, and be kept off for a while. */
import { type Clock, type DurationMs, later, type MonotonicMs } from '@lifeline/core';
import type { HeapNode } from './delay-heap.ts';
import { asEarly, earlierLane, ItemMap, type Lane, type QueueItem } from './queue-item.ts';
import { TimedHeap } from './timed-heap.ts';
import { type WorkItem, WorkQueue, type WorkQueueOptions } from './work-queue.ts';

export interface RetryOptions {
  /** Look again after this long, at the latest. */
  readonly afterMs: DurationMs;
  /** Not before this long, whatever is added meanwhile. */
  readonly holdMs: DurationMs;
  readonly lane: Lane;
}

/** An item that waits for its time. At most one per item. */
interface Delayed extends HeapNode {
  readonly item: QueueItem;
  lane: Lane;
  /** Invariant: not after `due`. */
  notBefore: MonotonicMs;
  /** Until `notBefore` it only rests: what is urgent is not kept waiting. */
  rests: boolean;
  /** False while it only rests: nobody has asked for it. */
  wanted: boolean;
}

/**
 * The plain queue with a heap in front of it and one timer, for the heap's head.
 *
 * Guarantees: one delayed entry per item, and the earliest time asked for wins: a later add never postpones. An item that is added
 * while it is delayed waits no longer (its delayed entry is dropped: the hand-out to come serves both), unless a failed try holds it off,
 * or it rests and the add is not urgent.
 * After `shutdown` no timer is set.
 */
export class DelayingQueue {
  readonly #clock: Clock;
  readonly #options: WorkQueueOptions;
  readonly #queue: WorkQueue;
  readonly #heap: TimedHeap<Delayed>;
  readonly #delayed = new ItemMap<Delayed>();
  #open = true;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#options = options;
    this.#queue = new WorkQueue(options);
    this.#heap = new TimedHeap({ clock: options.clock, due: (delayed) => this.#release(delayed) });
  }

  /** Items that wait for a worker. */
  get depth(): number {
    return this.#queue.depth;
  }

  /** Items that wait for their time. */
  get delayed(): number {
    return this.#heap.size;
  }

  /** @see WorkQueue.workingFor */
  workingFor(): Generator<number, void> {
    return this.#queue.workingFor();
  }

  add(item: QueueItem, lane: Lane = 'fresh'): void {
    const delayed = this.#delayed.get(item);
    const isKeptOff = delayed && delayed.notBefore > this.#clock.monotonic() && !(delayed.rests && lane === 'urgent');
    if (isKeptOff) return this.#ask(delayed, delayed.notBefore, lane);
    if (delayed && asEarly(lane, delayed.lane)) this.#remove(delayed);
    this.#queue.add(item, lane);
  }

  /** Adds the item after `ms`; at once when it already waits in as early a lane, since a look to come is a look. */
  addAfter(item: QueueItem, ms: DurationMs, lane: Lane = 'fresh'): void {
    const waitsIn = this.#queue.laneOf(item);
    if (!this.#open || (waitsIn && asEarly(waitsIn, lane))) return;
    this.#delay(item, {
      due: later(this.#clock.monotonic(), Math.max(0, ms)),
      notBefore: this.#clock.monotonic(),
      rests: false,
      lane,
    });
  }

  /** After a try that failed: what was added meanwhile is held off too. */
  retry(item: QueueItem, { afterMs, holdMs, lane }: RetryOptions): void {
    if (!this.#open) return;
    this.#options.observer?.retried();
    const now = this.#clock.monotonic();
    const notBefore = later(now, holdMs);
    const added = this.#queue.withdraw(item);
    const due = added ? notBefore : later(now, Math.max(holdMs, afterMs));
    this.#delay(item, { due, notBefore, rests: false, lane: added ? earlierLane(added, lane) : lane });
  }

  /** Keeps the item off for a while: what is added meanwhile waits, unless it is urgent. By itself it does not come again. */
  rest(item: QueueItem, ms: DurationMs): void {
    if (!this.#open || this.#queue.laneOf(item) === 'urgent') return;
    const notBefore = later(this.#clock.monotonic(), ms);
    const added = this.#queue.withdraw(item);
    this.#delay(item, { due: notBefore, notBefore, rests: true, lane: added ?? 'resync' }, added !== undefined);
  }

  /** @see WorkQueue.get */
  get(signal?: AbortSignal): Promise<WorkItem | undefined> {
    return this.#queue.get(signal);
  }

  /** @see WorkQueue.done */
  done(item: QueueItem): void {
    this.#queue.done(item);
  }

  /** Forgets what waits of one cluster, for a worker or for its time. */
  drop(cluster: string): void {
    this.#heap.remove(...this.#delayed.of(cluster));
    this.#delayed.deleteCluster(cluster);
    this.#queue.drop(cluster);
  }

  /** Drops what waits for its time. @see WorkQueue.shutdown */
  shutdown(mode: 'drain' | 'drop' = 'drop'): void {
    this.#open = false;
    this.#heap.clear();
    this.#delayed.clear();
    this.#queue.shutdown(mode);
  }

  #delay(item: QueueItem, asked: Pick<Delayed, 'due' | 'notBefore' | 'rests' | 'lane'>, wanted = true): void {
    const delayed = this.#delayed.get(item);
    if (delayed) {
      if (asked.notBefore > delayed.notBefore) delayed.rests = asked.rests;
      delayed.notBefore = latest(delayed.notBefore, asked.notBefore);
      if (wanted) return this.#ask(delayed, asked.due, asked.lane);
      return this.#heap.set(delayed, latest(delayed.due, delayed.notBefore));
    }
    const { cluster, key } = item;
    const added: Delayed = { item: { cluster, key }, ...asked, wanted, at: -1, order: 0 };
    this.#delayed.set(item, added);
    this.#heap.set(added, asked.due);
  }

  /** Somebody wants it at `due`: the earliest such time counts, but never one before it may be handed out. */
  #ask(delayed: Delayed, due: MonotonicMs, lane: Lane): void {
    const sooner = delayed.wanted ? earliest(delayed.due, due) : due;
    delayed.lane = delayed.wanted ? earlierLane(delayed.lane, lane) : lane;
    delayed.wanted = true;
    this.#heap.set(delayed, latest(delayed.notBefore, sooner));
  }

  #remove(delayed: Delayed): void {
    this.#heap.remove(delayed);
    this.#delayed.delete(delayed.item);
  }

  /** Its time has come. */
  #release({ item, lane, wanted }: Delayed): void {
    this.#delayed.delete(item);
    if (wanted) this.#queue.add(item, lane);
  }
}

const earliest = (a: MonotonicMs, b: MonotonicMs): MonotonicMs => (b < a ? b : a);
const latest = (a: MonotonicMs, b: MonotonicMs): MonotonicMs => (b > a ? b : a);
