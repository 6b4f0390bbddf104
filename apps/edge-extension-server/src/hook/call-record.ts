/** One call as it went, for the log, the metrics and the traces. */
import { type DurationMs, type EpochMs, grpcServices } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import type { Answer } from '../edit/editor.ts';
import type { Tracer } from '../trace/trace-exporter.ts';
import type { HookError } from './hook-error.ts';
import type { CallOutcome, HookMetrics } from './hook-metrics.ts';

/** What is known of an answer when the call ends. */
export type Summary = Omit<Answer, 'bytes' | 'release'> & { readonly bytesOut: number };

export interface CallRecord {
  readonly caller: string;
  readonly outcome: CallOutcome;
  readonly startedOn: EpochMs;
  /** From its headers to the end of its stream. */
  readonly durationMs: DurationMs;
  readonly queuedMs: DurationMs;
  readonly waitedMs: DurationMs;
  readonly bytesIn: number;
  /** Undefined when no edit was done. */
  readonly summary: Summary | undefined;
  readonly error: HookError | undefined;
  readonly traceparent: string | undefined;
}

export interface Recorders {
  readonly log: Log;
  readonly metrics: HookMetrics;
  readonly tracer?: Tracer | undefined;
}

const method = 'PostTranslateModify';

/** A line, a few observations and, where somebody wants them, a span. */
export function recordCall({ log, metrics, tracer }: Recorders, record: CallRecord): void {
  const { outcome, durationMs, queuedMs, waitedMs, summary, error } = record;
  const times = { total: durationMs, queue: queuedMs, ...summary?.phases };
  const fields = fieldsOf(record);
  if (waitedMs > 0) metrics.waited(waitedMs);
  metrics.ended(outcome, times);
  if (outcome === 'answered') log.info(fields, method);
  else log.warn(fields, method);
  tracer?.record({
    traceparent: record.traceparent,
    name: `${grpcServices.hook}/${method}`,
    startedAt: record.startedOn,
    durationMs,
    attributes: {
      'rpc.system': 'grpc',
      'rpc.service': grpcServices.hook,
      'rpc.method': method,
      ...spanAttributes(fields, times),
    },
    error: outcome === 'answered' ? undefined : (error?.message ?? outcome),
  });
}

function fieldsOf({ caller, outcome, error, summary, ...record }: CallRecord): Readonly<Record<string, unknown>> {
  const counts = summary?.counts;
  return {
    caller,
    outcome,
    ...(error && { err: error }),
    clusters: counts?.clusters,
    listeners: counts?.listeners,
    route_configs: counts?.routeConfigs,
    clusters_replaced: counts?.clustersReplaced,
    clusters_offline: counts?.clustersOffline,
    connector_offline_routes: counts?.connectorOfflineRoutes,
    vhosts_connector_applied: counts?.vhostsConnectorApplied,
    contained: counts?.contained,
    rolled_back: counts?.rolledBack,
    waited_ms: rounded(record.waitedMs),
    bytes_in: record.bytesIn,
    bytes_out: summary?.bytesOut,
    duration_ms: rounded(record.durationMs),
    index_revision: summary?.indexRevision,
  };
}

/** What the log line says, and how long each phase took in all. */
function spanAttributes(
  fields: Readonly<Record<string, unknown>>,
  times: Readonly<Record<string, DurationMs>>,
): Record<string, string | number> {
  const attributes: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(fields))
    if (typeof value === 'string' || typeof value === 'number') attributes[`lifeline.${key}`] = value;
  for (const [phase, ms] of Object.entries(times)) attributes[`lifeline.${phase}_ms`] = rounded(ms);
  return attributes;
}

/** To the microsecond. */
const rounded = (ms: DurationMs): number => Math.round(ms * 1000) / 1000;
