/** Status conditions, `metav1.Condition`: one entry per type, each owned by one controller. */
import { z } from 'zod';
import { sameText } from '../json/number.ts';
import type { Int64 } from '../json/value.ts';
import type { EpochMs } from '../time.ts';
import { int64 } from './object.ts';
import { formatTime, parseTime } from './time.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** As found on objects: nothing but the type is sure to be there, and times may be null or odd. */
export const conditionSchema = z.looseObject({
  type: z.string(),
  status: z.string().nullish(),
  observedGeneration: int64.nullish(),
  lastTransitionTime: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** What one controller wants its condition to say. Without `observedGeneration` the condition has none. */
export interface DesiredCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: Int64 | undefined;
}

type Conditions = readonly Condition[] | null | undefined;

/** The first condition of exactly that type. */
export const findCondition = (conditions: Conditions, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Whether the first condition of exactly that type says `True`. */
export const isConditionTrue = (conditions: Conditions, type: string): boolean =>
  findCondition(conditions, type)?.status === 'True';

/**
 * The conditions with ours as desired.
 *
 * Guarantees: the same array when ours already says all that is desired, whatever its time looks like; every other type's entries are
 * the same objects in the same order; one entry of our type is left, where the first one was, else at the end.
 * `lastTransitionTime` moves to `now` exactly when the status flips. It is never null and always RFC 3339: an entry that has to be
 * written and whose old time is neither gets `now`.
 */
export function setCondition(conditions: Conditions, desired: DesiredCondition, now: EpochMs): readonly Condition[] {
  const present = conditions ?? [];
  const at = present.findIndex(({ type }) => type === desired.type);
  const old = present[at];
  if (!old) return [...present, conditionEntry(undefined, desired, now)];
  const single = present.every(({ type }, index) => type !== desired.type || index === at);
  if (single && says(old, desired)) return present;
  return present
    .filter(({ type }, index) => type !== desired.type || index === at)
    .map((condition) => (condition === old ? conditionEntry(old, desired, now) : condition));
}

/** The conditions without those of that type; the same array when there are none. */
export const removeCondition = (conditions: Conditions, type: string): readonly Condition[] =>
  conditions?.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : (conditions ?? []);

/** Whether a condition already says what is desired. Its time does not matter. */
export const says = (condition: Condition | undefined, desired: DesiredCondition): boolean =>
  condition !== undefined &&
  condition.status === desired.status &&
  condition.reason === desired.reason &&
  condition.message === desired.message &&
  sameGeneration(condition.observedGeneration, desired.observedGeneration);

/** Our entry as it is to be written, fit to be sent: see {@link setCondition} for its time. */
export function conditionEntry(old: Condition | undefined, desired: DesiredCondition, now: EpochMs): Condition {
  const kept = old?.status === desired.status && parseTime(old.lastTransitionTime) !== undefined;
  const { observedGeneration, ...rest } = desired;
  return {
    ...rest,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: kept ? old.lastTransitionTime : formatTime(now),
  };
}

const sameGeneration = (a: Int64 | null | undefined, b: Int64 | undefined): boolean =>
  a == null || b === undefined ? (a ?? undefined) === b : sameText(a, b);
