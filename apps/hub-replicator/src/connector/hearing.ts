/** When a plane's Leases are heard without a gap, and what of its cache counts then. */
import type { Clock, Lease, MonotonicMs, ObjectKey } from '@lifeline/core';
import type { Following, Informer, ObjectEvent } from '@lifeline/k8s';

/** How a Lease was before an event. */
export type StateBefore = { readonly known: false } | { readonly known: true; readonly lease: Lease | undefined };

/**
 * A *stretch* is a time in which the plane was heard, or polled, without a gap: what was seen in one says nothing in another. Its identity is
 * the object.
 */
export class Hearing {
  readonly #informer: Informer<Lease>;
  readonly #clock: Clock;
  readonly #startedAt: MonotonicMs;
  /** While Leases are polled: since when. */
  #polling: Following | undefined;
  /** A stretch of the cache in which the plane could not be read, and what is left of it since it was heard again. */
  #cut: { readonly of: Following; rest: Following | undefined } | undefined;

  constructor(informer: Informer<Lease>, clock: Clock) {
    this.#informer = informer;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  /** Leases may be neither listed nor watched here: each is read once per period instead. */
  get polled(): boolean {
    const { status } = this.#informer;
    return status.at === 'unavailable' && status.reason === 'forbidden';
  }

  /** What the cache says does not count: a live read is wanted. */
  get wantsLook(): boolean {
    return this.polled || (this.#informer.following !== undefined && this.stretch() === undefined);
  }

  /** The one that now belongs to; undefined in a gap. */
  stretch(): Following | undefined {
    const { following } = this.#informer;
    if (following) {
      this.#polling = undefined;
      return this.#cut?.of === following ? this.#cut.rest : following;
    }
    return this.polled ? (this.#polling ??= { since: this.#clock.monotonic() }) : undefined;
  }

  /** When we began to listen in it. */
  since(stretch: Following): MonotonicMs {
    return stretch.since < this.#startedAt ? this.#startedAt : stretch.since;
  }

  /** How the cache has a Lease. */
  cached(key: ObjectKey): StateBefore {
    const { store, following } = this.#informer;
    // A cache that follows no server is not read: what it lacks may be there.
    if (!following || store.malformed().has(key)) return { known: false };
    return { known: true, lease: store.get(key) };
  }

  /**
   * The plane could not be read, so perhaps no agent could write either: a gap, though the watch is open. It ends when the plane is read or
   * heard again.
   */
  interrupted(): void {
    const { following } = this.#informer;
    this.#polling = undefined;
    this.#cut = following && { of: following, rest: undefined };
  }

  /** The plane was read, or heard. */
  alive(): void {
    if (this.#cut) this.#cut.rest ??= { since: this.#clock.monotonic() };
  }
}

export function stateBefore(event: ObjectEvent<Lease>): StateBefore {
  switch (event.type) {
    case 'added':
      return { known: true, lease: undefined };
    case 'updated':
      return { known: true, lease: event.old };
    case 'deleted':
      return { known: true, lease: event.object };
    case 'malformed':
      return { known: false };
  }
}
