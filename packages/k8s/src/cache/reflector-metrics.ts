/** What dashboards see of caches: `lifeline_reflector_*`, by cluster and kind. No histograms: with a `cluster` label they grow too large. */
import { type DurationMs, reflectorMetricPrefix } from '@lifeline/core';
import type { MetricLabels, Metrics } from '../app/metrics.ts';
import type { CacheName } from './delivery.ts';
import type { Delta, End } from './reflector.ts';

/** What is asked at each scrape. */
export interface CacheGauges {
  readonly objects: number;
  readonly malformed: number;
  readonly silentMs: DurationMs;
}

/** The metrics of one informer. */
export interface ReflectorMetrics {
  delivered(delta: Delta<unknown>): void;
  ended(end: End): void;
  handlerFailed(): void;
  /** Shows the gauges until disposed; what was counted goes with them, so that a cluster that left leaves no series behind. */
  show(read: () => CacheGauges): Disposable;
}

const labels = ['plane', 'cluster', 'kind'] as const;

export function reflectorMetrics(metrics: Metrics, cache: CacheName): ReflectorMetrics {
  const own: MetricLabels = { ...cache };
  const forgets: (() => void)[] = [];
  /** Keeps its series at hand: the usual event costs one look-up, and all of them can be dropped. */
  const counter = (name: string, help: string, label?: string): ((value?: string) => void) => {
    const all = label === undefined ? labels : [...labels, label];
    const found = metrics.counter({ name: `${reflectorMetricPrefix}${name}`, help, labels: all });
    const series = new Map<string, MetricLabels>();
    forgets.push(() => {
      for (const each of series.values()) found.remove(each);
      series.clear();
    });
    return (value = '') => {
      const known = series.get(value) ?? (label === undefined ? own : { ...own, [label]: value });
      series.set(value, known);
      found.inc(known);
    };
  };
  const lists = counter('lists_total', 'Complete lists taken over.');
  const ends = counter('ends_total', 'Lists and watches that ended, by reason.', 'reason');
  const events = counter('events_total', 'Watch events taken over, by type.', 'type');
  const failures = counter('handler_errors_total', 'Event handlers and index functions that threw.');
  const gauge = (name: string, help: string, read: () => number): Disposable =>
    metrics.collect({ name: `${reflectorMetricPrefix}${name}`, help, labels }, () => [{ labels: own, value: read() }]);

  return {
    delivered: ({ type }) => (type === 'replaced' ? lists() : events(type)),
    ended: ({ reason }) => ends(reason),
    handlerFailed: () => failures(),
    show(read) {
      const gauges = [
        gauge('objects', 'Objects held.', () => read().objects),
        gauge('malformed', 'Objects held that their schema refuses.', () => read().malformed),
        gauge('silence_seconds', 'Time since the server was last heard.', () => read().silentMs / 1000),
      ];
      return {
        [Symbol.dispose]: () => {
          for (const each of gauges) each[Symbol.dispose]();
          for (const forget of forgets) forget();
        },
      };
    },
  };
}
