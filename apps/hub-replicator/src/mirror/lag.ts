/** How far the hub is behind. */
import { type Clock, type MetricDefinition, metricDefinitions, type MonotonicMs, type ObjectKey } from '@lifeline/core';
import type { Histogram, Metrics } from '@lifeline/k8s';

export interface LagOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The histogram, in seconds. Default: the replication lag. */
  readonly metric?: MetricDefinition | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** An object whose change is on its way. */
export interface LagKey {
  readonly cluster: string;
  /** Of the kind. */
  readonly id: string;
  readonly key: ObjectKey;
}

/** One look at an object, from what was known when it began. The first call counts. */
export interface Look {
  /** The hub has what upstream had when the look began, or never will: nothing of it is behind. */
  settled(outcome: { readonly wrote: boolean }): void;
  /** It has not: what was behind still is. */
  failed(): void;
}

/**
 * From when a change upstream was seen to when the hub has it.
 *
 * Guarantees: a change that comes while the object is looked at counts as one of its own; a failed look loses nothing.
 */
export class Lag {
  readonly #clock: Clock;
  readonly #seconds: Histogram;
  readonly #labels: Readonly<Record<string, string>>;
  /** By cluster, then by kind and key: when the oldest change that the hub lacks was seen. */
  readonly #behind = new Map<string, Map<string, MonotonicMs>>();

  constructor({ clock, metrics, metric = metricDefinitions.replicationLag, labels = {} }: LagOptions) {
    this.#clock = clock;
    this.#seconds = metrics.histogram(metric);
    this.#labels = labels;
  }

  seen(of: LagKey): void {
    this.#put(of, this.#clock.monotonic());
  }

  begin(of: LagKey): Look {
    let since = this.#take(of);
    const close = (): MonotonicMs | undefined => {
      const from = since;
      since = undefined;
      return from;
    };
    return {
      settled: ({ wrote }) => {
        const from = close();
        if (wrote && from !== undefined) this.#seconds.observe((this.#clock.monotonic() - from) / 1000, this.#labels);
      },
      failed: () => {
        const from = close();
        if (from !== undefined) this.#put(of, from);
      },
    };
  }

  /** Since when the hub lacks something of a cluster; undefined when it lacks nothing. */
  oldest(cluster: string): MonotonicMs | undefined {
    let oldest: MonotonicMs | undefined;
    for (const since of this.#behind.get(cluster)?.values() ?? []) {
      if (oldest === undefined || since < oldest) oldest = since;
    }
    return oldest;
  }

  /** The cluster is not ours to look after any more. */
  drop(cluster: string): void {
    this.#behind.delete(cluster);
  }

  #put({ cluster, id, key }: LagKey, at: MonotonicMs): void {
    const objects = this.#behind.get(cluster) ?? new Map<string, MonotonicMs>();
    this.#behind.set(cluster, objects);
    const known = objects.get(`${id} ${key}`);
    if (known === undefined || at < known) objects.set(`${id} ${key}`, at);
  }

  #take({ cluster, id, key }: LagKey): MonotonicMs | undefined {
    const objects = this.#behind.get(cluster);
    const since = objects?.get(`${id} ${key}`);
    objects?.delete(`${id} ${key}`);
    if (objects?.size === 0) this.#behind.delete(cluster);
    return since;
  }
}
