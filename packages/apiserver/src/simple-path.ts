/** Paths that name one field: `.spec.replicas`, as scales and selectors have them. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '@lifeline/core';

export const keysOfPath = (path: string): readonly string[] => path.split('.').slice(1);

/** Undefined where the path leads nowhere. */
export const valueAtPath = (object: JsonObject, path: string): JsonValue | undefined =>
  keysOfPath(path).reduce<JsonValue | undefined>(
    (node, key) => (isJsonObject(node) ? ownValue<JsonValue | undefined>(node, key) : undefined),
    object,
  );

/** The object with this value there; what stands in the way becomes an object. */
export const withValueAtPath = (object: JsonObject, path: string, value: JsonValue): JsonObject =>
  withValue(object, keysOfPath(path), value);

function withValue(object: JsonObject, [key, ...below]: readonly string[], value: JsonValue): JsonObject {
  if (key === undefined) return object;
  const inner = ownValue<JsonValue | undefined>(object, key);
  const changed: Record<string, JsonValue | undefined> = { ...object };
  setOwn(changed, key, below.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, below, value));
  return changed;
}
