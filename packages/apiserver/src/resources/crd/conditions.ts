import type { Definition, DefinitionCondition } from './definition.ts';

/**
 * The definition with a condition that replaces the one of its type, or the definition itself if it says so already. The time of a
 * condition moves when its status does.
 * @param now RFC 3339, whole seconds
 */
export function withCondition(definition: Definition, condition: DefinitionCondition, now: string): Definition {
  const conditions = definition.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  if (old && saysSame(old, condition)) return definition;
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

const saysSame = (a: DefinitionCondition, b: DefinitionCondition): boolean =>
  a.status === b.status && a.reason === b.reason && a.message === b.message && a.lastTransitionTime !== undefined;
