/** One Envoy Gateway process, as the reports of all replicas show it. */
import { type DurationMs, type MonotonicMs, stampDefaults } from '@lifeline/core';
import type { CallReport } from '../report/report.ts';
import { Answers } from './answers.ts';

export class Caller {
  readonly name: string;
  readonly answers = new Answers();
  /** Replicas that it has a connection to. */
  readonly #connected = new Set<string>();
  /** By replica: its calls that run, and which Gateways they are about. */
  readonly #running = new Map<string, Map<number, string>>();
  #lastCall: MonotonicMs;
  #idleMs: DurationMs = 0;
  #idleSince: MonotonicMs | undefined;

  constructor(name: string, now: MonotonicMs) {
    this.name = name;
    this.#lastCall = now;
    this.#idleSince = now;
  }

  get isCalling(): boolean {
    return this.#running.size > 0;
  }

  /** How long it had no call running, in all. */
  idleMs(now: MonotonicMs): DurationMs {
    return this.#idleMs + (this.#idleSince === undefined ? 0 : now - this.#idleSince);
  }

  /** It runs, as far as we know: it has a connection, or called not long ago. */
  isLive(now: MonotonicMs): boolean {
    return this.#connected.size > 0 || this.isCalling || now - this.#lastCall < stampDefaults.callerLiveMs;
  }

  connected(replica: string, isConnected: boolean): void {
    if (isConnected) this.#connected.add(replica);
    else this.#connected.delete(replica);
  }

  /** @param at when it began */
  began({ replica, call, group }: Pick<CallReport, 'replica' | 'call' | 'group'>, at: MonotonicMs): void {
    const calls = this.#running.get(replica) ?? new Map<number, string>();
    this.#running.set(replica, calls.set(call, group));
    this.#called(at);
    if (this.#idleSince === undefined) return;
    this.#idleMs += Math.max(0, at - this.#idleSince);
    this.#idleSince = undefined;
  }

  /** @param at when it ended */
  ended({ replica, call }: Pick<CallReport, 'replica' | 'call'>, at: MonotonicMs): void {
    this.#called(at);
    const calls = this.#running.get(replica);
    if (!calls?.delete(call)) return;
    if (calls.size === 0) this.#running.delete(replica);
    if (!this.isCalling) this.#idleSince = at;
  }

  /** Its connections and calls went with the replica. @returns the groups of calls of whose end we shall never hear */
  lost(replica: string, now: MonotonicMs): readonly string[] {
    this.#connected.delete(replica);
    const calls = this.#running.get(replica);
    if (!calls) return [];
    this.#running.delete(replica);
    if (!this.isCalling) this.#idleSince = now;
    return [...calls.values()];
  }

  #called(at: MonotonicMs): void {
    if (this.#lastCall < at) this.#lastCall = at;
  }
}
