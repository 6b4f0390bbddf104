/** What a list of type `set` or `map` promises: no two items alike, no two with the same keys. JSON Schema cannot say it. */
import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { child, duplicate, type FieldPath, invalidValue } from '../field-error.ts';
import type { Structure } from './structure.ts';

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/listtype/validation.go */
export function duplicateItems(value: JsonValue, structure: Structure): readonly Cause[] {
  const found: Cause[] = [];
  if (structure.hasListTypes) collect(value, structure, { path: '', found });
  return found;
}

interface Search {
  readonly path: FieldPath;
  readonly found: Cause[];
}

/** Asks only where there is a list type below: it runs with every write. */
function collect(value: JsonValue, structure: Structure, { path, found }: Search): void {
  if (isJsonArray(value)) {
    if (value.length > 0) found.push(...duplicatesOf(value, structure, path));
    const { items } = structure;
    if (!items?.hasListTypes) return;
    for (const [index, item] of value.entries()) collect(item, items, { path: `${path}[${index}]`, found });
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, property] of structure.properties) {
    const member = property.hasListTypes ? ownValue(value, name) : undefined;
    if (member !== undefined) collect(member, property, { path: child(path, name), found });
  }
  const { rest } = structure;
  if (!rest?.hasListTypes) return;
  for (const [key, member] of Object.entries(value)) {
    if (structure.properties.has(key) || member === undefined) continue;
    collect(member, rest, { path: `${path}[${key}]`, found });
  }
}

const none: readonly Cause[] = [];

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
      if (list.length < 2) return none;
      const names = structure.listMapKeys;
      const [only, ...others] = names;
      const texts = only !== undefined && others.length === 0 ? list.map((item) => textOf(item, only)) : undefined;
      if (texts?.every((text) => text !== undefined) && new Set(texts).size === list.length) return none;
      const keys = list.map((item) => keysOf(item as JsonObject | null, names));
      return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]));
    }
    case 'atomic':
    case undefined:
      return none;
  }
}

const textOf = (item: JsonValue, key: string): string | undefined => {
  const value = isJsonObject(item) ? ownValue(item, key) : undefined;
  return typeof value === 'string' ? value : undefined;
};

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
