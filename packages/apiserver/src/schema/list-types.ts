/** What a list of type `set` or `map` promises: no two items alike, no two with the same keys. JSON Schema cannot say it. */
import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { child, duplicate, type FieldPath, invalidValue } from '../field-error.ts';
import type { Structure } from './structure.ts';

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/listtype/validation.go */
export function duplicateItems(value: JsonValue, structure: Structure, path: FieldPath = ''): readonly Cause[] {
  if (!structure.hasInvariants) return [];
  if (isJsonArray(value)) {
    const { items } = structure;
    const own = duplicatesOf(value, structure, path);
    const below = items ? value.map((item, index) => duplicateItems(item, items, `${path}[${index}]`)) : [];
    return [...own, ...below.flat()];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const property = structure.properties.get(key);
    if (property) return duplicateItems(member ?? null, property, child(path, key));
    return structure.rest ? duplicateItems(member ?? null, structure.rest, `${path}[${key}]`) : [];
  });
}

function duplicatesOf(list: readonly JsonValue[], structure: Structure, path: FieldPath): readonly Cause[] {
  switch (structure.listType) {
    case 'set':
      return repeated(list).map((index) => duplicate(`${path}[${index}]`, list[index]));
    case 'map': {
      const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
      if (stranger >= 0) {
        return [
          invalidValue(`${path}[${stranger}]`, list[stranger], 'must be an object for an array of list-type map'),
        ];
      }
      const keys = list.map((item) => keysOf(item as JsonObject | null, structure.listMapKeys));
      return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]));
    }
    case 'atomic':
    case undefined:
      return [];
  }
}

/** The part of an item that a list map knows it by: what it lacks of its keys is left out. */
export const keysOf = (item: JsonObject | null, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = item === null ? undefined : ownValue(item, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** Indexes of the items that are the second of their kind. Those after the second are not told. */
function repeated(list: readonly JsonValue[]): readonly number[] {
  if (list.length < 2) return [];
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = canonicalJson(item);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [index] : [];
  });
}
