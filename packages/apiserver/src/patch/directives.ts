/** Keys of a strategic merge patch that say how to patch. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@lifeline/core';
import { badElementOrder, badPrimitiveList } from './patch-error.ts';

/** `delete` or `replace`. */
export const directive = '$patch';

/** The only keys of an object that stay. */
export const retainKeys = '$retainKeys';

const deletions = '$deleteFromPrimitiveList';
const elementOrder = '$setElementOrder';

export const isDeletion = (key: string): boolean => key.startsWith(deletions);

export const isElementOrder = (key: string): boolean => key.startsWith(elementOrder);

/** The list that `$deleteFromPrimitiveList/x` is about. @throws ApiError 400 */
export const deletedFrom = (key: string): string => listOf(key, deletions) ?? fail(badPrimitiveList());

/** The list that `$setElementOrder/x` is about. @throws ApiError 400 */
export const orderedList = (key: string): string => listOf(key, elementOrder) ?? fail(badElementOrder());

const listOf = (key: string, prefix: string): string | undefined =>
  key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;

const fail = (error: Error): never => {
  throw error;
};

/** A value of a patch that is taken as it is; undefined for one that is nothing but a directive. */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) {
    return value.flatMap((item) => {
      const kept = withoutDirectives(item);
      return kept === undefined ? [] : [kept];
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.hasOwn(value, directive) ? undefined : mapMembers(value, withoutDirectives);
}

/** Nulls in a patch delete, and where there is nothing to delete they are nothing. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member) => (member === null ? undefined : withoutNulls(member)));
}

function mapMembers(object: JsonObject, change: (member: JsonValue) => JsonValue | undefined): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) {
    const member = object[key];
    const changed = member === undefined ? undefined : change(member);
    if (changed !== undefined) setOwn(out, key, changed);
  }
  return out;
}
