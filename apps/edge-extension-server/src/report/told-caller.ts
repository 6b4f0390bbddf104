/** One Envoy Gateway process, and what this replica told it. */
import type { MonotonicMs, ObjectKey } from '@lifeline/core';
import type { CallPhase, ReportRow } from '@lifeline/edge';
import type { SeenGateway } from '../edit/editor.ts';
import { groupName } from './group-name.ts';

/** How a call ended, or that it runs. */
export interface CallState {
  readonly call: number;
  readonly caller: string;
  readonly phase: CallPhase;
  readonly group: string;
  readonly indexRevision: number;
  /** When this phase began. */
  readonly at: MonotonicMs;
  /** Phases of all calls are numbered as they begin: two may begin within one tick of the clock. */
  readonly order: number;
}

interface Group {
  last: CallState;
  readonly rows: Map<ObjectKey, ReportRow>;
  /** The same rows as they were answered last, in that order. */
  all: readonly ReportRow[];
}

export const rowKey = ({ namespace, name }: ReportRow): ObjectKey => `${namespace}/${name}`;

/** From call to call the order is mostly the same: that saves thousands of look-ups. */
function lastRow({ all, rows }: Group, row: ReportRow, i: number): ReportRow | undefined {
  const there = all[i];
  return there?.name === row.name && there.namespace === row.namespace ? there : rows.get(rowKey(row));
}

/** Of one Gateway: its name is not looked at. */
const isSame = (before: ReportRow | undefined, now: ReportRow): boolean =>
  before !== undefined &&
  before.stamp === now.stamp &&
  before.intent === now.intent &&
  before.outcome === now.outcome &&
  before.reason === now.reason;

/** Failures of so many groups are told one by one; of more, that everything failed. */
const failureLimit = 1_000;

export class ToldCaller {
  connections = 0;
  lastCallAt: MonotonicMs;
  readonly running = new Map<number, CallState>();
  /** What was answered last, by the set of Gateways that it was about. */
  readonly groups = new Map<string, Group>();
  /** The last call about a group that had no answer; `''`: it is not known about which. */
  readonly failures = new Map<string, CallState>();

  /** Of the last call whose Gateways were named. */
  #named: { readonly gateways: readonly SeenGateway[]; readonly name: string } | undefined;

  constructor(now: MonotonicMs) {
    this.lastCallAt = now;
  }

  /** The name of a set of Gateways. Of thousands it takes milliseconds, and from call to call it is mostly the same. */
  nameOf(gateways: readonly SeenGateway[]): string {
    const { gateways: before = [], name } = this.#named ?? {};
    const isSameSet =
      name !== undefined &&
      (gateways === before ||
        (gateways.length === before.length && gateways.every(({ key }, i) => key === before[i]?.key)));
    this.#named = { gateways, name: isSameSet ? name : groupName(gateways.map(({ key }) => key)) };
    return this.#named.name;
  }

  /**
   * A call about these begins. Without an answer before, nobody would know whom it is about if it had none.
   * @returns rows for those of a group that is new
   */
  started(state: CallState, gateways: readonly SeenGateway[]): readonly ReportRow[] {
    if (this.groups.has(state.group)) return [];
    return this.answered(
      state,
      gateways.map(({ namespace, name, stamp = '' }) => ({
        namespace,
        name,
        stamp,
        intent: '',
        outcome: 'aborted',
        reason: '',
      })),
    );
  }

  /** Takes an answer. @returns the rows that differ from the last ones of this group */
  answered(state: CallState, rows: readonly ReportRow[]): readonly ReportRow[] {
    const group: Group = this.groups.get(state.group) ?? { last: state, rows: new Map(), all: [] };
    const changed = rows === group.all ? [] : rows.filter((row, i) => !isSame(lastRow(group, row, i), row));
    if (!this.groups.has(state.group)) this.#supersede(rows);
    this.groups.set(state.group, group);
    group.last = state;
    group.all = rows;
    for (const row of changed) group.rows.set(rowKey(row), row);
    this.failures.delete(state.group);
    return changed;
  }

  failed(state: CallState): void {
    this.failures.set(state.group, state);
    if (this.failures.size <= failureLimit) return;
    this.failures.clear();
    this.failures.set('', { ...state, group: '' });
  }

  /** Whether it was told of this Gateway. */
  knows(key: ObjectKey): boolean {
    return this.groups.values().some(({ rows }) => rows.has(key));
  }

  /** The call about this Gateway that counts, if it had no answer. */
  failureSince(group: Group): CallState | undefined {
    return [this.failures.get(group.last.group), this.failures.get('')]
      .filter((failure) => failure !== undefined)
      .find(({ order }) => order > group.last.order);
  }

  /** Sets that overlap are one translation at different times: the older ones are over. */
  #supersede(rows: readonly ReportRow[]): void {
    for (const [name, group] of this.groups)
      if (rows.some((row) => group.rows.has(rowKey(row)))) {
        this.groups.delete(name);
        this.failures.delete(name);
      }
  }
}
