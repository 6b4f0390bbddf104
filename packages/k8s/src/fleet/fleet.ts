/** The clusters of one plane: engaged, suspended, moved and disengaged as a source says. */
import { linkAbort, metricDefinitions, PlatformError, projectKey } from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import {
  type Cluster,
  ClusterNotReadyError,
  type ClusterProvider,
  type ClusterSource,
  type ClusterTarget,
  type FleetControl,
} from './cluster.ts';
import { type ClusterParts, EngagedCluster } from './engaged-cluster.ts';

/** Why a cluster's signal aborted. */
export class DisengagedError extends PlatformError<'disengaged'> {
  constructor(plane: string, name: string) {
    super('disengaged', `${plane} ${name} was disengaged`);
  }
}

export interface FleetOptions extends ClusterParts {
  readonly plane: string;
  readonly source: ClusterSource;
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Entry {
  readonly cluster: EngagedCluster;
  readonly identity: string;
}

/**
 * Guarantees: engaging is synchronous and single-flight by construction; a disengaged cluster's signal has aborted before its successor is
 * announced; of two clusters with one key the second is refused, with an error that names both, until the first is gone; nothing is engaged
 * before `run` and after it.
 */
export function createFleet(options: FleetOptions): ClusterProvider {
  return new Fleet(options);
}

class Fleet implements ClusterProvider, FleetControl {
  readonly plane: string;
  readonly #options: FleetOptions;
  readonly #engaged = new Map<string, Entry>();
  /** Cluster name by key. */
  readonly #keys = new Map<string, string>();
  /** Clusters whose key another one holds, and what they will be engaged with. */
  readonly #refused = new Map<string, ClusterTarget>();
  readonly #subscribers = new Set<(cluster: Cluster) => void>();
  /** Disengaged clusters that have not come to rest yet. */
  readonly #ending = new Set<Promise<void>>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #running = false;

  constructor(options: FleetOptions) {
    this.plane = options.plane;
    this.#options = options;
  }

  get(name: string): Cluster {
    const entry = this.#engaged.get(name);
    if (!entry)
      throw new ClusterNotReadyError(`no ${this.plane} "${name}" is engaged`, (wake) => this.#onEngaged(name, wake));
    entry.cluster.ensureReady();
    return entry.cluster;
  }

  list(): readonly Cluster[] {
    return [...this.#engaged.values()].map(({ cluster }) => cluster).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  subscribe(engaged: (cluster: Cluster) => void): Disposable {
    this.#subscribers.add(engaged);
    for (const cluster of this.list()) engaged(cluster);
    return { [Symbol.dispose]: () => void this.#subscribers.delete(engaged) };
  }

  async run(signal: AbortSignal): Promise<void> {
    using running = linkAbort(signal);
    using _gauge = this.#options.metrics.collect(metricDefinitions.planes, () => this.#counts());
    this.#running = true;
    try {
      await this.#options.source(this, running.signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#running = false;
      for (const name of [...this.#engaged.keys()]) this.disengage(name);
      await Promise.all(this.#ending);
    }
  }

  engage(name: string, target: ClusterTarget): void {
    if (!this.#running) return;
    const identity = target.identity ?? target.endpoint.server;
    const entry = this.#engaged.get(name);
    if (entry && entry.identity === identity) {
      entry.cluster.replace(target.endpoint);
      if (entry.cluster.suspended) entry.cluster.resume();
      return;
    }
    if (entry) this.disengage(name);
    const holder = this.#keys.get(projectKey(name));
    if (holder !== undefined && holder !== name) {
      this.#refused.set(name, target);
      this.#options.log.error(
        { cluster: name, plane: this.plane },
        `not engaged: its key "${projectKey(name)}" belongs to ${holder}; rename one of the two`,
      );
      return;
    }
    this.#announce(new EngagedCluster({ plane: this.plane, name }, target.endpoint, this.#options), identity);
  }

  suspend(name: string): void {
    this.#refused.delete(name);
    this.#engaged.get(name)?.cluster.suspend();
  }

  disengage(name: string): void {
    this.#refused.delete(name);
    const entry = this.#engaged.get(name);
    if (!entry) return;
    this.#engaged.delete(name);
    this.#keys.delete(projectKey(name));
    const ending = entry.cluster
      .disengage(new DisengagedError(this.plane, name))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    this.#options.log.info({ cluster: name, plane: this.plane }, 'disengaged');
    for (const [other, target] of [...this.#refused]) {
      if (projectKey(other) !== projectKey(name)) continue;
      this.#refused.delete(other);
      this.engage(other, target);
    }
  }

  #announce(cluster: EngagedCluster, identity: string): void {
    const { name } = cluster;
    this.#engaged.set(name, { cluster, identity });
    this.#keys.set(projectKey(name), name);
    this.#options.log.info({ cluster: name, plane: this.plane }, 'engaged');
    for (const subscriber of [...this.#subscribers]) subscriber(cluster);
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    for (const wake of waiting ?? []) wake();
  }

  #onEngaged(name: string, wake: () => void): Disposable {
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting.add(wake));
    return {
      [Symbol.dispose]: () => {
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
      },
    };
  }

  *#counts(): Iterable<{ labels: { plane: string; state: string }; value: number }> {
    const suspended = [...this.#engaged.values()].filter(({ cluster }) => cluster.suspended).length;
    const states = { engaged: this.#engaged.size - suspended, suspended, refused: this.#refused.size };
    for (const [state, value] of Object.entries(states)) yield { labels: { plane: this.plane, state }, value };
  }
}
