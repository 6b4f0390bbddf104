/** Requests whose cluster is not ready. */
import type { Clock, DurationMs, MonotonicMs } from '@lifeline/core';
import type { ClusterNotReadyError } from '../fleet/cluster.ts';
import { ItemMap, type QueueItem } from '../queue/queue-item.ts';

export interface ParkingOptions<T extends QueueItem> {
  readonly clock: Clock;
  /** Called when a parked request may go on. `since`: when it was parked. */
  readonly replay: (item: T, since: MonotonicMs) => void;
  /** Requests held at a time; further ones are turned away. Default 100,000. */
  readonly limit?: number | undefined;
}

interface Place<T> {
  readonly item: T;
  readonly since: MonotonicMs;
  waiting: Disposable | undefined;
}

/**
 * Holds each request at most once, until what it waits for is ready, its cluster is dropped, or nobody asked for it for a long time.
 *
 * Guarantee: whoever leaves takes its subscription along: nothing waits for a request that is not here.
 */
export class Parking<T extends QueueItem> implements Disposable {
  readonly #options: ParkingOptions<T>;
  readonly #places = new ItemMap<Place<T>>();
  #open = true;

  constructor(options: ParkingOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Holds a request; one that is held already waits for this error's cause instead. False when there is no room. Nothing is held any more
   * once this is disposed.
   */
  park(item: T, { whenReady }: ClusterNotReadyError): boolean {
    this.#leave(this.#places.get(item));
    if (!this.#open) return true;
    if (this.#places.size >= (this.#options.limit ?? 100_000)) return false;
    const place: Place<T> = { item, since: this.#options.clock.monotonic(), waiting: undefined };
    this.#places.set(item, place);
    const waiting = whenReady(() => {
      if (this.#places.get(item) !== place) return;
      this.#leave(place);
      this.#options.replay(item, place.since);
    });
    // It may have called back at once.
    if (this.#places.get(item) === place) place.waiting = waiting;
    else waiting[Symbol.dispose]();
    return true;
  }

  /** The request is on its way by itself. */
  leave(item: QueueItem): void {
    this.#leave(this.#places.get(item));
  }

  drop(cluster: string): void {
    for (const place of this.#places.of(cluster)) this.#leave(place);
  }

  /** Forgets what has been parked for longer than `ms`: the floor parks anew whatever a cached object still stands for. */
  expire(ms: DurationMs): void {
    const now = this.#options.clock.monotonic();
    for (const place of [...this.#places.values()]) if (now - place.since > ms) this.#leave(place);
  }

  [Symbol.dispose](): void {
    this.#open = false;
    for (const place of [...this.#places.values()]) this.#leave(place);
  }

  #leave(place: Place<T> | undefined): void {
    if (!place) return;
    this.#places.delete(place.item);
    place.waiting?.[Symbol.dispose]();
  }
}
