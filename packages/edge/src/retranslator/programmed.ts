/** What is programmed, as the reports of all extension servers of an edge tell it. */
import {
  type Clock,
  intentVersion,
  type MonotonicMs,
  monotonicMs,
  type ObjectKey,
  outcomeConverges,
  stampDefaults,
} from '@lifeline/core';
import type { ReportMessage } from '../report/report.ts';
import type { Standing } from './answers.ts';
import { Caller } from './caller.ts';

export type Verdict =
  /** Every live process that was ever asked about it runs what is wanted. */
  | { readonly at: 'converged' }
  /** These do not. */
  | { readonly at: 'behind'; readonly callers: readonly Caller[] }
  /** No live process was asked about it. */
  | { readonly at: 'unnamed' };

/** Gateways that are answered in one call. */
export interface Group {
  readonly name: string;
  readonly size: number;
}

export interface ProgrammedOptions {
  readonly clock: Clock;
  /** Gateways for which something may be different now. */
  readonly changed: (keys: Iterable<ObjectKey>) => void;
}

/** Takes the messages of any number of streams. Ages are put on our own monotonic clock when a message arrives. */
export class Programmed implements Disposable {
  readonly #options: ProgrammedOptions;
  readonly #callers = new Map<string, Caller>();
  /** Versions of the digest, by replica whose stream is synced. */
  readonly #replicas = new Map<string, number>();
  /** Looks for callers that stopped being live. */
  #prune: Disposable | undefined;

  constructor(options: ProgrammedOptions) {
    this.#options = options;
  }

  [Symbol.dispose](): void {
    this.#prune?.[Symbol.dispose]();
  }

  /** There is a stream that told everything: before, nothing that is not reported means anything. */
  get isSynced(): boolean {
    return this.#replicas.size > 0;
  }

  /** A server computes intents in a way that is newer than ours. */
  get isOutdated(): boolean {
    return [...this.#replicas.values()].some((version) => version > intentVersion);
  }

  get isCalling(): boolean {
    return this.#callers.values().some(({ isCalling }) => isCalling);
  }

  /** A stream begins: all of its replay at once, `synced` included. */
  replayed(replica: string, messages: readonly ReportMessage[]): void {
    const changed = new Set<ObjectKey>();
    for (const { answers } of this.#callers.values()) {
      for (const key of answers.keys()) changed.add(key);
      answers.forget(replica);
    }
    for (const message of messages) for (const key of this.#take(message)) changed.add(key);
    this.#changed(changed);
  }

  take(message: ReportMessage): void {
    this.#changed(this.#take(message));
  }

  /** A stream broke. What its replica answered stands; what it was about to answer is lost, unless it tells otherwise later. */
  streamEnded(replica: string): void {
    const now = this.#options.clock.monotonic();
    this.#replicas.delete(replica);
    const changed = new Set<ObjectKey>();
    for (const caller of this.#callers.values()) {
      caller.answers.replicaGone(replica);
      for (const group of caller.lost(replica, now))
        for (const key of caller.answers.failed(group, now)) changed.add(key);
    }
    this.#changed(changed);
  }

  judge(key: ObjectKey, wanted: string): Verdict {
    const now = this.#options.clock.monotonic();
    const callers: Caller[] = [];
    let named = false;
    for (const caller of this.#callers.values()) {
      const standing = caller.answers.standing(key);
      if (!standing || !caller.isLive(now)) continue;
      named = true;
      if (!agrees(standing, wanted)) callers.push(caller);
    }
    if (!named) return { at: 'unnamed' };
    return callers.length === 0 ? { at: 'converged' } : { at: 'behind', callers };
  }

  /** The largest set that a live process answers this Gateway in; undefined when it is answered alone, or not at all. */
  group(key: ObjectKey): Group | undefined {
    const now = this.#options.clock.monotonic();
    let largest: Group | undefined;
    for (const caller of this.#callers.values()) {
      const standing = caller.isLive(now) ? caller.answers.standing(key) : undefined;
      if (standing && standing.groupSize > Math.max(1, largest?.size ?? 0))
        largest = { name: standing.group, size: standing.groupSize };
    }
    return largest;
  }

  #take(message: ReportMessage): Iterable<ObjectKey> {
    const now = this.#options.clock.monotonic();
    const { replica } = message;
    switch (message.at) {
      case 'synced':
        this.#replicas.set(replica, message.digestVersion);
        return [];
      case 'caller':
        this.#caller(message.caller, now).connected(replica, message.connected);
        return [];
      case 'call': {
        const at = monotonicMs(now - message.ageMs);
        const caller = this.#caller(message.caller, at);
        if (message.phase === 'started') {
          caller.began(message, at);
          return [];
        }
        caller.ended(message, at);
        return message.phase === 'answered'
          ? caller.answers.answered({ ...message, at })
          : caller.answers.failed(message.group, at);
      }
    }
  }

  #caller(name: string, at: MonotonicMs): Caller {
    const caller = this.#callers.get(name) ?? new Caller(name, at);
    this.#callers.set(name, caller);
    return caller;
  }

  #changed(keys: Iterable<ObjectKey>): void {
    this.#prune ??= this.#options.clock.timer(stampDefaults.callerLiveMs / 15, () => {
      this.#prune = undefined;
      this.#pruned();
    });
    this.#options.changed(keys);
  }

  /** Processes that are gone have no word in what is converged. */
  #pruned(): void {
    const now = this.#options.clock.monotonic();
    const changed = new Set<ObjectKey>();
    for (const [name, caller] of this.#callers) {
      if (caller.isLive(now)) continue;
      this.#callers.delete(name);
      for (const key of caller.answers.keys()) changed.add(key);
    }
    if (this.#callers.size > 0 || changed.size > 0) this.#changed(changed);
  }
}

/** What a server with another digest programmed cannot be compared: only that it answered. */
const agrees = ({ row, digestVersion, lost }: Standing, wanted: string): boolean =>
  !lost && outcomeConverges(row.outcome) && (digestVersion !== intentVersion || row.intent === wanted);
