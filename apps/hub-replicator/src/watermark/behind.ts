/** Which projects a replica is behind with. */
import { type Clock, type DurationMs, formatTime, later, type MonotonicMs } from '@lifeline/core';
import type { Cluster, ClusterProvider } from '@lifeline/k8s';

export interface BehindOptions {
  readonly clock: Clock;
  readonly projects: ClusterProvider;
  /** When the oldest upstream change of a project that is not on the hub yet was seen. */
  readonly oldest: (project: string) => MonotonicMs | undefined;
  /** A change may take this long before its project counts as behind. */
  readonly graceMs: DurationMs;
}

export interface Behind {
  readonly project: string;
  /** RFC 3339. */
  readonly since: string;
}

/**
 * A project is behind while a change of it has waited for longer than the grace, or while one of its caches has not been listed or its server
 * is not heard. What a plane does not serve at all holds nobody up.
 */
export class BehindProjects {
  readonly #options: BehindOptions;
  /** Since when a plane that was never listed is waited for. */
  readonly #unlisted = new WeakMap<Cluster, MonotonicMs>();

  constructor(options: BehindOptions) {
    this.#options = options;
  }

  list(): readonly Behind[] {
    const { clock, projects } = this.#options;
    const now = clock.monotonic();
    return projects.list().flatMap((cluster): Behind[] => {
      const since = this.#since(cluster, now);
      return since === undefined ? [] : [{ project: cluster.name, since: formatTime(later(clock.now(), since - now)) }];
    });
  }

  #since(cluster: Cluster, now: MonotonicMs): MonotonicMs | undefined {
    const { oldest, graceMs } = this.#options;
    const waiting = oldest(cluster.name);
    const times = waiting !== undefined && now - waiting > graceMs ? [waiting] : [];
    for (const { status } of cluster.informers()) {
      if (status.at === 'stale') times.push(status.since);
      if (status.at === 'syncing') times.push(this.#seenUnlisted(cluster, now));
    }
    return times.length === 0 ? undefined : times.reduce((a, b) => (a < b ? a : b));
  }

  #seenUnlisted(cluster: Cluster, now: MonotonicMs): MonotonicMs {
    const since = this.#unlisted.get(cluster) ?? now;
    this.#unlisted.set(cluster, since);
    return since;
  }
}
