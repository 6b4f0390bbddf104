import {
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  type Random,
  readAll,
  type Transport,
} from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import { exportRequest, type Span } from './otlp.ts';
import { parseTraceparent } from './trace-context.ts';

/** Something that was done, and in whose name. */
export interface Traced extends Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  /** As the caller sent it. */
  readonly traceparent?: string | undefined;
}

/** Takes what was done, at once and without any fault of its own. */
export interface Tracer {
  record(traced: Traced): void;
}

export interface TraceExporterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** To the collector. */
  readonly transport: Transport;
  /** Of the collector, without a trailing slash: spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** `service.name` and its like. */
  readonly resource: Readonly<Record<string, string>>;
}

const everyMs: DurationMs = 5_000;
const deadlineMs: DurationMs = 3_000;
/** Spans that wait for a collector that is away; then new ones are left out. */
const limit = 1_000;

/** Sends spans every few seconds, and once more at the end. What a collector does not take is left out: no call waits for it. */
export class TraceExporter implements Tracer {
  readonly #options: TraceExporterOptions;
  #spans: Span[] = [];
  #isFailing = false;

  constructor(options: TraceExporterOptions) {
    this.#options = options;
  }

  record({ traceparent, ...traced }: Traced): void {
    if (this.#spans.length >= limit) return;
    const { random } = this.#options;
    const context = parseTraceparent(traceparent) ?? { traceId: random.hex(16) };
    this.#spans.push({ ...traced, ...context, spanId: random.hex(8) });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(everyMs, signal).catch(() => undefined);
      await this.#send();
    }
  }

  async #send(): Promise<void> {
    const { clock, log, transport, endpoint, resource } = this.#options;
    const spans = this.#spans;
    if (spans.length === 0) return;
    this.#spans = [];
    using exchange = deadlineAbort(clock, deadlineMs);
    try {
      const { status, body } = await transport(
        {
          method: 'POST',
          url: `${endpoint}/v1/traces`,
          headers: { 'content-type': 'application/json' },
          body: exportRequest(spans, resource),
        },
        { signal: exchange.signal },
      );
      await readAll(body);
      if (status >= 300) throw new Error(`the collector answered ${status}`);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn({ reason: describeError(error) }, 'spans were left out: the collector takes none');
      this.#isFailing = true;
    }
  }
}
