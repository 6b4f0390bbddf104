/** Which status changes go up front. */
import { ownValue } from '../json/own.ts';
import { isJsonObject } from '../json/value.ts';
import { classifyStatus, writtenNodeId } from './classify.ts';

/**
 * Whether traffic or people wait for a status change: the liveness class, the node id or any condition's status differs. Such a change
 * is carried at once and before everything else; others (a heartbeat, a relay, the order of addresses) can wait.
 */
export function isUrgentStatusChange(before: unknown, after: unknown): boolean {
  return (
    classifyStatus(before).state !== classifyStatus(after).state ||
    writtenNodeId(before) !== writtenNodeId(after) ||
    !sameStatuses(conditionStatuses(before), conditionStatuses(after))
  );
}

/** The status of the first condition of each type. */
function conditionStatuses(status: unknown): ReadonlyMap<unknown, unknown> {
  const conditions = isJsonObject(status) ? ownValue(status, 'conditions') : undefined;
  const statuses = new Map<unknown, unknown>();
  for (const condition of Array.isArray(conditions) ? conditions.filter(isJsonObject) : []) {
    const type = ownValue(condition, 'type');
    if (!statuses.has(type)) statuses.set(type, ownValue(condition, 'status'));
  }
  return statuses;
}

const sameStatuses = (a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean =>
  a.size === b.size && [...a].every(([type, status]) => b.has(type) && b.get(type) === status);
