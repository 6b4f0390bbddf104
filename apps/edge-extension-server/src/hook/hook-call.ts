import {
  type Clock,
  describeError,
  type DurationMs,
  type EpochMs,
  grpcServices,
  linkAbort,
  type MonotonicMs,
} from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import { type Answer, type Editor, InvalidRequest } from '../edit/editor.ts';
import type { ReportedCall, ReportHub } from '../report/report-hub.ts';
import type { Behind } from './behind.ts';
import { HookError } from './hook-error.ts';
import type { CallOutcome, HookMetrics } from './hook-metrics.ts';
import type { Tracer } from '../trace/trace-exporter.ts';
import type { Turnstile } from './turnstile.ts';

/** What calls share. */
export interface CallParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: HookMetrics;
  readonly editor: Editor;
  readonly reports: ReportHub;
  readonly tracer?: Tracer | undefined;
  readonly behind: Behind;
  readonly turnstile: Turnstile;
  readonly messageLimitBytes: number;
  readonly deadlineMs: DurationMs;
  readonly over: (call: HookCall) => void;
}

/** Called once, unless the call ends first. Bytes are good until it returns. */
export type Reply = (result: { readonly bytes: Uint8Array } | { readonly error: HookError }) => void;

/** What is known of an answer when the call ends, for the report and the log. */
type Summary = Omit<Answer, 'bytes'> & { readonly bytesOut: number };

/**
 * One call, from its headers to the end of its stream.
 *
 * Guarantees: whatever the edit throws becomes an error of this call alone. A call that has run for the deadline ends: with an error, or,
 * when it was answered, by being cut off. It is `answered` in the report only when the stream ended well.
 */
export class HookCall {
  readonly #parts: CallParts;
  readonly #caller: string;
  readonly #cut: () => void;
  readonly #report: ReportedCall;
  readonly #arrivedAt: MonotonicMs;
  readonly #arrivedOn: EpochMs;
  /** Aborts when the call has run for too long, or is over. */
  readonly #life = linkAbort();
  #place: Disposable | undefined;
  #deadline: Disposable | undefined;
  #reply: Reply | undefined;
  #bytesIn = 0;
  #waitedMs: DurationMs = 0;
  #queuedMs: DurationMs = 0;
  #summary: Summary | undefined;
  #error: HookError | undefined;
  #isOver = false;

  constructor(parts: CallParts, caller: string, cut: () => void) {
    this.#parts = parts;
    this.#caller = caller;
    this.#cut = cut;
    this.#report = parts.reports.begin(caller);
    this.#arrivedAt = parts.clock.monotonic();
    this.#arrivedOn = parts.clock.now();
  }

  /** The trace that it belongs to, as the caller sent it. */
  traceparent: string | undefined;

  /** The request has come: it is answered when its turn comes. Once. */
  run(request: Uint8Array, reply: Reply): void {
    if (this.#isOver) return;
    const { clock, turnstile, deadlineMs, metrics } = this.#parts;
    this.#reply = reply;
    this.#bytesIn = request.length;
    metrics.received(request.length);
    const queuedAt = clock.monotonic();
    this.#place = turnstile.queue(() => {
      this.#queuedMs = clock.monotonic() - queuedAt;
      this.#deadline = clock.timer(deadlineMs, () => this.#overdue());
      void this.#work(request, clock.monotonic());
    });
  }

  /** The stream is over. `answered`: all of the answer went out and nobody broke it off. */
  ended(outcome: CallOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#life.abort();
    this.#deadline?.[Symbol.dispose]();
    this.#tell(outcome);
    this.#parts.over(this);
    this.#place?.[Symbol.dispose]();
  }

  async #work(request: Uint8Array, from: MonotonicMs): Promise<void> {
    const { clock, editor, behind, metrics, deadlineMs, messageLimitBytes } = this.#parts;
    try {
      const edit = editor.open(request);
      this.#report.about(edit.gateways);
      this.#waitedMs = await behind.wait(edit.gateways, this.#life.signal);
      if (this.#isOver || !this.#reply) return;
      const { bytes, ...rest } = edit.answer();
      metrics.edited({ bytes, ...rest });
      this.#summary = { ...rest, bytesOut: bytes.length };
      // Nothing else runs while an edit does, the deadline's timer neither.
      if (clock.monotonic() - from >= deadlineMs) return this.#overdue();
      if (bytes.length > messageLimitBytes)
        throw new HookError(
          'resource-exhausted',
          `the answer has ${bytes.length} bytes, and ${messageLimitBytes} is the limit`,
        );
      this.#take()?.({ bytes });
    } catch (error) {
      this.#fail(asHookError(error));
    }
  }

  #overdue(): void {
    this.#life.abort();
    if (this.#reply) this.#fail(new HookError('deadline-exceeded', `not done within ${this.#parts.deadlineMs} ms`));
    else this.#cut();
  }

  #fail(error: HookError): void {
    const reply = this.#take();
    if (!reply) return;
    this.#error = error;
    reply({ error });
  }

  /** There is one reply. */
  #take(): Reply | undefined {
    const reply = this.#reply;
    this.#reply = undefined;
    return reply;
  }

  #tell(outcome: CallOutcome): void {
    const { clock, metrics, log, tracer } = this.#parts;
    const durationMs = clock.monotonic() - this.#arrivedAt;
    if (outcome === 'answered' && this.#summary) this.#report.answered(this.#summary);
    else if (outcome === 'aborted') this.#report.aborted();
    else this.#report.failed();
    if (this.#waitedMs > 0) metrics.waited(this.#waitedMs);
    const times = { total: durationMs, queue: this.#queuedMs, ...this.#summary?.phases };
    metrics.ended(outcome, times);
    const counts = this.#summary?.counts;
    const fields = {
      caller: this.#caller,
      outcome,
      ...(this.#error && { err: this.#error }),
      clusters: counts?.clusters,
      listeners: counts?.listeners,
      route_configs: counts?.routeConfigs,
      clusters_replaced: counts?.clustersReplaced,
      clusters_offline: counts?.clustersOffline,
      connector_offline_routes: counts?.connectorOfflineRoutes,
      vhosts_connector_applied: counts?.vhostsConnectorApplied,
      contained: counts?.contained,
      rolled_back: counts?.rolledBack,
      waited_ms: rounded(this.#waitedMs),
      bytes_in: this.#bytesIn,
      bytes_out: this.#summary?.bytesOut,
      duration_ms: rounded(durationMs),
      index_revision: this.#summary?.indexRevision,
    };
    if (outcome === 'answered') log.info(fields, method);
    else log.warn(fields, method);
    tracer?.record({
      traceparent: this.traceparent,
      name: `${grpcServices.hook}/${method}`,
      startedAt: this.#arrivedOn,
      durationMs,
      attributes: {
        'rpc.system': 'grpc',
        'rpc.service': grpcServices.hook,
        'rpc.method': method,
        ...spanAttributes(fields, times),
      },
      error: outcome === 'answered' ? undefined : (this.#error?.message ?? outcome),
    });
  }
}

const method = 'PostTranslateModify';

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

function asHookError(error: unknown): HookError {
  if (error instanceof HookError) return error;
  const code = error instanceof InvalidRequest ? 'invalid-argument' : 'internal';
  return new HookError(code, describeError(error), { cause: error });
}

/** To the microsecond. */
const rounded = (ms: DurationMs): number => Math.round(ms * 1000) / 1000;
