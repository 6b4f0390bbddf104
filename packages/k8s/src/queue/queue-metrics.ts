/** The `workqueue_*` metrics that controller dashboards know. */
import { metricDefinitions } from '@lifeline/core';
import type { MetricSpec, Metrics } from '../app/metrics.ts';
import type { DelayingQueue } from './delaying-queue.ts';
import type { QueueObserver } from './work-queue.ts';

/** Counts what happens to the queue called `name`. */
export function observeQueue(metrics: Metrics, name: string): QueueObserver {
  const series = { name };
  const adds = metrics.counter(metricDefinitions.queueAdds);
  const retries = metrics.counter(metricDefinitions.queueRetries);
  const waited = metrics.histogram(metricDefinitions.queueWaitSeconds);
  const worked = metrics.histogram(metricDefinitions.queueWorkSeconds);
  return {
    added: () => adds.inc(series),
    retried: () => retries.inc(series),
    started: (waitedMs) => waited.observe(waitedMs / 1000, series),
    finished: (workedMs) => worked.observe(workedMs / 1000, series),
  };
}

/** Shows the state of a queue, read when scraped, until disposed. */
export function exposeQueue(metrics: Metrics, name: string, queue: DelayingQueue): Disposable {
  const shown = new DisposableStack();
  const show = (spec: MetricSpec, read: () => number): void => {
    shown.use(metrics.collect(spec, () => [{ labels: { name }, value: read() }]));
  };
  const seconds = (): number[] => Array.from(queue.workingFor(), (ms) => ms / 1000);
  show(metricDefinitions.queueDepth, () => queue.depth);
  show(metricDefinitions.queueUnfinishedSeconds, () => seconds().reduce((sum, age) => sum + age, 0));
  show(metricDefinitions.queueLongestSeconds, () => Math.max(0, ...seconds()));
  return shown;
}
