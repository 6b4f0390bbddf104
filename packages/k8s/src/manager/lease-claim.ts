/** One replica and one Lease: what it saw of the record, whether it may take it, and how long it is certain to hold it. */
import {
  type Clock,
  type DurationMs,
  fieldManagers,
  formatMicroTime,
  later,
  Lease,
  type MonotonicMs,
  monotonicMs,
  type ObjectName,
} from '@lifeline/core';
import type { Client } from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';
import type { Fence } from '../controller/fence.ts';

export interface LeaseClaimOptions {
  readonly client: Pick<Client, 'find' | 'create' | 'patch'>;
  readonly clock: Clock;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly identity: string;
  readonly durationMs: DurationMs;
  /** Written with every claim and renewal. */
  readonly marks?: LeaseMarks | undefined;
  /** The record has this holder's own name, and nobody else ever takes it: one that is not there is made at once. Default false. */
  readonly isOwn?: boolean | undefined;
}

export interface LeaseMarks {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The record as we last saw it, and when we saw it change, or gone. */
interface Observed {
  readonly lease: Lease | undefined;
  readonly at: MonotonicMs;
  readonly gone: boolean;
}

/** Leadership is lost with a renewal that comes too late. */
const writing = { fieldManager: fieldManagers.leaderElection, urgent: true } as const;

/**
 * Guarantees: of two claims on one record never both are certain at a time. A holder is certain for two thirds of the duration from the
 * moment it *sent* its last successful renewal; another one may take the record only after it has seen it stand still for the whole duration
 * that the record names, and takes exactly the record that it saw. A record that is not there, be it at first sight, may have been deleted a
 * moment ago with a holder that is certain still: that is waited for too, so the first holder ever waits as well. All are spans of local
 * monotonic time, so neither wall clocks nor stalls matter.
 * Assumption: monotonic clocks run at the same rate within a third of the duration.
 */
export class LeaseClaim implements Fence {
  readonly #options: LeaseClaimOptions;
  #observed: Observed | undefined;
  #certainUntil: MonotonicMs = monotonicMs(0);

  constructor(options: LeaseClaimOptions) {
    this.#options = options;
  }

