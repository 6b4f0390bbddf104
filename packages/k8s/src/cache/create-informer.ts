/** Informers as a cluster makes them: over its client. */
import type { Clock, DurationMs, Kind, KubeObject, Random } from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import type { Client } from '../client/client.ts';
import type { CacheName, DeliveryInterceptor } from './delivery.ts';
import type { InformerOptions } from './informer.ts';
import { listerWatcher, silenceDefaultMs } from './lister-watcher.ts';
import { reflectorMetrics } from './reflector-metrics.ts';
import type { Pace } from './run-reflector.ts';
import { SharedInformer } from './shared-informer.ts';

export interface CreateInformerOptions<T extends KubeObject> extends InformerOptions<T> {
  readonly client: Pick<Client, 'list' | 'listMetadata' | 'watch' | 'watchMetadata'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Names of the plane and the cluster, for logs and metrics. */
  readonly plane: string;
  readonly cluster: string;
  /** How long a watch may say nothing, and a cache count as `synced` unheard. Default 150 s. */
  readonly silenceMs?: DurationMs | undefined;
  readonly pace?: Partial<Pace> | undefined;
  /** Deeply frozen objects. For tests. Default false. */
  readonly freeze?: boolean | undefined;
  /** For simulators. */
  readonly intercept?: DeliveryInterceptor | undefined;
}

/** Nothing runs until `run` is called. */
export function createInformer<T extends KubeObject>(
  kind: Kind<T>,
  options: CreateInformerOptions<T>,
): SharedInformer<T> {
  const { plane, cluster, log, metrics, intercept, silenceMs = silenceDefaultMs } = options;
  const name: CacheName = { plane, cluster, kind: kind.id };
  return new SharedInformer(kind, {
    ...options,
    silenceMs,
    source: listerWatcher(kind, { ...options, silenceMs, omitManagedFields: options.keepManagedFields !== true }),
    log: log.child({ ...name }),
    metrics: reflectorMetrics(metrics, name),
    intercept: intercept && ((delta, deliver) => intercept(delta, deliver, name)),
  });
}
