/**
 * When each Lease of one plane was seen renewed, and when to look at its connector again.
 *
 * Fed by the plane's Lease cache and by live reads. A heartbeat moves one observation here and nothing else: no request, no timer. A
 * request comes of a Lease only when it says something else than its connector does.
 */
import {
  type Clock,
  type DurationMs,
  keyOf,
  later,
  type Lease,
  leaseFreshness,
  type LeaseFreshness,
  type LeaseObservation,
  type MonotonicMs,
  observeLease,
  type ObjectKey,
  type Random,
  recheckDelayMs,
  rewrittenLease,
  unseenLease,
} from '@lifeline/core';
import {
  type EventOrigin,
  type Following,
  type HeapNode,
  type Informer,
  isBefore,
  type ObjectEvent,
  TimedHeap,
} from '@lifeline/k8s';
import { Hearing, stateBefore, type StateBefore } from './hearing.ts';
import { isWhole } from './lease-writes.ts';

export interface LeaseTableOptions {
  readonly informer: Informer<Lease>;
  readonly clock: Clock;
  readonly random: Random;
  /** Asks for a look at a connector. */
  readonly enqueue: (key: ObjectKey) => void;
}

/** What is known of one Lease, and of the connector of that name. In the heap exactly while `judged` is set. */
interface Entry extends HeapNode {
  readonly key: ObjectKey;
  observation: LeaseObservation;
  /** The stretch that the observation belongs to: it says nothing in another one. */
  stretch: Following | undefined;
  /** What `Ready` was made to say of the Lease. Undefined: no connector waits for it. */
  judged: LeaseFreshness['state'] | undefined;
  /** A write of ours to this Lease is under way, or its answer was lost. */
  written: boolean;
  /** When it was last read live; to begin with, when it was first heard of. */
  lookedAt: MonotonicMs;
}

/** Keyed by the connector's key, which is the Lease's. Guarantee: no timer and no subscription is left once it is disposed. */
export class LeaseTable implements Disposable {
  /** Of its plane. */
  readonly hearing: Hearing;
  readonly #options: LeaseTableOptions;
  readonly #entries = new Map<ObjectKey, Entry>();
  /** When to look at each connector again. */
  readonly #rechecks: TimedHeap<Entry>;
  readonly #subscription: Disposable;
  #isDisposed = false;

  constructor(options: LeaseTableOptions) {
    const { informer, clock } = options;
    this.#options = options;
    this.hearing = new Hearing(informer, clock);
    this.#rechecks = new TimedHeap({ clock, due: (entry) => this.#lookAt(entry) });
    this.#subscription = informer.subscribe((event, origin) => this.#heard(event, origin));
  }

  /** Leases and connectors known. */
  get size(): number {
    return this.#entries.size;
  }

  freshness(key: ObjectKey): LeaseFreshness {
    return this.#freshness(this.#entry(key));
  }

  /** It was not read live for long: what happened to it may have been told to nobody. */
  isUnread(key: ObjectKey): boolean {
    return this.#options.clock.monotonic() - this.#entry(key).lookedAt > unreadMs;
  }

  /** What a live read has found. In a gap it says nothing. */
  observe(key: ObjectKey, lease: Lease | undefined): void {
    this.hearing.alive();
    const entry = this.#entry(key);
    entry.lookedAt = this.#options.clock.monotonic();
    const before = this.#observation(entry);
    if (entry.stretch) entry.observation = this.#observed(entry, before, lease);
  }

  /** Carries out a write of ours, which leaves renewTime as it is, to an existing Lease: it does not count as a renewal, whenever the news of it comes. */
  async rewrite(key: ObjectKey, write: () => Promise<Lease>): Promise<void> {
    const entry = this.#entry(key);
    entry.written = true;
    const lease = await write();
    // A write whose answer was lost stays suspected, until the agent's own hand is seen.
    entry.written = false;
    if (isNews(entry.observation, lease)) entry.observation = rewrittenLease(entry.observation, lease);
  }

