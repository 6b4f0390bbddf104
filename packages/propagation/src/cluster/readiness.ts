/** When a cluster counts as ready: not at the first sign of either, but when it has lasted. */
import {
  type Clock,
  type Condition,
  type DesiredCondition,
  type DurationMs,
  findCondition,
  type KarmadaCluster,
  later,
  type MonotonicMs,
} from '@lifeline/core';
import { conditions } from '../words.ts';

/** What asking a cluster for its health gave. Any answer but 200 counts as none. */
export type Probe = 'healthy' | 'unreachable';

export interface Thresholds {
  readonly failureMs: DurationMs;
  readonly successMs: DurationMs;
}

const said: Readonly<Record<Probe, DesiredCondition>> = {
  healthy: {
    type: conditions.ready,
    status: 'True',
    reason: 'ClusterReady',
    message: 'cluster is healthy and ready to accept workloads',
  },
  unreachable: {
    type: conditions.ready,
    status: 'False',
    reason: 'ClusterNotReachable',
    message: 'cluster is not reachable',
  },
};

/** Remembers since when each cluster has been what it is. The first look is taken as it is. */
export class Readiness {
  readonly #clock: Clock;
  readonly #thresholds: Thresholds;
  readonly #since = new Map<string, { readonly ready: boolean; readonly at: MonotonicMs }>();

  constructor(clock: Clock, thresholds: Thresholds) {
    this.#clock = clock;
    this.#thresholds = thresholds;
  }

  /** What the Ready condition is to say after a probe: until the threshold has passed, what it says now. */
  judge({ metadata, status }: KarmadaCluster, probe: Probe): DesiredCondition {
    const { name } = metadata;
    const now = this.#clock.monotonic();
    const ready = probe === 'healthy';
    const before = this.#since.get(name);
    if (before?.ready !== ready) this.#since.set(name, { ready, at: now });
    const current = findCondition(status?.conditions, conditions.ready);
    const since = this.#since.get(name)?.at ?? now;
    const lasts = later(since, ready ? this.#thresholds.successMs : this.#thresholds.failureMs);
    if (before && current && (current.status === 'True') !== ready && now < lasts) return asDesired(current);
    return said[probe];
  }

  forget(cluster: string): void {
    this.#since.delete(cluster);
  }
}

const asDesired = ({ type, status, reason, message }: Condition): DesiredCondition => ({
  type,
  status: status as DesiredCondition['status'],
  reason: reason ?? '',
  message: message ?? '',
});