  certainFor(): DurationMs {
    return Math.max(0, this.#certainUntil - this.#options.clock.monotonic());
  }

  /** Nothing is certain any more. */
  forfeit(): void {
    this.#certainUntil = monotonicMs(0);
  }

  /** Who held the record when it was last seen; '' when nobody did. */
  get holder(): string {
    return this.#observed?.lease?.spec?.holderIdentity ?? '';
  }

  /** Whether a record says that somebody else holds it. */
  isOthers(lease: Lease | undefined): boolean {
    const holder = lease?.spec?.holderIdentity ?? '';
    return holder !== '' && holder !== this.#options.identity;
  }

  /** The record as it was last seen; undefined when it was never seen. */
  get seen(): Lease | undefined {
    return this.#observed?.lease;
  }

  /** How long the record must go on standing still before it may be taken; 0: now. Infinity before the first look. */
  freeIn(): DurationMs {
    const { clock, identity } = this.#options;
    if (!this.#observed) return Infinity;
    const { at, gone } = this.#observed;
    const isVacant = this.holder === '' && (!gone || this.#options.isOwn === true);
    // Who was not certain when its record went may have lost it to another one before.
    const isOurs = this.holder === identity && (!gone || this.certainFor() > 0);
    if (isVacant || isOurs) return 0;
    return Math.max(0, at + this.#silenceMs() - clock.monotonic());
  }

  /**
   * Takes in what was seen of the record, by a read or on a watch; undefined: it is gone.
   *
   * A record that is gone was deleted by somebody who may not lead. Whoever held it may have renewed it right before, and is certain since: so
   * what was seen of it counts, from the moment when it was first seen gone.
   */
  observe(lease: Lease | undefined): void {
    const at = this.#options.clock.monotonic();
    const seen = this.#observed;
    if (!lease) {
      if (!seen?.gone) this.#observed = { lease: seen?.lease, at, gone: true };
      return;
    }
    if (!seen || seen.gone || seen.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion)
      this.#observed = { lease, at, gone: false };
  }

  /**
   * Looks at the record, and claims or renews it where it is ours to take: then true, else another one holds it, or may. `blind`: a holder
   * that knows the record renews what it saw last, with one request, and looks only when that is not what is there.
   *
   * @param mayTake asked about the record that is there, right before it is taken
   * @throws KubeError when it is not known what came of it: look again before the next write
   */
  async attempt(
    signal: AbortSignal,
    { blind, mayTake = () => true }: { blind: boolean; mayTake?: ((found: Lease | undefined) => boolean) | undefined },
  ): Promise<boolean> {
    if (blind && this.certainFor() > 0 && (await this.#renewedUnseen(signal))) return true;
    const { client, clock } = this.#options;
    const found = await client.find(Lease, this.#name(), { signal, urgent: true });
    this.observe(found);
    if (this.freeIn() > 0 || !mayTake(found)) return false;
    if (found) return this.#take(found, signal);
    const sentAt = clock.monotonic();
    const spec = { ...this.#term(), acquireTime: formatMicroTime(clock.now()), leaseTransitions: 0 };
    const metadata = { ...this.#name(), ...this.#options.marks };
    return this.#held(await client.create(Lease, { metadata, spec }, { signal, ...writing }), sentAt);
  }

  /** Gives the record back so that the next one need not wait, when it is certainly ours. False when it is not. */
  async release(signal: AbortSignal): Promise<boolean> {
    const { client, clock, identity } = this.#options;
    const stillSure = this.certainFor() > 0;
    this.forfeit();
    const held = this.#observed?.lease;
    if (!stillSure || !held || this.holder !== identity) return false;
    const { resourceVersion } = held.metadata;
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, renewTime: formatMicroTime(clock.now()) };
    const patch = { type: 'merge', body: { metadata: { resourceVersion }, spec } } as const;
    this.observe(await client.patch({ kind: Lease, name: this.#name() }, patch, { signal, ...writing }));
    return true;
  }

  async #renewedUnseen(signal: AbortSignal): Promise<boolean> {
    const seen = this.#observed;
    if (!seen?.lease || seen.gone || this.holder !== this.#options.identity) return false;
    try {
      return await this.#take(seen.lease, signal);
    } catch (error) {
      if (isKubeError(error, 'conflict', 'not-found')) return false;
      throw error;
    }
  }

  /** Claims or renews a record as it was seen. */
  async #take({ metadata: { resourceVersion }, spec: seen }: Lease, signal: AbortSignal): Promise<true> {
    const { client, clock, identity, marks } = this.#options;
    const sentAt = clock.monotonic();
    const acquireTime = formatMicroTime(clock.now());
    const taken = { acquireTime, leaseTransitions: (seen?.leaseTransitions ?? 0) + 1 };
    const spec = { ...this.#term(), ...(seen?.holderIdentity === identity ? {} : taken) };
    const patch = { type: 'merge', body: { metadata: { ...marks, resourceVersion }, spec } } as const;
    const options = { signal, ...writing };
    return this.#held(await client.patch({ kind: Lease, name: this.#name() }, patch, options), sentAt);
  }

  #held(lease: Lease, sentAt: MonotonicMs): true {
    this.observe(lease);
    this.#certainUntil = later(sentAt, (this.#options.durationMs * 2) / 3);
    return true;
  }

  /** An app's setting may hold more, and an API server refuses what it does not know. */
  #name(): ObjectName & { namespace: string } {
    const { namespace, name } = this.#options.lease;
    return { namespace, name };
  }

  /** What each claim and renewal says. */
  #term(): { holderIdentity: string; leaseDurationSeconds: number; renewTime: string } {
    const { clock, identity, durationMs } = this.#options;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      renewTime: formatMicroTime(clock.now()),
    };
  }

  /** How long the record says that a holder may be silent. What a record that is gone said last may not be what it said in the end. */
  #silenceMs(): DurationMs {
    const { durationMs } = this.#options;
    const { lease, gone } = this.#observed ?? {};
    const saidMs = (lease?.spec?.leaseDurationSeconds ?? durationMs / 1000) * 1000;
    return gone ? Math.max(saidMs, durationMs) : saidMs;
  }
}
