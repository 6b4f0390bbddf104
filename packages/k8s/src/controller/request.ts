/** The unit of work: which object to look at. */
import type { DurationMs, ObjectKey } from '@lifeline/core';

/** Which object of which cluster to look at. Nothing else: what happened is not the reconciler's business. */
export interface ReconcileRequest {
  readonly cluster: string;
  readonly key: ObjectKey;
}

/** `after`: look again then, at the latest (absent: only when something changes, or at the floor). */
export interface ReconcileResult {
  readonly after?: DurationMs | undefined;
}

/** The result that looks again soonest: for a reconcile that consists of several. */
export function soonest(...results: readonly (ReconcileResult | void)[]): ReconcileResult {
  const times = results.flatMap((result) => (result?.after === undefined ? [] : [result.after]));
  return times.length === 0 ? {} : { after: Math.min(...times) };
}
