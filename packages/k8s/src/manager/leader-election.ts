/**
 * One leader among replicas, by a Lease.
 *
 * Guarantees: two replicas are never both certain to lead. A holder is certain for two thirds of the lease duration from the moment it *sent*
 * its last successful renewal; a follower takes over only after it has watched the record stand still for the whole duration that the
 * record names. Both are spans of local monotonic time, so neither wall clocks nor stalls matter.
 * Assumption: monotonic clocks run at the same rate within a third of the duration.
 */
import {
  abortable,
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  fieldManagers,
  formatMicroTime,
  later,
  Lease,
  linkAbort,
  metricDefinitions,
  type MonotonicMs,
  monotonicMs,
  PlatformError,
  type PolicyRule,
  type Random,
} from '@lifeline/core';
import type { Health, Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import type { Client } from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';
import type { Fence } from '../controller/fence.ts';

/** Leadership ended while work was going on: the process must stop, another may lead already. */
export class LeadershipLostError extends PlatformError<'leadership-lost'> {
  constructor(message: string, options?: ErrorOptions) {
    super('leadership-lost', message, options);
  }
}

export interface LeaderElectionOptions {
  readonly client: Pick<Client, 'find' | 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Never used by two processes, nor again by the next start of one: host name and a random part. */
  readonly identity: string;
  /** Default 15 s, as client-go. */
  readonly durationMs?: DurationMs | undefined;
}

/** What the leader does. Must stop soon after `signal` aborts, and write only while `fence` is certain. */
export type Lead = (fence: Fence, signal: AbortSignal) => Promise<void>;

/** Work that a failing API server may take, at most, before the next look. */
const callTimeoutMs = 5_000;
const slowestRetryMs = 30_000;
/** The least rights that an election needs, in the namespace of its Lease. */
export const electionRules: readonly PolicyRule[] = [
  { apiGroups: [Lease.group], resources: [Lease.plural], verbs: ['create', 'get', 'patch'] },
];

/** Renewals, and a follower's looks, in the time of a lease: every 2 s of 15 s, as client-go. Some may fail before the certainty ends. */
const looksPerDuration = 7.5;

/** Field manager of the Lease. */
const fieldManager = fieldManagers.leaderElection;

/** The record as we last saw it, and when we saw it change, or gone. */
interface Observed {
  readonly lease: Lease;
  readonly at: MonotonicMs;
  readonly gone: boolean;
}

/**
 * Waits for leadership, leads, and gives the Lease back. Resolves when `signal` aborted and the lead has stopped, or when the lead
 * returned by itself; rejects with what the lead threw.
 *
 * @throws LeadershipLostError when leadership ended first (after the lead has stopped)
 */
export async function runElected(options: LeaderElectionOptions, lead: Lead, signal: AbortSignal): Promise<void> {
  const election = new Election(options);
  using _check = options.health.ready('leader-election', () => election.health());
  using _gauge = options.metrics.collect(metricDefinitions.leader, () => [
    { labels: { name: options.lease.name }, value: election.certainFor() > 0 ? 1 : 0 },
  ]);
  try {
    await election.acquire(signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  options.log.info({ lease: options.lease.name, identity: options.identity }, 'leading');
  await leadAndRenew(election, lead, signal);
  await election.release();
}

async function leadAndRenew(election: Election, lead: Lead, signal: AbortSignal): Promise<void> {
  using leading = linkAbort(signal);
  using renewing = linkAbort();
  const renewal = election.keep(renewing.signal).catch((error: unknown) => {
    if (renewing.signal.aborted) return undefined;
    leading.abort(error);
    return error;
  });
  try {
    await lead(election, leading.signal);
  } catch (error) {
    if (!leading.signal.aborted) throw error;
  } finally {
    renewing.abort();
  }
  const lost = await renewal;
  if (lost) throw lost as Error;
}

class Election implements Fence {
  readonly #options: LeaderElectionOptions;
  readonly #durationMs: DurationMs;
  readonly #retryMs: DurationMs;
  #observed: Observed | undefined;
  #certainUntil: MonotonicMs = monotonicMs(0);
  #failing: { readonly error: unknown; readonly since: MonotonicMs } | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#durationMs = options.durationMs ?? 15_000;
    this.#retryMs = this.#durationMs / looksPerDuration;
  }

  certainFor(): DurationMs {
    return Math.max(0, this.#certainUntil - this.#options.clock.monotonic());
  }

  health(): ReturnType<Parameters<Health['ready']>[1]> {
    const { clock, lease } = this.#options;
    const failing = this.#failing;
    const broken = failing && (isPermanent(failing.error) || clock.monotonic() - failing.since >= this.#durationMs);
    return broken
      ? { ok: false, reason: `lease ${lease.namespace}/${lease.name}: ${describeError(failing.error)}` }
      : { ok: true };
  }

  /** Resolves when this replica leads. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (let failures = 0; ;) {
      const done = await this.#attempt(callTimeoutMs, signal);
      if (done === 'held') return;
      failures = done === 'failed' ? failures + 1 : 0;
      await clock.sleep(
        this.#jittered(Math.min(slowestRetryMs, this.#retryMs * 2 ** Math.max(0, failures - 1))),
        signal,
      );
    }
  }

  /** Renews until the signal aborts. @throws LeadershipLostError */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await clock.sleep(Math.min(this.#jittered(this.#retryMs), this.certainFor()), signal);
      const left = this.certainFor();
      const done = left > 0 ? await this.#attempt(Math.min(callTimeoutMs, left), signal) : 'failed';
      if (done === 'other') throw this.#lose(`${this.#holder() ?? 'nobody'} holds it`);
      if (this.certainFor() === 0) throw this.#lose('not renewed in time');
    }
  }

  /** Gives the Lease back so that the next replica need not wait; a failure only costs it that wait. */
  async release(): Promise<void> {
    const { client, clock, lease, identity, log } = this.#options;
    const stillSure = this.certainFor() > 0;
    this.#certainUntil = monotonicMs(0);
    const held = this.#observed?.lease;
    if (!stillSure || held?.spec?.holderIdentity !== identity) return;
    using deadline = deadlineAbort(clock, callTimeoutMs);
    try {
      await client.patch(
        { kind: Lease, name: lease },
        {
          type: 'merge',
          body: {
            metadata: { resourceVersion: held.metadata.resourceVersion },
            spec: { holderIdentity: '', leaseDurationSeconds: 1, renewTime: formatMicroTime(clock.now()) },
          },
        },
        { signal: deadline.signal, fieldManager },
      );
    } catch (error) {
      log.info({ err: error, lease: lease.name }, 'lease not released, it will run out');
    }
  }

  /** One look at the record, and a claim or renewal where it is ours to take. */
  async #attempt(timeoutMs: DurationMs, signal: AbortSignal): Promise<'held' | 'other' | 'failed'> {
    const { clock, log, lease } = this.#options;
    using deadline = deadlineAbort(clock, timeoutMs, signal);
    try {
      const holds = await abortable(this.#claim(deadline.signal), deadline.signal);
      this.#failing = undefined;
      return holds ? 'held' : 'other';
    } catch (error) {
      signal.throwIfAborted();
      // Whatever we sent may have taken effect: look again before the next write.
      this.#failing = { error, since: this.#failing?.since ?? clock.monotonic() };
      const level = isPermanent(error) ? 'error' : 'warn';
      log[level]({ err: error, namespace: lease.namespace, name: lease.name }, 'cannot claim or renew the lease');
      return 'failed';
    }
  }

  async #claim(signal: AbortSignal): Promise<boolean> {
    if (this.certainFor() > 0 && !this.#failing && (await this.#renewedUnseen(signal))) return true;
    const { client, clock } = this.#options;
    const name = this.#name();
    const found = await client.find(Lease, name, { signal });
    this.#observe(found);
    if (this.#mayBeLed()) return false;
    if (found) return this.#take(found, signal);
    const sentAt = clock.monotonic();
    const spec = { ...this.#term(), acquireTime: formatMicroTime(clock.now()), leaseTransitions: 0 };
    return this.#held(await client.create(Lease, { metadata: name, spec }, { signal, fieldManager }), sentAt);
  }

  /** A leader knows the record: it renews what it saw last, and looks only when that is not what is there. */
  async #renewedUnseen(signal: AbortSignal): Promise<boolean> {
    const seen = this.#observed;
    if (!seen || seen.gone || this.#holder() !== this.#options.identity) return false;
    try {
      return await this.#take(seen.lease, signal);
    } catch (error) {
      if (isKubeError(error, 'conflict', 'not-found')) return false;
      throw error;
    }
  }

  /** Claims or renews a record as it was seen. */
  async #take({ metadata: { resourceVersion }, spec: seen }: Lease, signal: AbortSignal): Promise<true> {
    const { client, clock, identity } = this.#options;
    const sentAt = clock.monotonic();
    const acquireTime = formatMicroTime(clock.now());
    const taken = { acquireTime, leaseTransitions: (seen?.leaseTransitions ?? 0) + 1 };
    const spec = { ...this.#term(), ...(seen?.holderIdentity === identity ? {} : taken) };
    const patch = { type: 'merge', body: { metadata: { resourceVersion }, spec } } as const;
    const options = { signal, fieldManager };
    return this.#held(await client.patch({ kind: Lease, name: this.#name() }, patch, options), sentAt);
  }

  /** An app's setting may hold more, and an API server refuses what it does not know. */
  #name(): { namespace: string; name: string } {
    const { namespace, name } = this.#options.lease;
    return { namespace, name };
  }

  /** What each claim and renewal says. */
  #term(): { holderIdentity: string; leaseDurationSeconds: number; renewTime: string } {
    const { clock, identity } = this.#options;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#durationMs / 1000),
      renewTime: formatMicroTime(clock.now()),
    };
  }

  #held(lease: Lease, sentAt: MonotonicMs): true {
    this.#observe(lease);
    this.#certainUntil = later(sentAt, (this.#durationMs * 2) / 3);
    return true;
  }

  /**
   * A record that is gone was deleted by somebody who may not lead. Whoever held it may have renewed it right before, and is certain since: so
   * what was seen of it counts, from the moment when it was first seen gone.
   */
  #observe(lease: Lease | undefined): void {
    const at = this.#options.clock.monotonic();
    const seen = this.#observed;
    if (!lease) {
      if (seen && !seen.gone) this.#observed = { ...seen, at, gone: true };
      return;
    }
    if (!seen || seen.gone || seen.lease.metadata.resourceVersion !== lease.metadata.resourceVersion)
      this.#observed = { lease, at, gone: false };
  }

  /** Another one holds the record, or held it when it was last seen, and has not been silent for long enough. */
  #mayBeLed(): boolean {
    const holder = this.#holder() ?? '';
    return holder !== '' && holder !== this.#options.identity && !this.#expired();
  }

  /** The record has stood still, before our eyes, for as long as it says a holder may be silent. */
  #expired(): boolean {
    if (!this.#observed) return false;
    const { lease, at } = this.#observed;
    const durationMs = (lease.spec?.leaseDurationSeconds ?? this.#durationMs / 1000) * 1000;
    return this.#options.clock.monotonic() - at >= durationMs;
  }

  #holder(): string | undefined {
    return this.#observed?.lease.spec?.holderIdentity ?? undefined;
  }

  #lose(why: string): LeadershipLostError {
    this.#certainUntil = monotonicMs(0);
    const { namespace, name } = this.#options.lease;
    return new LeadershipLostError(`lease ${namespace}/${name}: ${why}`, { cause: this.#failing?.error });
  }

  /** So that followers do not look in step. */
  #jittered(ms: DurationMs): DurationMs {
    return ms * (1 + 0.2 * this.#options.random.next());
  }
}

/** The API server will not take it however often it is sent. */
const isPermanent = (error: unknown): boolean =>
  isKubeError(error, 'invalid', 'forbidden', 'unauthorized', 'kind-missing');
