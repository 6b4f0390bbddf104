/** Copies whose status did not fit. */
import { metricDefinitions } from '@lifeline/core';
import type { Gauge, Metrics } from '@lifeline/k8s';

/** Counts them, in `lifeline_mirror_truncated`. */
export class Truncation {
  readonly #gauge: Gauge;
  /** By cluster, the keys. */
  readonly #truncated = new Map<string, Set<string>>();

  constructor(metrics: Metrics) {
    this.#gauge = metrics.gauge(metricDefinitions.mirrorTruncated);
    this.#show();
  }

  /** True when it was not known to be truncated before. */
  set(cluster: string, key: string, truncated: boolean): boolean {
    const keys = this.#truncated.get(cluster) ?? new Set<string>();
    if (keys.has(key) === truncated) return false;
    if (truncated) this.#truncated.set(cluster, keys.add(key));
    else keys.delete(key);
    if (keys.size === 0) this.#truncated.delete(cluster);
    this.#show();
    return truncated;
  }

  drop(cluster: string): void {
    if (this.#truncated.delete(cluster)) this.#show();
  }

  #show(): void {
    this.#gauge.set([...this.#truncated.values()].reduce((sum, keys) => sum + keys.size, 0));
  }
}

export const truncationNote =
  'The status is too large to be carried to the edges whole: conditions (with shortened messages) and connection details are.';
