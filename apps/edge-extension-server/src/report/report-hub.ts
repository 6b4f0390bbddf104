/** What this process answered, told to whoever watches. */
import { type Clock, type DurationMs, intentVersion, type MonotonicMs, stampDefaults } from '@lifeline/core';
import type { ReportMessage, ReportRow, ReportSource } from '@lifeline/edge';
import type { SeenGateway } from '../edit/editor.ts';
import { Outbox } from './outbox.ts';
import { type CallState, ToldCaller } from './told-caller.ts';

export interface ReportHubOptions {
  readonly clock: Clock;
  /** New at every start. */
  readonly replica: string;
}

/** A call, from its arrival to its end. One of the last three ends it. */
export interface ReportedCall {
  /** Which Gateways it is about, known once the request is read. */
  about(gateways: readonly SeenGateway[]): void;
  answered(answer: { readonly rows: readonly ReportRow[]; readonly indexRevision: number }): void;
  failed(): void;
  aborted(): void;
}

/** A message whose age is counted when it is read. */
interface Timed {
  readonly message: ReportMessage;
  readonly at: MonotonicMs | undefined;
}

/** A reader that has so many messages to read begins anew. */
const outboxLimit = 10_000;

/**
 * Guarantees of each `watch`: the last rows of all callers and what runs, as of one moment; then `synced`; then each call and connection,
 * in order, none left out. A reader that is too slow for that is let go, and may begin anew.
 */
export class ReportHub implements ReportSource {
  readonly name = 'this process';
  readonly #options: ReportHubOptions;
  readonly #callers = new Map<string, ToldCaller>();
  readonly #outboxes = new Set<Outbox<Timed>>();
  #calls = 0;
  #phases = 0;
  #isClosed = false;

  constructor(options: ReportHubOptions) {
    this.#options = options;
  }

  get replica(): string {
    return this.#options.replica;
  }

  get callers(): ReadonlyMap<string, ToldCaller> {
    return this.#callers;
  }

  /** Streams that are open. */
  get watchers(): number {
    return this.#outboxes.size;
  }

  /** A connection of a caller; dispose it when it closes. */
  connected(caller: string): Disposable {
    const told = this.#caller(caller);
    if (told.connections++ === 0) this.#tellConnection(caller, true);
    return {
      [Symbol.dispose]: () => {
        if (--told.connections === 0) this.#tellConnection(caller, false);
      },
    };
  }

  begin(caller: string): ReportedCall {
    this.#prune();
    const told = this.#caller(caller);
    const call = ++this.#calls;
    const { clock } = this.#options;
    const phase = (): { at: MonotonicMs; order: number } => ({ at: clock.monotonic(), order: ++this.#phases });
    let state: CallState = { call, caller, phase: 'started', group: '', indexRevision: 0, ...phase() };
    told.running.set(call, state);
    told.lastCallAt = state.at;
    this.#tellCall(state, []);
    const end = (change: Partial<CallState>): CallState => {
      told.running.delete(call);
      const ended = { ...state, ...change, ...phase() };
      told.lastCallAt = ended.at;
      return ended;
    };
    const noAnswer = (how: 'failed' | 'aborted'): void => {
      const ended = end({ phase: how });
      told.failed(ended);
      this.#tellCall(ended, []);
    };
    return {
      about: (gateways) => {
        state = { ...state, group: told.nameOf(gateways) };
        told.running.set(call, state);
        this.#tellCall(state, told.started(state, gateways));
      },
      answered: ({ rows, indexRevision }) => {
        const ended = end({ phase: 'answered', indexRevision });
        this.#tellCall(ended, told.answered(ended, rows));
      },
      failed: () => noAnswer('failed'),
      aborted: () => noAnswer('aborted'),
    };
  }

  async *watch(signal: AbortSignal): AsyncGenerator<ReportMessage, void> {
    signal.throwIfAborted();
    if (this.#isClosed) return;
    const outbox = new Outbox<Timed>(outboxLimit);
    const stop = (): void => outbox.end();
    const replay = this.#replay();
    this.#outboxes.add(outbox);
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (const timed of replay) yield this.#aged(timed);
      for (let next = await outbox.next(); next; next = await outbox.next()) {
        for (const timed of next) {
          signal.throwIfAborted();
          yield this.#aged(timed);
        }
      }
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', stop);
      this.#outboxes.delete(outbox);
    }
  }

  /** Ends all streams, once they have told what was there to tell. */
  close(): void {
    this.#isClosed = true;
    for (const outbox of this.#outboxes) outbox.end();
  }

  /** Whether it still counts in what is converged. */
  isLive(caller: ToldCaller): boolean {
    const silentMs = this.#options.clock.monotonic() - caller.lastCallAt;
    return caller.connections > 0 || caller.running.size > 0 || silentMs < stampDefaults.callerLiveMs;
  }

  /** Milliseconds since a moment. */
  ageOf(at: MonotonicMs): DurationMs {
    return Math.round(this.#options.clock.monotonic() - at);
  }

  #caller(name: string): ToldCaller {
    const told = this.#callers.get(name) ?? new ToldCaller(this.#options.clock.monotonic());
    this.#callers.set(name, told);
    return told;
  }

  /** Who does not count any more is forgotten, once others know all its Gateways: until then it says that they are served. */
  #prune(): void {
    const live = [...this.#callers.values()].filter((caller) => this.isLive(caller));
    for (const [name, caller] of this.#callers) {
      if (live.includes(caller)) continue;
      const keys = [...caller.groups.values()].flatMap(({ rows }) => [...rows.keys()]);
      if (keys.every((key) => live.some((other) => other.knows(key)))) this.#callers.delete(name);
    }
  }

  #replay(): readonly Timed[] {
    this.#prune();
    const timed: Timed[] = [];
    for (const [caller, { connections, groups, failures, running }] of this.#callers) {
      if (connections > 0) timed.push(this.#connection(caller, true));
      for (const { last, rows } of groups.values()) timed.push(this.#call(last, [...rows.values()]));
      for (const failure of failures.values()) timed.push(this.#call(failure, []));
      for (const state of running.values()) timed.push(this.#call(state, []));
    }
    const { replica } = this.#options;
    return [...timed, { message: { at: 'synced', replica, digestVersion: intentVersion }, at: undefined }];
  }

  #tellCall(state: CallState, rows: readonly ReportRow[]): void {
    this.#tell(this.#call(state, rows));
  }

  #tellConnection(caller: string, connected: boolean): void {
    this.#tell(this.#connection(caller, connected));
  }

  #tell(timed: Timed): void {
    for (const outbox of this.#outboxes) outbox.push(timed);
  }

  #call({ at, order: _order, ...state }: CallState, rows: readonly ReportRow[]): Timed {
    const { replica } = this.#options;
    return { message: { at: 'call', replica, ...state, ageMs: 0, digestVersion: intentVersion, rows }, at };
  }

  #connection(caller: string, connected: boolean): Timed {
    return { message: { at: 'caller', replica: this.#options.replica, caller, connected }, at: undefined };
  }

  #aged({ message, at }: Timed): ReportMessage {
    return message.at === 'call' && at !== undefined ? { ...message, ageMs: this.ageOf(at) } : message;
  }
}
