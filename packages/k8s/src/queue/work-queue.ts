/** Keys that wait for a worker: each at most once, never with two workers at a time. */
import type { Clock, MonotonicMs } from '@lifeline/core';
import { FairLane, type LaneItem } from './fair-lane.ts';
import { Fifo, type FifoNode } from './fifo.ts';
import { earlierLane, ItemMap, type Lane, lanesInOrder, type QueueItem } from './queue-item.ts';

/** An item in a worker's hands, until `done`. */
export interface WorkItem extends QueueItem {
  /** The lane that it waited in. */
  readonly lane: Lane;
}

/** Told what happens to a queue; metrics are made of it. */
export interface QueueObserver {
  /** An item began to wait (adds of waiting ones are not told). */
  added(): void;
  started(waitedMs: number): void;
  finished(workedMs: number): void;
  retried(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /**
   * While items wait in a lane that is not the first, one hand-out in this many is one of them (the one after it, where two such lanes have
   * their turn at once). Default 10.
   */
  readonly laterShare?: number | undefined;
  readonly observer?: QueueObserver | undefined;
}

/**
 * - `ready`: waits in `lane`.
 * - `working`: with a worker; nothing was added since it was handed out.
 * - `again`: with a worker, and added since: waits in `lane` once the worker is done.
 */
type EntryState = 'ready' | 'working' | 'again';

interface Entry extends LaneItem<Entry> {
  readonly key: string;
  state: EntryState;
  lane: Lane;
  /** When it began to wait; while with a worker: when it was handed out. */
  since: MonotonicMs;
}

interface Waiter extends FifoNode<Waiter> {
  readonly resolve: (work: WorkItem | undefined) => void;
}

/**
 * The plain queue.
 *
 * Guarantees: every add of an item is followed by a hand-out that begins after it (adds of a waiting item share one); an item is with
 * one worker at most; earlier lanes come before later ones, which still get their share; clusters take turns; first in, first out within
 * a cluster and lane. Every operation is O(1); dropping a cluster is O(its items).
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  readonly #laterShare: number;
  /** Every item that waits or is worked on. */
  readonly #entries = new ItemMap<Entry>();
  readonly #lanes: Readonly<Record<Lane, FairLane<Entry>>> = {
    urgent: new FairLane(),
    fresh: new FairLane(),
    resync: new FairLane(),
  };
  /** Exactly the entries that are not `ready`. */
  readonly #working = new Set<Entry>();
  /** Empty whenever a lane is not. */
  readonly #waiters = new Fifo<Waiter>();
  /** By lane: hand-outs since the last of it, counted while some of it wait. */
  readonly #passedOver: Record<Lane, number> = { urgent: 0, fresh: 0, resync: 0 };
  #open = true;

  constructor({ clock, laterShare = 10, observer }: WorkQueueOptions) {
    this.#clock = clock;
    this.#laterShare = laterShare;
    this.#observer = observer;
  }

  /** Items that wait. */
  get depth(): number {
    return this.#lanes.urgent.size + this.#lanes.fresh.size + this.#lanes.resync.size;
  }

  /** For how long each item in a worker's hands has been there. */
  *workingFor(): Generator<number, void> {
    const now = this.#clock.monotonic();
    for (const entry of this.#working) yield now - entry.since;
  }

  /** The lane in which an item waits, or will once its worker is done; undefined when nothing was added since its hand-out. */
  laneOf(item: QueueItem): Lane | undefined {
    const entry = this.#entries.get(item);
    return entry && entry.state !== 'working' ? entry.lane : undefined;
  }

  /** Ignored after `shutdown`. */
  add(item: QueueItem, lane: Lane = 'fresh'): void {
    if (!this.#open) return;
    const entry = this.#entries.get(item);
    switch (entry?.state) {
      case undefined:
        this.#admit(item, lane);
        break;
      case 'ready':
        if (earlierLane(lane, entry.lane) !== entry.lane) this.#move(entry, lane);
        break;
      case 'working':
        entry.state = 'again';
        entry.lane = lane;
        this.#observer?.added();
        break;
      case 'again':
        entry.lane = earlierLane(lane, entry.lane);
        break;
    }
  }

  /** Takes back the adds since the last hand-out. Returns the lane in which they waited, undefined when there were none. */
  withdraw(item: QueueItem): Lane | undefined {
    const entry = this.#entries.get(item);
    if (!entry || entry.state === 'working') return undefined;
    this.#withdraw(entry);
    return entry.lane;
  }

  /**
   * The next item; waits while there is none. Undefined once the queue is shut down and has nothing more to give.
   * Rejects with the signal's reason when it aborts first.
   */
  get(signal?: AbortSignal): Promise<WorkItem | undefined> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const work = this.#take();
    if (work || this.#isOver) return Promise.resolve(work);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.remove(waiter);
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        previous: undefined,
        next: undefined,
        resolve: (given) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(given);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  /** The worker has let go of the item. @throws Error when no worker has it: two would otherwise be let in */
  done(item: QueueItem): void {
    const entry = this.#entries.get(item);
    if (!entry || entry.state === 'ready') throw new Error(`done: ${item.cluster} ${item.key} is with no worker`);
    const now = this.#clock.monotonic();
    this.#working.delete(entry);
    this.#observer?.finished(now - entry.since);
    if (entry.state === 'again') {
      entry.state = 'ready';
      entry.since = now;
      this.#lanes[entry.lane].push(entry);
    } else {
      this.#entries.delete(entry);
    }
    this.#serve();
  }

  /** Forgets what waits of one cluster. Items in workers' hands stay there, and do not come again. */
  drop(cluster: string): void {
    for (const entry of this.#entries.of(cluster)) if (entry.state !== 'working') this.#withdraw(entry);
    this.#serve();
  }

  /**
   * Takes no more adds. `drain`: what waits is still handed out; `drop`: it is forgotten. Either way what workers hold is theirs to
   * finish.
   */
  shutdown(mode: 'drain' | 'drop' = 'drop'): void {
    this.#open = false;
    if (mode === 'drop')
      for (const entry of [...this.#entries.values()]) if (entry.state !== 'working') this.#withdraw(entry);
    this.#serve();
  }

  #admit(item: QueueItem, lane: Lane): void {
    const { cluster, key } = item;
    const since = this.#clock.monotonic();
    const entry: Entry = { cluster, key, state: 'ready', lane, since, previous: undefined, next: undefined };
    this.#entries.set(entry, entry);
    this.#lanes[lane].push(entry);
    this.#observer?.added();
    this.#serve();
  }

  #move(entry: Entry, lane: Lane): void {
    this.#lanes[entry.lane].remove(entry);
    entry.lane = lane;
    this.#lanes[lane].push(entry);
  }

  #withdraw(entry: Entry): void {
    if (entry.state === 'again') {
      entry.state = 'working';
    } else {
      this.#lanes[entry.lane].remove(entry);
      this.#entries.delete(entry);
    }
  }

  #take(): WorkItem | undefined {
    const entry = this.#nextLane().shift();
    if (!entry) return undefined;
    const now = this.#clock.monotonic();
    this.#observer?.started(now - entry.since);
    entry.state = 'working';
    entry.since = now;
    this.#working.add(entry);
    return { cluster: entry.cluster, key: entry.key, lane: entry.lane };
  }

  #nextLane(): FairLane<Entry> {
    let next: Lane | undefined;
    for (const lane of lanesInOrder) {
      const isDue = next === undefined || this.#passedOver[lane] >= this.#laterShare - 1;
      if (isDue && this.#lanes[lane].size > 0) next = lane;
    }
    for (const lane of lanesInOrder) {
      const isPassedOver = lane !== next && this.#lanes[lane].size > 0;
      this.#passedOver[lane] = isPassedOver ? this.#passedOver[lane] + 1 : 0;
    }
    return this.#lanes[next ?? 'urgent'];
  }

  /** Gives waiting workers what there is, or the end. */
  #serve(): void {
    while (this.#waiters.size > 0) {
      const work = this.#take();
      if (!work && !this.#isOver) return;
      this.#waiters.shift()?.resolve(work);
    }
  }

  /** Nothing waits and nothing can come any more. */
  get #isOver(): boolean {
    return !this.#open && this.depth === 0 && ![...this.#working].some((entry) => entry.state === 'again');
  }
}
