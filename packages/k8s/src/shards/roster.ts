/** Which replicas there are, by what the watch tells of their Leases. */
import type { Clock, DurationMs, Lease, MonotonicMs } from '@lifeline/core';
import type { EventOrigin } from '../cache/informer.ts';

export interface RosterOptions {
  readonly clock: Clock;
  /** This replica: alive whatever anybody says. */
  readonly identity: string;
  readonly durationMs: DurationMs;
  readonly renewMs: DurationMs;
}

interface Seen {
  readonly lease: Lease;
  /** When it was seen to come or to change, or first seen. */
  readonly at: MonotonicMs;
  /** It was seen to come or to change: somebody is behind it. */
  readonly proven: boolean;
  /** Since when it has been alive without a break. */
  readonly aliveSince: MonotonicMs;
}

/** A record that has stood still for so many durations is nobody's any more. */
const deadAfter = 3;

/**
 * Members by identity. A member is alive for a lease duration after its record was seen to change. First sight proves nothing: such a record
 * counts only until its next renewal should have come. Only where work should go follows from this, never that a record may be taken.
 */
export class Roster {
  readonly #options: RosterOptions;
  readonly #members = new Map<string, Seen>();

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** True when this changes who is alive. */
  saw(identity: string, lease: Lease, origin: EventOrigin): boolean {
    const at = this.#options.clock.monotonic();
    const known = this.#members.get(identity);
    if (known && sameVersion(known.lease, lease)) return false;
    const wasAlive = this.#isAlive(identity, at);
    const aliveSince = wasAlive && known ? known.aliveSince : at;
    this.#members.set(identity, { lease, at, aliveSince, proven: known !== undefined || origin === 'watch' });
    return !wasAlive || known?.proven !== true;
  }

  gone(identity: string): void {
    this.#members.delete(identity);
  }

  /** By identity, in order; this replica is one of them. */
  alive(): readonly string[] {
    const now = this.#options.clock.monotonic();
    const others = [...this.#members.keys()].filter((identity) => this.#isAlive(identity, now));
    return [...new Set([...others, this.#options.identity])].sort();
  }

  /** Another one that has renewed for a lease duration: work may move to it, and will not come back with its next crash. */
  isSettled(identity: string): boolean {
    const { clock, durationMs } = this.#options;
    const now = clock.monotonic();
    const seen = this.#members.get(identity);
    return seen?.proven === true && seen.at - seen.aliveSince >= durationMs && this.#isAlive(identity, now);
  }

  /** Records of members that are long dead. */
  dead(): readonly Lease[] {
    const { clock, durationMs, identity: self } = this.#options;
    const before = clock.monotonic() - deadAfter * durationMs;
    return [...this.#members]
      .filter(([identity, { at }]) => identity !== self && at < before)
      .map(([, seen]) => seen.lease);
  }

  #isAlive(identity: string, now: MonotonicMs): boolean {
    const { durationMs, renewMs } = this.#options;
    const seen = this.#members.get(identity);
    return seen !== undefined && now - seen.at < (seen.proven ? durationMs : 1.5 * renewMs);
  }
}

const sameVersion = (a: Lease, b: Lease): boolean =>
  a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion;
