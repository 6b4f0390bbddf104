/** One call of the hook after another: queued, bounded, edited, reported. Knows nothing of gRPC. */
import { type Clock, type DurationMs, hookDefaults } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import type { Log, Metrics } from '@lifeline/k8s';
import type { Editor } from '../edit/editor.ts';
import type { ReportHub } from '../report/report-hub.ts';
import type { Tracer } from '../trace/trace-exporter.ts';
import { Behind } from './behind.ts';
import { type CallParts, HookCall } from './hook-call.ts';
import { hookMetrics } from './hook-metrics.ts';
import { Turnstile } from './turnstile.ts';

export interface HookOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly index: EdgeIndex;
  readonly editor: Editor;
  readonly reports: ReportHub;
  /** Takes a span for each call. */
  readonly tracer?: Tracer | undefined;
  /** Calls that are worked on at a time; the others wait for their turn. */
  readonly concurrency: number;
  /** Of an answer. */
  readonly messageLimitBytes: number;
  /** From its turn to its end. Default 5 s. */
  readonly deadlineMs?: DurationMs | undefined;
}

export class Hook implements Disposable {
  readonly #parts: CallParts;
  readonly #behind: Behind;
  readonly #running = new Set<HookCall>();
  #idle: (() => void)[] = [];

  constructor(options: HookOptions) {
    this.#behind = new Behind(options);
    this.#parts = {
      ...options,
      behind: this.#behind,
      turnstile: new Turnstile(options.concurrency),
      metrics: hookMetrics(options.metrics),
      deadlineMs: options.deadlineMs ?? hookDefaults.callDeadlineMs,
      over: (call) => {
        this.#running.delete(call);
        if (this.#running.size === 0) for (const wake of this.#idle.splice(0)) wake();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#behind[Symbol.dispose]();
  }

  /**
   * A call has arrived. Its `ended` must be called, however it goes.
   * @param cut breaks off a call that was answered and whose answer does not get through
   */
  begin(caller: string, cut: () => void): HookCall {
    const call = new HookCall(this.#parts, caller, cut);
    this.#running.add(call);
    return call;
  }

  /** Calls that have begun and not ended. */
  get running(): number {
    return this.#running.size;
  }

  /** Resolves when no call runs. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}
