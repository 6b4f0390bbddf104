import {
  type ConditionedObject,
  conditionPatch,
  type DesiredCondition,
  type EpochMs,
  type Kind,
  type KubeObject,
} from '@lifeline/core';
import type { Write } from '../fleet/cluster.ts';

export interface ConditionWriteOptions {
  readonly desired: readonly DesiredCondition[];
  /** What a condition whose status flips gets as its time. */
  readonly now: EpochMs;
}

/**
 * Makes conditions say what is desired: a JSON patch of the status subresource for each that does not say so yet.
 *
 * Guarantees: empty when there is nothing to change; no other type's entry is touched.
 * @param object as it was read
 */
export function conditionWrites<T extends KubeObject & ConditionedObject>(
  kind: Kind<T>,
  object: T,
  { desired, now }: ConditionWriteOptions,
): readonly Write<T>[] {
  const { namespace, name } = object.metadata;
  return desired.flatMap((condition): Write<T>[] => {
    const body = conditionPatch(object, condition, now);
    if (!body) return [];
    return [{ verb: 'patch', kind, name: { namespace, name }, patch: { type: 'json', body }, subresource: 'status' }];
  });
}
