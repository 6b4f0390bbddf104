/** Objects that an operator should know of, counted. */
import { metricDefinitions } from '@lifeline/core';
import type { Gauge, Metrics } from '@lifeline/k8s';

/** Objects of which one thing is true, by cluster and `upstreamKey`, in a gauge. */
export class Tally {
  readonly #gauge: Gauge;
  readonly #keys = new Map<string, Set<string>>();

  constructor(gauge: Gauge) {
    this.#gauge = gauge;
    this.#show();
  }

  /** True when it was not known to be so before. */
  set(cluster: string, key: string, isSo: boolean): boolean {
    const keys = this.#keys.get(cluster) ?? new Set<string>();
    if (keys.has(key) === isSo) return false;
    if (isSo) this.#keys.set(cluster, keys.add(key));
    else keys.delete(key);
    if (keys.size === 0) this.#keys.delete(cluster);
    this.#show();
    return isSo;
  }

  drop(cluster: string): void {
    if (this.#keys.delete(cluster)) this.#show();
  }

  #show(): void {
    this.#gauge.set([...this.#keys.values()].reduce((sum, keys) => sum + keys.size, 0));
  }
}

/** What is counted of the objects of all kinds. */
export class Tallies {
  /** The copy carries a reduced status. */
  readonly truncated: Tally;
  /** A policy that waits for Secrets. */
  readonly held: Tally;
  /** The copy lacks fields that the hub does not know. */
  readonly shortened: Tally;
  /** It is being deleted, and waits for a kind that the hub does not serve. */
  readonly unserved: Tally;

  constructor(metrics: Metrics) {
    this.truncated = new Tally(metrics.gauge(metricDefinitions.mirrorTruncated));
    this.held = new Tally(metrics.gauge(metricDefinitions.policiesHeld));
    this.shortened = new Tally(metrics.gauge(metricDefinitions.mirrorShortened));
    this.unserved = new Tally(metrics.gauge(metricDefinitions.mirrorUnserved));
  }

  /** Nothing is true any more of an object that is not mirrored any more. */
  forget(cluster: string, key: string): void {
    for (const tally of this.#all()) tally.set(cluster, key, false);
  }

  /** The cluster is not looked after here any more. */
  drop(cluster: string): void {
    for (const tally of this.#all()) tally.drop(cluster);
  }

  #all(): readonly Tally[] {
    return [this.truncated, this.held, this.shortened, this.unserved];
  }
}
