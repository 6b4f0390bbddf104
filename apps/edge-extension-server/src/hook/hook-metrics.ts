import { type DurationMs, metricDefinitions } from '@lifeline/core';
import type { Metrics } from '@lifeline/k8s';
import type { Answer } from '../edit/editor.ts';

/** How a call ended, for dashboards: as in the reports. */
export type CallOutcome = 'answered' | 'failed' | 'aborted';

export interface HookMetrics {
  received(bytes: number): void;
  /** What the edit did, when there was one. */
  edited(answer: Omit<Answer, 'release'>): void;
  waited(ms: DurationMs): void;
  ended(outcome: CallOutcome, times: Readonly<Record<string, DurationMs>>): void;
}

export function hookMetrics(metrics: Metrics): HookMetrics {
  const seconds = metrics.histogram(metricDefinitions.hookSeconds);
  const wait = metrics.histogram(metricDefinitions.hookWaitSeconds);
  const bytes = metrics.histogram(metricDefinitions.hookBytes);
  const contained = metrics.counter(metricDefinitions.hookContained);
  return {
    received: (length) => bytes.observe(length, { direction: 'in' }),
    edited({ bytes: { length }, containedBy }) {
      bytes.observe(length, { direction: 'out' });
      for (const [reason, count] of containedBy) contained.inc({ reason }, count);
    },
    waited: (ms) => wait.observe(ms / 1000),
    ended(outcome, times) {
      for (const [phase, ms] of Object.entries(times)) seconds.observe(ms / 1000, { phase, outcome });
    },
  };
}
