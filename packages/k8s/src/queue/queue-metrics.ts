/** The `workqueue_*` metrics that controller dashboards know. */
import type { Counter, Histogram, Metrics } from '../app/metrics.ts';
import type { DelayingQueue } from './delaying-queue.ts';
import type { QueueObserver } from './work-queue.ts';

/** 10 ns to 1000 s, as client-go has them. @see kubernetes-sigs/controller-runtime@86a0d40e0 pkg/internal/metrics/workqueue.go */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
const labels = ['name'];

/** Counts what happens to the queue called `name`. */
export function observeQueue(metrics: Metrics, name: string): QueueObserver {
  const series = { name };
  const counter = (metric: string, help: string): Counter => metrics.counter({ name: metric, help, labels });
  const histogram = (metric: string, help: string): Histogram =>
    metrics.histogram({ name: metric, help, labels, buckets });
  const adds = counter('workqueue_adds_total', 'Items that began to wait.');
  const retries = counter('workqueue_retries_total', 'Tries that failed and are made again.');
  const waited = histogram('workqueue_queue_duration_seconds', 'How long an item waited for a worker.');
  const worked = histogram('workqueue_work_duration_seconds', 'How long a worker had an item.');
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
  const gauge = (metric: string, help: string, read: () => number): void => {
    shown.use(metrics.collect({ name: metric, help, labels }, () => [{ labels: { name }, value: read() }]));
  };
  gauge('workqueue_depth', 'Items that wait for a worker.', () => queue.depth);
  gauge('workqueue_unfinished_work_seconds', 'How long the items now with workers have been there, summed.', () =>
    queue.workingFor().reduce((sum, ms) => sum + ms / 1000, 0),
  );
  gauge('workqueue_longest_running_processor_seconds', 'How long the longest-running worker has had its item.', () =>
    queue.workingFor().reduce((longest, ms) => Math.max(longest, ms / 1000), 0),
  );
  return shown;
}
