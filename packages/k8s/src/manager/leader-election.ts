/** One leader among replicas, by a Lease: see {@link LeaseClaim} for why there are never two. */
import {
  abortable,
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  Lease,
  linkAbort,
  metricDefinitions,
  type MonotonicMs,
  PlatformError,
  type PolicyRule,
  type Random,
} from '@lifeline/core';
import type { Health, HealthState, Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import type { Client } from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';
import type { Fence } from '../controller/fence.ts';
import { LeaseClaim } from './lease-claim.ts';

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
  readonly #claim: LeaseClaim;
  #failing: { readonly error: unknown; readonly since: MonotonicMs } | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#durationMs = options.durationMs ?? 15_000;
    this.#retryMs = this.#durationMs / looksPerDuration;
    this.#claim = new LeaseClaim({ ...options, durationMs: this.#durationMs });
  }

  certainFor(): DurationMs {
    return this.#claim.certainFor();
  }

  health(): HealthState {
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
      if (done === 'other') throw this.#lose(`${this.#claim.holder || 'nobody'} holds it`);
      if (this.certainFor() === 0) throw this.#lose('not renewed in time');
    }
  }

  /** Gives the Lease back so that the next replica need not wait; a failure only costs it that wait. */
  async release(): Promise<void> {
    const { clock, lease, log } = this.#options;
    using deadline = deadlineAbort(clock, callTimeoutMs);
    try {
      await this.#claim.release(deadline.signal);
    } catch (error) {
      log.info({ err: error, lease: lease.name }, 'lease not released, it will run out');
    }
  }

  /** One look at the record, and a claim or renewal where it is ours to take. */
  async #attempt(timeoutMs: DurationMs, signal: AbortSignal): Promise<'held' | 'other' | 'failed'> {
    const { clock, log, lease } = this.#options;
    using deadline = deadlineAbort(clock, timeoutMs, signal);
    try {
      const attempt = this.#claim.attempt(deadline.signal, { blind: !this.#failing });
      const holds = await abortable(attempt, deadline.signal);
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

  #lose(why: string): LeadershipLostError {
    this.#claim.forfeit();
    const { namespace, name } = this.#options.lease;
    return new LeadershipLostError(`lease ${namespace}/${name}: ${why}`, { cause: this.#failing?.error });
  }

  /** So that followers do not look in step. */
  #jittered(ms: DurationMs): DurationMs {
    return ms * (1 + 0.2 * this.#options.random.next());
  }
}

/** The API server will not take it however often it is sent. */
export const isPermanent = (error: unknown): boolean =>
  isKubeError(error, 'invalid', 'forbidden', 'unauthorized', 'kind-missing');
