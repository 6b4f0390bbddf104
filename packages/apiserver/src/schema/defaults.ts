import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@lifeline/core';
import type { Structure } from './structure.ts';

/**
 * The value with its defaults; the value itself if it lacks none. A null counts as absent where it is not allowed.
 *
 * Defaults are not copied: they are frozen and shared.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/defaulting/algorithm.go
 */
export function fillDefaults(value: JsonValue, structure: Structure): JsonValue {
  if (!structure.hasDefaults) return value;
  if (isJsonArray(value)) return structure.items?.hasDefaults ? fillItems(value, structure.items) : value;
  return isJsonObject(value) ? fillMembers(value, structure) : value;
}

function fillItems(items: readonly JsonValue[], structure: Structure): readonly JsonValue[] {
  let filled: JsonValue[] | undefined;
  for (const [index, item] of items.entries()) {
    const next = fill(item, structure);
    if (next !== item) (filled ??= [...items])[index] = next;
  }
  return filled ?? items;
}

function fillMembers(object: JsonObject, structure: Structure): JsonObject {
  let filled: Record<string, JsonValue | undefined> | undefined;
  const put = (key: string, value: JsonValue): void => setOwn((filled ??= { ...object }), key, value);
  for (const [name, property] of structure.properties) {
    if (!property.hasDefaults) continue;
    const present = Object.hasOwn(object, name) ? object[name] : undefined;
    const next = present === undefined ? property.default : fill(present, property);
    if (next !== undefined && next !== present) put(name, next);
  }
  const { rest } = structure;
  if (!rest?.hasDefaults) return filled ?? object;
  for (const [name, present] of Object.entries(object)) {
    if (present === undefined || structure.properties.has(name)) continue;
    const next = fill(present, rest);
    if (next !== present) put(name, next);
  }
  return filled ?? object;
}

function fill(value: JsonValue, structure: Structure): JsonValue {
  if (value === null && !structure.nullable) return structure.default ?? null;
  return fillDefaults(value, structure);
}
