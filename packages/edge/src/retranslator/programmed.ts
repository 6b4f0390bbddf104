/** What is programmed, as the reports of all extension servers of an edge tell it. */
import {
  type Clock,
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
  /** Some run what a server with another digest made of it: only the servers of that digest can tell whether it is what is wanted. */
  | { readonly at: 'unlike' }
  /** Those that were asked about it are not known to run any more. One that does will ask when it has to. */
  | { readonly at: 'idle' }
  /** No process was ever asked about it. */
  | { readonly at: 'unnamed' };

export interface ProgrammedChange {
  /** Gateways for which something may be different now. */
  readonly keys: Iterable<ObjectKey>;
  /** A caller may have no call running any more: who waits for that has to look. */
  readonly ended: boolean;
}

export interface ProgrammedOptions {
  readonly clock: Clock;
  /** Of the digest by which we know what is wanted. */
  readonly digestVersion: number;
  readonly changed: (change: ProgrammedChange) => void;
}

/**
 * Takes the messages of any number of streams; after its end what they say changes nothing. Ages are put on our own monotonic clock when a
 * message arrives.
 */
export class Programmed implements Disposable {
  readonly #options: ProgrammedOptions;
  readonly #callers = new Map<string, Caller>();
  /** Versions of the digest, by replica whose stream is synced. */
  readonly #replicas = new Map<string, number>();
  /** Looks for callers that stopped being live. */
  #prune: Disposable | undefined;
  #isDisposed = false;

  constructor(options: ProgrammedOptions) {
    this.#options = options;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#prune?.[Symbol.dispose]();
  }

  /** There is a stream that told everything: before, nothing that is not reported means anything. */
  get isSynced(): boolean {
    return this.#replicas.size > 0;
  }

  /** A server computes intents in a way that is newer than ours. */
  get isOutdated(): boolean {
    return [...this.#replicas.values()].some((version) => version > this.#options.digestVersion);
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
    this.#changed(changed, true);
  }

  take(message: ReportMessage): void {
    const isCalling = (): boolean => message.at === 'call' && this.#callers.get(message.caller)?.isCalling === true;
    const wasCalling = isCalling();
    const keys = this.#take(message);
    this.#changed(keys, wasCalling && !isCalling());
  }

  /** A stream broke. What its replica answered stands; what it was about to answer is lost, unless it tells otherwise later. */
  streamEnded(replica: string): void {
    const now = this.#options.clock.monotonic();
    this.#replicas.delete(replica);
    const changed = new Set<ObjectKey>();
    for (const caller of this.#callers.values()) {
      caller.answers.replicaGone(replica);
      for (const group of caller.lost(replica, now))
        for (const key of caller.answers.lost(group, now)) changed.add(key);
    }
    this.#changed(changed, true);
  }

  /** What was answered to a caller last did not become what it runs. @param name undefined: it is not known which of them */
  refused(name: string | undefined): void {
    const now = this.#options.clock.monotonic();
    const changed = new Set<ObjectKey>();
    for (const caller of this.#callers.values()) {
      if (name !== undefined && caller.name !== name) continue;
      for (const key of caller.answers.lost('', now)) changed.add(key);
    }
    this.#changed(changed, false);
  }

  judge(key: ObjectKey, wanted: string): Verdict {
    const now = this.#options.clock.monotonic();
    const callers: Caller[] = [];
    let at: 'converged' | 'unlike' | 'idle' | 'unnamed' = 'unnamed';
    for (const caller of this.#callers.values()) {
      const standing = caller.answers.standing(key);
      if (!standing) continue;
      if (!caller.isLive(now)) at = at === 'unnamed' ? 'idle' : at;
      else if (this.#isUnlike(standing)) at = 'unlike';
      else if (agrees(standing, wanted)) at = at === 'unlike' ? at : 'converged';
      else callers.push(caller);
    }
    return callers.length === 0 ? { at } : { at: 'behind', callers };
  }

  /** It is answered together with others. */
  isGrouped(key: ObjectKey): boolean {
    return this.#callers.values().some(({ answers }) => (answers.standing(key)?.groupSize ?? 0) > 1);
  }

  #take(message: ReportMessage): Iterable<ObjectKey> {
    const now = this.#options.clock.monotonic();
    const known = message.at === 'synced' ? undefined : this.#callers.get(message.caller);
    const wasLive = known?.isLive(now);
    const keys = this.#changedBy(message, now);
    // Who is heard of again has a word again in all that it was told.
    return known && !wasLive && known.isLive(now) ? new Set([...keys, ...known.answers.keys()]) : keys;
  }

  #changedBy(message: ReportMessage, now: MonotonicMs): Iterable<ObjectKey> {
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
        if (message.phase === 'started') caller.began(message, at);
        else caller.ended(message, at);
        if (message.phase === 'failed' || message.phase === 'aborted') return caller.answers.lost(message.group, at);
        return message.phase === 'started' && message.rows.length === 0
          ? []
          : caller.answers.answered({ ...message, at });
      }
    }
  }

  #caller(name: string, at: MonotonicMs): Caller {
    const caller = this.#callers.get(name) ?? new Caller(name, at);
    this.#callers.set(name, caller);
    return caller;
  }

  #changed(keys: Iterable<ObjectKey>, ended: boolean): void {
    if (this.#isDisposed) return;
    if (this.#callers.size > 0)
      this.#prune ??= this.#options.clock.timer(stampDefaults.callerLiveMs / 15, () => {
        this.#prune = undefined;
        this.#pruned();
      });
    this.#options.changed({ keys, ended });
  }

  /** Processes that are gone have no word in what is converged. They are kept while nobody else can tell that a Gateway is served. */
  #pruned(): void {
    const now = this.#options.clock.monotonic();
    const changed = new Set<ObjectKey>();
    const live = [...this.#callers.values()].filter((caller) => caller.isLive(now));
    for (const [name, caller] of this.#callers) {
      if (live.includes(caller)) continue;
      const keys = [...caller.answers.keys()];
      for (const key of keys) changed.add(key);
      if (keys.every((key) => live.some(({ answers }) => answers.standing(key)))) this.#callers.delete(name);
    }
    this.#changed(changed, true);
  }

  /** When its server is gone, anybody can be asked again. */
  #isUnlike({ digestVersion, orphaned, row, lost }: Standing): boolean {
    return digestVersion !== this.#options.digestVersion && !orphaned && !lost && outcomeConverges(row.outcome);
  }
}

const agrees = ({ row, lost }: Standing, wanted: string): boolean =>
  !lost && outcomeConverges(row.outcome) && row.intent === wanted;
