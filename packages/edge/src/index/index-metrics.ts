/** What dashboards see of an index. */
import { annotations, type Clock, epochMsOf, metricDefinitions, parseTime } from '@lifeline/core';
import type { Env } from '@lifeline/k8s';
import type { SeenConnector } from './connector-table.ts';
import type { LiveIndex } from './live-index.ts';
import type { TruthAge } from './truth-age.ts';

export interface IndexMetrics extends Disposable {
  /** A change of liveness was seen on the watch. What a list brings is as old as the gap before it, and is not measured. */
  livenessArrived(connector: Pick<SeenConnector, 'metadata'>): void;
}

/** Shown until disposed. */
export function indexMetrics(
  { clock, metrics }: Pick<Env, 'clock' | 'metrics'>,
  { index, truth }: { readonly index: LiveIndex; readonly truth: TruthAge },
): IndexMetrics {
  const parts = new DisposableStack();
  parts.use(
    metrics.collect(metricDefinitions.connectors, () =>
      Object.entries(index.census()).map(([state, value]) => ({ labels: { state }, value })),
    ),
  );
  parts.use(metrics.collect(metricDefinitions.sharedNodeIds, () => [{ labels: {}, value: index.sharedNodeIds }]));
  parts.use(
    metrics.collect(metricDefinitions.truthAge, () =>
      Array.from(truth.ages(), ([shard, ms]) => ({ labels: { shard: String(shard) }, value: ms / 1000 })),
    ),
  );
  const propagation = metrics.histogram(metricDefinitions.livenessPropagation);
  return {
    livenessArrived(connector) {
      const seconds = secondsSinceObserved(connector, clock);
      if (seconds !== undefined) propagation.observe(seconds);
    },
    [Symbol.dispose]: () => parts.dispose(),
  };
}

/** By two machines' wall clocks: for people to look at, nothing is decided by it. */
function secondsSinceObserved(
  { metadata }: Pick<SeenConnector, 'metadata'>,
  clock: Pick<Clock, 'now'>,
): number | undefined {
  const observed = parseTime(metadata.annotations?.[annotations.upstreamStatusObservedAt]);
  return observed === undefined ? undefined : Math.max(0, clock.now() - epochMsOf(observed)) / 1000;
}
