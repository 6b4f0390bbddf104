/** A hub status, or any part of one, as it reads upstream. Fields that we do not know stay. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { type ConditionContext, conditionsUp, isCondition } from './conditions.ts';
import { referenceUp } from './references.ts';

/** Members that name what stands above the object. */
const references = new Set(['ancestorRef', 'parentRef']);

/**
 * Guarantees: pure; a member that is null is left out; every `observedGeneration` is the upstream's, every message is scrubbed, every
 * reference and condition is translated, however deep it stands.
 * @param old what stands upstream in its place: for the generations and times that stay
 */
export function translated(hub: JsonObject, old: JsonValue | undefined, context: ConditionContext): JsonObject {
  const before = isJsonObject(old) ? old : {};
  return Object.fromEntries(
    Object.entries(hub).flatMap(([name, value]) => {
      if (value == null) return [];
      const up = memberUp({ name, value, old: ownValue(before, name) }, context);
      return up === undefined ? [] : [[name, up]];
    }),
  );
}

interface Member {
  readonly name: string;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

function memberUp({ name, value, old }: Member, context: ConditionContext): JsonValue | undefined {
  if (name === 'observedGeneration') return context.generation(value, old);
  if (name === 'message' && typeof value === 'string') return context.scrub(value);
  if (references.has(name) && isJsonObject(value)) return referenceUp(value, context.scrub);
  if (name === 'conditions' && isJsonArray(value) && value.every(isCondition)) return conditionsUp(value, old, context);
  return valueUp(value, old, context);
}

function valueUp(value: JsonValue, old: JsonValue | undefined, context: ConditionContext): JsonValue {
  if (isJsonObject(value)) return translated(value, old, context);
  if (!isJsonArray(value)) return value;
  const before = counterparts(value, isJsonArray(old) ? old : []);
  return value.map((item, index) => valueUp(item, before[index], context));
}

/** For each item what stands for the same thing: of the same name where each has its own, else in the same place. */
function counterparts(items: readonly JsonValue[], before: readonly JsonValue[]): readonly (JsonValue | undefined)[] {
  const names = items.map(nameOf);
  if (names.includes(undefined) || new Set(names).size < names.length) return before;
  return names.map((name) => before.find((item) => nameOf(item) === name));
}

const nameOf = (item: JsonValue): string | undefined => {
  const name = isJsonObject(item) ? ownValue(item, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
};