  /** `Ready` says so now of this connector's Lease. Asks for a look when the Lease says something else, now or later. */
  judged(key: ObjectKey, state: LeaseFreshness['state']): void {
    // A look that was under way when the plane left may still end.
    if (this.#isDisposed) return;
    const entry = this.#entry(key);
    entry.judged = state;
    this.#arm(entry);
    if (this.#saysOther(entry)) this.#options.enqueue(key);
  }

  /** The connector is gone, or its Lease is none of its concern. */
  forget(key: ObjectKey): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.judged = undefined;
    this.#rechecks.remove(entry);
    this.#tidy(entry);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#subscription[Symbol.dispose]();
    this.#rechecks.clear();
    this.#entries.clear();
  }

  #heard(event: ObjectEvent<Lease>, origin: EventOrigin): void {
    if (origin === 'watch') this.hearing.alive();
    const entry = this.#entry(keyOf(event.object));
    const before = this.#observation(entry, origin === 'watch' ? stateBefore(event) : undefined);
    switch (event.type) {
      case 'added':
      case 'updated':
        if (entry.stretch) entry.observation = this.#observed(entry, before, event.object);
        if (!isWhole(event.object) && (event.type === 'added' || isWhole(event.old))) this.#ask(entry);
        break;
      case 'deleted':
        // One that a live read has found made anew since is not meant.
        if ('mark' in before && before.mark.uid !== event.object.metadata.uid) return;
        entry.observation = this.#observed(entry, before, undefined);
        break;
      case 'malformed':
        entry.observation = unseenLease;
        this.#ask(entry);
    }
    // The usual heartbeat.
    if (entry.judged === 'fresh' && entry.observation.at === 'renewed') return;
    if (this.#saysOther(entry)) this.#ask(entry);
    this.#tidy(entry);
  }

  #observed(entry: Entry, before: LeaseObservation, lease: Lease | undefined): LeaseObservation {
    const now = this.#options.clock.monotonic();
    if (!lease || !isNews(before, lease)) return lease ? before : observeLease(before, undefined, now);
    if (entry.written && 'mark' in before && before.mark.renewTime === lease.spec?.renewTime) {
      return rewrittenLease(before, lease);
    }
    entry.written = false;
    return observeLease(before, lease, now);
  }

  /**
   * What is known of a Lease in the stretch of now. One that was not looked at in this stretch yet has been as it is since the stretch
   * began.
   *
   * @param cached how it was until now. Default: as the cache has it
   */
  #observation(entry: Entry, cached?: StateBefore): LeaseObservation {
    const stretch = this.hearing.stretch();
    if (!stretch) {
      entry.stretch = undefined;
      return unseenLease;
    }
    if (entry.stretch === stretch) return entry.observation;
    entry.stretch = stretch;
    const state = cached ?? this.hearing.cached(entry.key);
    return (entry.observation = state.known
      ? observeLease(unseenLease, state.lease, this.hearing.since(stretch))
      : unseenLease);
  }

  #freshness(entry: Entry): LeaseFreshness {
    return leaseFreshness(this.#observation(entry), this.#options.clock.monotonic());
  }

  /** The Lease says what `Ready` does not. While nothing is proven it says nothing. */
  #saysOther(entry: Entry): boolean {
    if (entry.judged === undefined) return false;
    const { state } = this.#freshness(entry);
    return state !== 'unproven' && state !== entry.judged;
  }

  #ask({ judged, key }: Entry): void {
    if (judged !== undefined) this.#options.enqueue(key);
  }

  #entry(key: ObjectKey): Entry {
    const known = this.#entries.get(key);
    if (known) return known;
    const now = this.#options.clock.monotonic();
    const entry: Entry = {
      key,
      observation: unseenLease,
      stretch: undefined,
      judged: undefined,
      written: false,
      lookedAt: now,
      due: now,
      at: -1,
      order: 0,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Keeps nothing of what is neither a Lease nor a connector. */
  #tidy({ key, judged, observation }: Entry): void {
    if (judged === undefined && !('mark' in observation) && observation.at !== 'never-renewed')
      this.#entries.delete(key);
  }

  /** Sets the re-check: at expiry or, while not ready, in a period; each up to a tenth of it late. */
  #arm(entry: Entry): void {
    const { clock, random } = this.#options;
    const now = clock.monotonic();
    const chance = random.next();
    // In a gap nothing expires: it is looked at whether the gap has ended.
    const { durationMs } = leaseFreshness(entry.observation, now);
    const afterMs = recheckDelayMs(this.#freshness(entry), now, chance) ?? durationMs * (1 + chance / 10);
    this.#rechecks.set(entry, later(now, afterMs));
  }

  #lookAt(entry: Entry): void {
    const { state } = this.#freshness(entry);
    this.#arm(entry);
    if (this.hearing.wantsLook || state === 'absent' || this.#saysOther(entry)) this.#ask(entry);
  }
}

/** Shorter than the floor's turns, so that each of them finds it over. */
const unreadMs: DurationMs = 300_000;

/** False for knowledge older than what a live read gave: a watch may lag. Between Leases of different uids there is no order. */
function isNews(before: LeaseObservation, { metadata }: Lease): boolean {
  if (!('mark' in before) || before.mark.uid !== metadata.uid) return true;
  return !isBefore(metadata.resourceVersion ?? '', before.mark.resourceVersion ?? '');
}
