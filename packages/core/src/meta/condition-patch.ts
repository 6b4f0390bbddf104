/**
 * Writing our own conditions and nobody else's.
 *
 * Two forms, both pure: a JSON patch that touches our entry alone, and a server-side apply of all our entries. Use one of them per
 * field owner, not both: an apply takes away what its manager owns and does not send.
 */
import { type Condition, conditionEntry, type DesiredCondition, findCondition, says } from './conditions.ts';
import type { EpochMs } from '../time.ts';
import type { JsonPatch, JsonPatchOperation } from '../patch/json-patch.ts';
import { type ReadObject, testResourceVersion, testUid } from './precondition.ts';

/** An object with conditions, as it was read. */
export interface ConditionedObject extends ReadObject {
  readonly status?: { readonly conditions?: readonly Condition[] | null | undefined } | null | undefined;
}

/**
 * A JSON patch for the status subresource that makes one condition say what is desired; undefined when it already does.
 *
 * Guarantees: only entries of our type are replaced, added or removed, and each of them is tested for its type first, so that a list
 * which moved meanwhile fails the patch instead of hitting a neighbour. An entry that is added is guarded by the resourceVersion.
 */
export function conditionPatch(
  object: ConditionedObject,
  desired: DesiredCondition,
  now: EpochMs,
): JsonPatch | undefined {
  const conditions = object.status?.conditions;
  const own = (conditions ?? []).flatMap(({ type }, index) => (type === desired.type ? [index] : []));
  const [first, ...duplicates] = own;
  const old = findCondition(conditions, desired.type);
  const value = conditionEntry(old, desired, now);

  if (first === undefined) {
    const guard = [testUid(object), testResourceVersion(object)];
    if (!object.status) return [...guard, { op: 'add', path: '/status', value: { conditions: [value] } }];
    if (!conditions) return [...guard, { op: 'add', path: '/status/conditions', value: [value] }];
    return [...guard, { op: 'add', path: '/status/conditions/-', value }];
  }
  if (duplicates.length === 0 && says(old, desired)) return undefined;

  const entry = (index: number): string => `/status/conditions/${index}`;
  return [
    testUid(object),
    ...own.map((index): JsonPatchOperation => ({ op: 'test', path: `${entry(index)}/type`, value: desired.type })),
    { op: 'replace', path: entry(first), value },
    // From the end, so that no removal shifts the next index.
    ...duplicates.toReversed().map((index): JsonPatchOperation => ({ op: 'remove', path: entry(index) })),
  ];
}

/**
 * The `status.conditions` of a server-side apply: all conditions of one field manager, ready to be sent; undefined when every one of
 * them already says what is desired. Pass all of them each time: what an apply leaves out is removed.
 */
export function conditionsToApply(
  object: ConditionedObject,
  desired: readonly DesiredCondition[],
  now: EpochMs,
): readonly Condition[] | undefined {
  const conditions = object.status?.conditions;
  const found = desired.map((wanted) => ({ wanted, old: findCondition(conditions, wanted.type) }));
  if (found.every(({ wanted, old }) => says(old, wanted))) return undefined;
  return found.map(({ wanted, old }) => conditionEntry(old, wanted, now));
}
