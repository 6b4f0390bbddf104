/** One open watch of a scripted API: a cursor on the log of writes, moved as fast as the client reads. */
import { type Clock, type DurationMs, type Kind, type KubeObject, stringifyJson } from '@lifeline/core';
import { Refusal } from './refusal.ts';
import type { ScriptedStore, ScriptedWrite } from './scripted-store.ts';

export interface ScriptedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

export interface WatchSpec {
  readonly kind: Kind;
  readonly signal: AbortSignal;
  /** The revision after which the log is followed. */
  readonly from: number;
  /** Sent first, each as `ADDED`. */
  readonly initial: readonly KubeObject[];
  readonly marksInitialEnd: boolean;
  readonly bookmarkEveryMs: DurationMs | undefined;
  readonly timeoutMs: DurationMs | undefined;
  readonly matches: (object: KubeObject) => boolean;
  readonly shape: (object: KubeObject) => unknown;
  /** The newest revision that this replica of the server has. */
  readonly horizon: () => number;
  readonly drops: (event: ScriptedEvent) => boolean;
  readonly closed: (watch: ScriptedWatch) => void;
}

const utf8 = new TextEncoder();

/** The watch is the response body itself. */
export class ScriptedWatch implements AsyncIterableIterator<Uint8Array> {
  readonly kind: Kind;
  readonly #spec: WatchSpec;
  readonly #store: ScriptedStore;
  readonly #initial: KubeObject[];
  readonly #timers: Disposable[] = [];
  #cursor: number;
  #bookmark: 'none' | 'due' | 'initial-end';
  #state: 'open' | 'silent' | 'ended' | { broken: unknown } = 'open';
  #wake = (): void => undefined;

  constructor(store: ScriptedStore, clock: Clock, spec: WatchSpec) {
    const { timeoutMs, bookmarkEveryMs } = spec;
    this.kind = spec.kind;
    this.#spec = spec;
    this.#store = store;
    this.#initial = [...spec.initial];
    this.#cursor = spec.from;
    this.#bookmark = spec.marksInitialEnd ? 'initial-end' : 'none';
    spec.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (timeoutMs !== undefined) this.#timers[0] = clock.timer(timeoutMs, () => this.#state === 'open' && this.end());
    const tick = (ms: DurationMs): void => {
      this.bookmark();
      this.#timers[1] = clock.timer(ms, () => tick(ms));
    };
    if (bookmarkEveryMs) this.#timers[1] = clock.timer(bookmarkEveryMs, () => tick(bookmarkEveryMs));
  }

  /** Looks for something to send. */
  wake(): void {
    this.#wake();
  }

  bookmark(): void {
    if (this.#bookmark === 'none') this.#bookmark = 'due';
    this.#wake();
  }

  /** A half-open connection: nothing comes any more, not even an end. */
  silence(): void {
    if (this.#state === 'open') this.#state = 'silent';
  }

  /** Ends cleanly, or as a broken connection when there is an error. */
  end(error?: unknown): void {
    if (this.#state !== 'open' && this.#state !== 'silent') return;
    this.#state = error === undefined ? 'ended' : { broken: error };
    this.#spec.signal.removeEventListener('abort', this.#onAbort);
    for (const timer of this.#timers) timer?.[Symbol.dispose]();
    this.#spec.closed(this);
    this.#wake();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (typeof this.#state === 'object') throw this.#state.broken;
      if (this.#state === 'ended') return { done: true, value: undefined };
      const event = this.#state === 'open' ? this.#pull() : undefined;
      if (event) return { done: false, value: utf8.encode(`${stringifyJson(event)}\n`) };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #onAbort = (): void => this.end(this.#spec.signal.reason);

  #pull(): ScriptedEvent | undefined {
    const { shape, horizon, drops } = this.#spec;
    const first = this.#initial.shift();
    if (first) return { type: 'ADDED', object: shape(first) };
    try {
      for (let write; this.#cursor < horizon() && (write = this.#store.after(this.#cursor));) {
        this.#cursor = write.rv;
        const event = write.kind.id === this.kind.id ? this.#eventOf(write) : undefined;
        if (event && !drops(event)) return event;
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.end();
      return { type: 'ERROR', object: error.status };
    }
    // A client that is ahead of the server (a restored backup) hears nothing at all, as from a real one.
    return this.#cursor > horizon() ? undefined : this.#dueBookmark();
  }

  #eventOf({ old, object, rv }: ScriptedWrite): ScriptedEvent | undefined {
    const { matches, shape } = this.#spec;
    const was = old !== undefined && matches(old);
    if (object && matches(object)) return { type: was ? 'MODIFIED' : 'ADDED', object: shape(object) };
    if (!was) return undefined;
    return { type: 'DELETED', object: shape({ ...old, metadata: { ...old.metadata, resourceVersion: String(rv) } }) };
  }

  #dueBookmark(): ScriptedEvent | undefined {
    const due = this.#bookmark;
    if (due === 'none') return undefined;
    this.#bookmark = 'none';
    const annotations = due === 'initial-end' ? { 'k8s.io/initial-events-end': 'true' } : undefined;
    const metadata = { resourceVersion: String(this.#cursor), creationTimestamp: null, annotations };
    return { type: 'BOOKMARK', object: { apiVersion: this.kind.apiVersion, kind: this.kind.kind, metadata } };
  }
}
