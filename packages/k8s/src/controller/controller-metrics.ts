/** The `controller_runtime_*` metrics that controller dashboards know, and how many requests are parked. */
import { metricDefinitions } from '@lifeline/core';
import type { Metrics } from '../app/metrics.ts';
import type { Outcome } from './outcome.ts';

export interface ControllerMetrics extends Disposable {
  /** A worker has begun. */
  began(): void;
  ended(outcome: Outcome, tookMs: number): void;
  /** There was no room to park a request. */
  turnedAway(): void;
}

/**
 * The `result` label: `success`, `error`, `requeue` and `requeue_after` as controller-runtime has them (a conflict is a `requeue`);
 * `parked`, `terminal` and `stopped` are ours.
 */
function resultOf(outcome: Outcome): string {
  switch (outcome.at) {
    case 'done':
      return outcome.after === undefined ? 'success' : 'requeue_after';
    case 'conflict':
      return 'requeue';
    case 'failed':
    case 'slow':
      return 'error';
    case 'parked':
    case 'terminal':
    case 'stopped':
      return outcome.at;
  }
}

/** @param parked how many requests are parked now; asked when scraped, until disposed */
export function controllerMetrics(metrics: Metrics, controller: string, parked: () => number): ControllerMetrics {
  const series = { controller };
  const total = metrics.counter(metricDefinitions.reconcileTotal);
  const seconds = metrics.histogram(metricDefinitions.reconcileSeconds);
  const workers = metrics.gauge(metricDefinitions.activeWorkers);
  const turnedAway = metrics.counter(metricDefinitions.parkedTurnedAway);
  const shown = metrics.collect(metricDefinitions.parkedRequests, () => [{ labels: series, value: parked() }]);
  let active = 0;
  workers.set(0, series);
  return {
    began: () => workers.set(++active, series),
    ended: (outcome, tookMs) => {
      workers.set(--active, series);
      total.inc({ controller, result: resultOf(outcome) });
      seconds.observe(tookMs / 1000, series);
    },
    turnedAway: () => turnedAway.inc(series),
    [Symbol.dispose]: () => shown[Symbol.dispose](),
  };
}
