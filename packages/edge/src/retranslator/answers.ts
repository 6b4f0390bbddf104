/** What one Envoy Gateway process was answered last, over all replicas of the extension server. */
import type { MonotonicMs, ObjectKey } from '@lifeline/core';
import type { ReportRow } from '../report/report.ts';

/** What one replica says of a call about one set of Gateways. */
export interface Answered {
  readonly replica: string;
  readonly group: string;
  readonly at: MonotonicMs;
  readonly digestVersion: number;
  /** What differs from the last ones of this replica and group. */
  readonly rows: readonly ReportRow[];
}

/** What stands for one Gateway. */
export interface Standing {
  readonly row: ReportRow;
  readonly digestVersion: number;
  readonly at: MonotonicMs;
  readonly group: string;
  /** How many Gateways were answered together. */
  readonly groupSize: number;
  /** A call about it was lost later. */
  readonly lost: boolean;
  /** Whoever answered it is no longer there. */
  readonly orphaned: boolean;
}

const never = -Infinity as MonotonicMs;

class Answer {
  readonly replica: string;
  readonly group: string;
  readonly rows = new Map<ObjectKey, ReportRow>();
  /** Others that name a Gateway of it, too. */
  readonly overlapping = new Set<Answer>();
  digestVersion = 0;
  at = never;
  /** It stands for each Gateway that it names. */
  standsWhole = false;

  constructor({ replica, group }: Answered) {
    this.replica = replica;
    this.group = group;
  }
}

export const rowKey = ({ namespace, name }: Pick<ReportRow, 'namespace' | 'name'>): ObjectKey => `${namespace}/${name}`;

/**
 * Sets of Gateways that overlap are one translation, asked for at different times and answered by different replicas. Of these the newest
 * is what the process runs, and a Gateway that only older ones name is no longer served. The rows of the others are kept, because their
 * replica tells only what changes against them.
 *
 * All methods that change something return the Gateways for which something may be different.
 */
export class Answers {
  readonly #byReplica = new Map<string, Map<string, Answer>>();
  readonly #naming = new Map<ObjectKey, Set<Answer>>();
  readonly #standing = new Map<ObjectKey, Answer>();
  /** When a call about a group was lost last; `''`: it is not known about which. */
  readonly #lost = new Map<string, MonotonicMs>();
  readonly #gone = new Set<string>();

  standing(key: ObjectKey): Standing | undefined {
    const answer = this.#standing.get(key);
    const row = answer?.rows.get(key);
    if (!answer || !row) return undefined;
    const { group, digestVersion, at, rows } = answer;
    const lost = this.#isLost(answer);
    return { row, digestVersion, at, group, groupSize: rows.size, lost, orphaned: this.#gone.has(answer.replica) };
  }

  keys(): Iterable<ObjectKey> {
    return this.#standing.keys();
  }

  answered(answered: Answered): ReadonlySet<ObjectKey> {
    const { replica, group, at, digestVersion, rows } = answered;
    const ofReplica = this.#byReplica.get(replica) ?? new Map<string, Answer>();
    this.#byReplica.set(replica, ofReplica);
    const answer = ofReplica.get(group) ?? new Answer(answered);
    ofReplica.set(group, answer);
    // Mostly it stands already, for thousands of Gateways: then nothing is different but what the rows say. A digest is that of its replica.
    const stood = answer.standsWhole && !this.#isLost(answer);
    answer.at = at;
    answer.digestVersion = digestVersion;
    const keys = new Set<ObjectKey>();
    for (const row of rows) {
      const key = rowKey(row);
      keys.add(key);
      answer.rows.set(key, row);
      this.#name(key, answer);
    }
    const stands = stood && answer.standsWhole && !this.#isLost(answer) && this.#isNewest(answer);
    return stands ? keys : this.#supersede(answer);
  }

  /** A call ended of which there is no more to hear. @param group `''`: it is not known about what */
  lost(group: string, at: MonotonicMs): ReadonlySet<ObjectKey> {
    if ((this.#lost.get(group) ?? never) < at) this.#lost.set(group, at);
    if (group === '') return new Set(this.#standing.keys());
    return new Set([...this.#standing].flatMap(([key, answer]) => (answer.group === group ? [key] : [])));
  }

  /** Before a replica tells all it answered last: whatever it does not tell again has been superseded in the meantime. */
  forget(replica: string): void {
    this.#gone.delete(replica);
    for (const answer of this.#byReplica.get(replica)?.values() ?? []) this.#drop(answer);
  }

  /** The process still runs what a replica answered that is gone: its rows stand until another one's supersede them. */
  replicaGone(replica: string): void {
    if (!this.#byReplica.has(replica)) return;
    this.#gone.add(replica);
    for (const answer of this.#byReplica.get(replica)?.values() ?? [])
      if (![...answer.rows.keys()].some((key) => this.#standing.get(key) === answer)) this.#drop(answer);
  }

  /** A call about it was lost later. */
  #isLost({ group, at }: Answer): boolean {
    return (this.#lost.get('') ?? never) > at || (this.#lost.get(group) ?? never) > at;
  }

  #isNewest({ overlapping, at }: Answer): boolean {
    return overlapping.values().every((other) => other.at <= at);
  }

  #supersede(answer: Answer): ReadonlySet<ObjectKey> {
    const changed = new Set(answer.rows.keys());
    const isNewest = this.#isNewest(answer);
    for (const other of [...answer.overlapping]) {
      if (isNewest) {
        other.standsWhole = false;
        for (const key of other.rows.keys()) {
          changed.add(key);
          if (this.#standing.get(key) === other) this.#standing.delete(key);
        }
      }
      // A replica says everything again when its set is another one; one that is gone says nothing any more.
      if (isNewest && (other.replica === answer.replica || this.#gone.has(other.replica))) this.#drop(other);
    }
    if (isNewest) {
      for (const key of answer.rows.keys()) this.#standing.set(key, answer);
      answer.standsWhole = true;
    }
    return changed;
  }

  #name(key: ObjectKey, answer: Answer): void {
    const naming = this.#naming.get(key) ?? new Set();
    if (naming.has(answer)) return;
    answer.standsWhole = false;
    for (const other of naming) {
      other.standsWhole = false;
      other.overlapping.add(answer);
      answer.overlapping.add(other);
    }
    this.#naming.set(key, naming.add(answer));
  }

  #drop(answer: Answer): void {
    const ofReplica = this.#byReplica.get(answer.replica);
    if (ofReplica?.get(answer.group) === answer) ofReplica.delete(answer.group);
    if (ofReplica?.size === 0) {
      this.#byReplica.delete(answer.replica);
      this.#gone.delete(answer.replica);
    }
    for (const other of answer.overlapping) other.overlapping.delete(answer);
    answer.overlapping.clear();
    answer.standsWhole = false;
    for (const key of answer.rows.keys()) {
      const naming = this.#naming.get(key);
      naming?.delete(answer);
      if (naming?.size === 0) this.#naming.delete(key);
      if (this.#standing.get(key) === answer) this.#standing.delete(key);
    }
  }
}
