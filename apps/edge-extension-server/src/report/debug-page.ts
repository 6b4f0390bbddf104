/** `/debug/programmed`: what this replica answered last, for people and for `explain`. */
import type { Outcome } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import type { ReportHub } from './report-hub.ts';

export interface ProgrammedPage {
  readonly replica: string;
  readonly indexRevision: number;
  readonly callers: readonly { readonly caller: string; readonly live: boolean; readonly ageMs: number }[];
  readonly rows: readonly ProgrammedRow[];
}

export interface ProgrammedRow {
  readonly caller: string;
  readonly namespace: string;
  readonly name: string;
  readonly stamp: string;
  readonly intent: string;
  /** `failed` and `aborted`: a later call about it had no answer, and what it runs is the intent at best. */
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ageMs: number;
}

/** Sorted by caller, then by Gateway. */
export function programmedPage(hub: ReportHub, index: Pick<EdgeIndex, 'revision'>): ProgrammedPage {
  const callers = [...hub.callers].sort(([a], [b]) => order(a, b));
  return {
    replica: hub.replica,
    indexRevision: index.revision,
    callers: callers.map(([caller, told]) => ({
      caller,
      live: hub.isLive(told),
      ageMs: hub.ageOf(told.lastCallAt),
    })),
    rows: callers.flatMap(([caller, told]) =>
      [...told.groups.values()]
        .flatMap((group) => {
          const counts = told.failureSince(group) ?? group.last;
          const lost = counts.phase === 'failed' || counts.phase === 'aborted' ? { outcome: counts.phase } : {};
          return Array.from(group.rows, ([key, row]) => ({
            key,
            row: { ...row, ...lost, ageMs: hub.ageOf(counts.at) },
          }));
        })
        .sort((a, b) => order(a.key, b.key))
        .map(({ row }) => ({ caller, ...row })),
    ),
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
