/**
 * What runs a controller of Karmada: a queue of keys, workers, retries.
 *
 * Not `defineController` of packages/k8s: that one is kinder than Karmada. It spaces out tries after a write, retries conflicts at its own
 * pace and looks at everything again by itself; Karmada does none of that, and its pace is what is played here.
 */
import type { Clock, DurationMs } from '@lifeline/core';
import { describeError } from '@lifeline/core';
import { type Log, type ReconcileResult, WorkQueue } from '@lifeline/k8s';
import type { Hop } from './hops.ts';
import type { Retries } from './retries.ts';

export interface WorkersOptions {
  readonly name: string;
  readonly count: number;
  readonly hop: Hop;
  readonly clock: Clock;
  readonly log: Log;
  readonly retries: Retries;
  /** One look at one key. Level-triggered; what it throws is retried, for ever. */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<ReconcileResult | void>;
}

interface Delayed {
  readonly due: number;
  readonly timer: Disposable;
}

/**
 * Guarantees: a key is with one worker at most; a key that is added while a worker has it comes again; of several times at which a key is to
 * come the earliest counts, and adding it meanwhile takes none of them back. After `run` has ended nothing is left: no timer, no key.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #queue: WorkQueue;
  readonly #delayed = new Map<string, Delayed>();
  #open = true;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({ clock: options.clock });
  }

  /** Something about the key has changed: it comes when it has passed the hop. */
  add(key: string): void {
    const { hop } = this.#options;
    if (hop.paused) hop.hold(key, () => this.add(key));
    else this.addAfter(key, hop.drawMs());
  }

  addAfter(key: string, ms: DurationMs): void {
    if (!this.#open) return;
    if (ms <= 0) {
      this.#queue.add(item(key));
      return;
    }
    const { clock } = this.#options;
    const due = clock.monotonic() + ms;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    known?.timer[Symbol.dispose]();
    const timer = clock.timer(ms, () => {
      this.#delayed.delete(key);
      this.#queue.add(item(key));
    });
    this.#delayed.set(key, { due, timer });
  }

  /** Resolves when the signal has aborted and every worker has let go. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#stop();
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all(Array.from({ length: this.#options.count }, () => this.#work(signal)));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (let work = await this.#queue.get(); work; work = await this.#queue.get()) {
      const { key } = work;
      if (this.#options.hop.paused) this.#options.hop.hold(key, () => this.add(key));
      else await this.#look(key, signal);
      this.#queue.done(work);
    }
  }

  async #look(key: string, signal: AbortSignal): Promise<void> {
    const { name, log, retries, reconcile } = this.#options;
    try {
      const result = await reconcile(key, signal);
      retries.succeeded(key);
      if (result?.after !== undefined) this.addAfter(key, result.after);
    } catch (error) {
      if (signal.aborted) return;
      const afterMs = retries.next(key);
      log.debug({ controller: name, key, error: describeError(error), afterMs: Math.round(afterMs) }, 'tries again');
      this.addAfter(key, afterMs);
    }
  }

  #stop(): void {
    this.#open = false;
    for (const { timer } of this.#delayed.values()) timer[Symbol.dispose]();
    this.#delayed.clear();
    this.#options.hop.forget();
    this.#queue.shutdown();
  }
}

/** First come, first served, whatever cluster a key is about: Karmada's queues know no clusters. */
const item = (key: string): { cluster: string; key: string } => ({ cluster: '', key });
