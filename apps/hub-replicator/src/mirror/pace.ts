/** How often a mirrored status may change. */
import { type DurationMs, type EpochMs, later, type MonotonicMs } from '@lifeline/core';

export interface StatusChange {
  /** The text to be carried; undefined for none. */
  readonly text: string | undefined;
  /** See `isUrgentStatusChange`. */
  readonly urgent: boolean;
}

export interface Times {
  readonly now: EpochMs;
  readonly monotonic: MonotonicMs;
}

export interface Verdict {
  /** When this text was first seen. */
  readonly seenAt: EpochMs;
  /** 0: it may go now. */
  readonly waitMs: DurationMs;
}

interface Pending {
  readonly text: string | undefined;
  readonly seenAt: EpochMs;
}

/**
 * Urgent changes go at once, others at most once per `paceMs` and object; the last state wins, and keeps the time at which it was first seen
 * through waits, conflicts and retries.
 *
 * Holds what waits, and for `paceMs` what went; nothing of an object that is at rest. Objects go by their `upstreamKey`.
 */
export class Pace {
  readonly #paceMs: DurationMs;
  readonly #pending = new Map<string, Pending>();
  /** When an object's status last went, oldest first. */
  readonly #gone = new Map<string, MonotonicMs>();

  constructor(paceMs: DurationMs) {
    this.#paceMs = paceMs;
  }

  /** A status that differs from what the copy has. */
  judge(key: string, change: StatusChange, { now, monotonic }: Times): Verdict {
    const known = this.#pending.get(key);
    const pending = known?.text === change.text && known ? known : { text: change.text, seenAt: now };
    this.#pending.set(key, pending);
    const last = this.#gone.get(key);
    const dueAt = last === undefined || change.urgent ? monotonic : later(last, this.#paceMs);
    return { seenAt: pending.seenAt, waitMs: Math.max(0, dueAt - monotonic) };
  }

  /** The copy has it now. */
  went(key: string, { monotonic }: Pick<Times, 'monotonic'>): void {
    this.#pending.delete(key);
    this.#gone.delete(key);
    this.#gone.set(key, monotonic);
    for (const [oldest, at] of this.#gone) {
      if (monotonic - at < this.#paceMs) break;
      this.#gone.delete(oldest);
    }
  }

  /** The copy has what upstream has, and nobody had to write: the change was taken back. */
  settled(key: string): void {
    this.#pending.delete(key);
  }

  forget(key: string): void {
    this.#pending.delete(key);
    this.#gone.delete(key);
  }

  /** Nothing is held of the objects of a project that is not looked after here any more. */
  drop(cluster: string): void {
    for (const held of [this.#pending, this.#gone])
      for (const key of held.keys()) if (isOfCluster(key, cluster)) held.delete(key);
  }

  /** Objects that something is held of. */
  get size(): number {
    return new Set([...this.#pending.keys(), ...this.#gone.keys()]).size;
  }
}

/** Keys are upstream keys: JSON lists that begin with the cluster. */
const isOfCluster = (key: string, cluster: string): boolean => key.startsWith(`[${JSON.stringify(cluster)},`);
