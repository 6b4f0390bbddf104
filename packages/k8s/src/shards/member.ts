/** This replica's own Lease: how the others know that it lives, and how it knows that its watch is up to date. */
import {
  abortable,
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  later,
  Lease,
  type MonotonicMs,
  monotonicMs,
  type Random,
} from '@lifeline/core';
import type { HealthState, Log } from '../app/env.ts';
import type { Client } from '../client/client.ts';
import { LeaseClaim } from '../manager/lease-claim.ts';
import { isPermanent } from '../manager/leader-election.ts';
import { marksOf, memberLease, type ShardSet } from './records.ts';

export interface MemberOptions {
  readonly client: Pick<Client, 'find' | 'create' | 'patch' | 'delete'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly set: ShardSet;
  readonly identity: string;
  readonly durationMs: DurationMs;
  readonly renewMs: DurationMs;
}

const callTimeoutMs: DurationMs = 5_000;
const rememberedRenewals = 4;

export class Member {
  readonly #options: MemberOptions;
  readonly #claim: LeaseClaim;
  #nextAt: MonotonicMs = monotonicMs(0);
  #renewal: Promise<void> | undefined;
  #failing: { readonly error: unknown; readonly since: MonotonicMs } | undefined;
  /** When the last renewals were sent, by the version that they made. */
  readonly #renewals = new Map<string, MonotonicMs>();
  #shownVersion: string | undefined;
  /** The newest renewal that the watch has shown was sent then: what the watch says is at least that new. */
  #shownAt: MonotonicMs | undefined;

  constructor(options: MemberOptions) {
    const { client, clock, set, identity, durationMs } = options;
    this.#options = options;
    this.#claim = new LeaseClaim({
      client,
      clock,
      lease: memberLease(set, identity),
      identity,
      durationMs,
      marks: marksOf(set),
      isOwn: true,
    });
  }

  /** As it was last seen or written. */
  get lease(): Lease | undefined {
    return this.#claim.seen;
  }

  /** What the watch has told is no older than two renewals. */
  isUpToDate(): boolean {
    const { clock, renewMs } = this.#options;
    return this.#shownAt !== undefined && clock.monotonic() - this.#shownAt < 2 * renewMs;
  }

  /** What the watch told of it. */
  saw(lease: Lease | undefined): void {
    this.#shownVersion = lease?.metadata.resourceVersion;
    if (lease) this.#compare();
    else this.#nextAt = this.#options.clock.monotonic();
  }

  /** Renews when that is due; to be called often. */
  tick(): void {
    if (this.#options.clock.monotonic() < this.#nextAt) return;
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
  }

  health(): HealthState {
    const { clock, durationMs } = this.#options;
    const failing = this.#failing;
    const broken = failing && (isPermanent(failing.error) || clock.monotonic() - failing.since >= durationMs);
    if (broken) return { ok: false, reason: `member lease: ${describeError(failing.error)}` };
    return this.#shownAt === undefined ? { ok: false, reason: 'the shard leases are not known yet' } : { ok: true };
  }

  /** Takes the Lease away, so that nobody waits for this replica. */
  async leave(): Promise<void> {
    const { client, clock, log, set, identity } = this.#options;
    await this.#renewal;
    const uid = this.lease?.metadata.uid;
    if (uid === undefined) return;
    using deadline = deadlineAbort(clock, callTimeoutMs);
    const target = { kind: Lease, name: memberLease(set, identity) };
    await abortable(client.delete(target, { uid, signal: deadline.signal }), deadline.signal).catch((error: unknown) =>
      log.info({ error: describeError(error) }, 'member lease not deleted'),
    );
  }

  async #renew(): Promise<void> {
    const { clock, log, random, renewMs } = this.#options;
    using deadline = deadlineAbort(clock, callTimeoutMs);
    const sentAt = clock.monotonic();
    try {
      const attempt = this.#claim.attempt(deadline.signal, { blind: !this.#failing });
      if (await abortable(attempt, deadline.signal)) this.#renewed(sentAt);
      this.#failing = undefined;
    } catch (error) {
      this.#failing = { error, since: this.#failing?.since ?? clock.monotonic() };
      const level = isPermanent(error) ? 'error' : 'warn';
      log[level]({ error: describeError(error) }, 'member lease not renewed');
    }
    const waitMs = this.#failing ? renewMs / 2 : renewMs;
    this.#nextAt = later(clock.monotonic(), waitMs * (0.9 + 0.2 * random.next()));
  }

  #renewed(sentAt: MonotonicMs): void {
    this.#renewals.set(this.#claim.seen?.metadata.resourceVersion ?? '', sentAt);
    for (const version of [...this.#renewals.keys()].slice(0, -rememberedRenewals)) this.#renewals.delete(version);
    this.#compare();
  }

  /** The watch may be faster than an answer, or slower than the next renewal. */
  #compare(): void {
    this.#shownAt = this.#renewals.get(this.#shownVersion ?? '') ?? this.#shownAt;
  }
}
