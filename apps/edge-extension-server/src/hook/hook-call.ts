import { type Clock, describeError, type DurationMs, type EpochMs, linkAbort, type MonotonicMs } from '@lifeline/core';
import { type Answer, type Edit, type Editor, InvalidRequest } from '../edit/editor.ts';
import type { ReportedCall, ReportHub } from '../report/report-hub.ts';
import type { Behind } from './behind.ts';
import { recordCall, type Recorders, type Summary } from './call-record.ts';
import { HookError } from './hook-error.ts';
import type { CallOutcome } from './hook-metrics.ts';
import type { Turnstile } from './turnstile.ts';

/** What calls share. */
export interface CallParts extends Recorders {
  readonly clock: Clock;
  readonly editor: Editor;
  readonly reports: ReportHub;
  readonly behind: Behind;
  readonly turnstile: Turnstile;
  readonly messageLimitBytes: number;
  readonly deadlineMs: DurationMs;
  readonly over: (call: HookCall) => void;
}

/** Called once, unless the call ends first. */
export type Reply = (result: Pick<Answer, 'bytes' | 'release'> | { readonly error: HookError }) => void;

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

  /**
   * The request has come: it is answered when its turn comes. Once.
   * @param forgotten called once its bytes are not read any more, if it was answered
   */
  run(request: Uint8Array, reply: Reply, forgotten?: () => void): void {
    if (this.#isOver) return;
    const { clock, editor, turnstile, deadlineMs, metrics } = this.#parts;
    this.#reply = reply;
    this.#bytesIn = request.length;
    metrics.received(request.length);
    const queuedAt = clock.monotonic();
    this.#place = turnstile.queue(() => {
      this.#queuedMs = clock.monotonic() - queuedAt;
      this.#deadline = clock.timer(deadlineMs, () => this.#overdue());
      void this.#work(() => editor.open(request, forgotten), clock.monotonic());
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

  async #work(open: () => Edit, from: MonotonicMs): Promise<void> {
    const { clock, behind, metrics, deadlineMs, messageLimitBytes } = this.#parts;
    try {
      const edit = open();
      this.#report.about(edit.gateways);
      this.#waitedMs = await behind.wait(edit.gateways, this.#life.signal);
      if (this.#isOver || !this.#reply) return;
      const { bytes, release, ...rest } = edit.answer();
      metrics.edited({ bytes, ...rest });
      this.#summary = { ...rest, bytesOut: bytes.length };
      // Nothing else runs while an edit does, the deadline's timer neither.
      if (clock.monotonic() - from >= deadlineMs) return this.#overdue();
      if (bytes.length > messageLimitBytes)
        throw new HookError(
          'resource-exhausted',
          `the answer has ${bytes.length} bytes, and ${messageLimitBytes} is the limit`,
        );
      this.#take()?.({ bytes, release });
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
    if (outcome === 'answered' && this.#summary) this.#report.answered(this.#summary);
    else if (outcome === 'aborted') this.#report.aborted();
    else this.#report.failed();
    recordCall(this.#parts, {
      caller: this.#caller,
      outcome,
      startedOn: this.#arrivedOn,
      durationMs: this.#parts.clock.monotonic() - this.#arrivedAt,
      queuedMs: this.#queuedMs,
      waitedMs: this.#waitedMs,
      bytesIn: this.#bytesIn,
      summary: this.#summary,
      error: this.#error,
      traceparent: this.traceparent,
    });
  }
}

function asHookError(error: unknown): HookError {
  if (error instanceof HookError) return error;
  const code = error instanceof InvalidRequest ? 'invalid-argument' : 'internal';
  return new HookError(code, describeError(error), { cause: error });
}
