/** Which conditions of an object are known to be ours, from what its server keeps about field owners. */
import {
  fieldManagers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseJson,
} from '@lifeline/core';

/**
 * Types of the `status.conditions` that this app has written last, though others may have written them too.
 * Undefined when the object came without its managedFields, as it does from a cache.
 */
export function ownedConditions({ metadata }: KubeObject): ReadonlySet<string> | undefined {
  const { managedFields } = metadata;
  if (!managedFields) return undefined;
  const ours = (managedFields as unknown as readonly JsonObject[]).filter(
    ({ manager }) => manager === fieldManagers.hubReplicator,
  );
  return new Set(ours.flatMap(({ fieldsV1 }) => typesIn(fieldsV1)));
}

function typesIn(fields: JsonValue | undefined): readonly string[] {
  const conditions = memberOf(memberOf(fields, 'f:status'), 'f:conditions');
  if (!isJsonObject(conditions)) return [];
  return Object.keys(conditions).flatMap((key) => {
    const type = key.startsWith('k:') ? memberOf(keysOf(key.slice(2)), 'type') : undefined;
    return typeof type === 'string' ? [type] : [];
  });
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function keysOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
