import type { Definition, DefinitionCondition } from './definition.ts';

/**
 * The definition with a condition that replaces the one of its type. Its time moves when the status does.
 * @param now RFC 3339, whole seconds
 */
export function withCondition(definition: Definition, condition: DefinitionCondition, now: string): Definition {
  const conditions = definition.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const moved = old?.status !== condition.status || !old.lastTransitionTime;
  const next = { ...condition, lastTransitionTime: moved ? now : old.lastTransitionTime };
  return {
    ...definition,
    status: {
      ...definition.status,
      conditions: old ? conditions.map((each) => (each === old ? next : each)) : [...conditions, next],
    },
  };
}
