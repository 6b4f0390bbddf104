/** A body without the fields that the hub does not know. */
import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';

/**
 * The body without these fields; the fields that were not found in it are left alone.
 *
 * @param fields as a server names them, see `undeclaredFields`: names are not quoted there, so what a path means is found in the body
 */
export function withoutFields(
  body: JsonObject,
  fields: readonly string[],
): { readonly body: JsonObject; readonly leftOut: readonly string[] } {
  let rest = body;
  const leftOut = fields.filter((field) => {
    const shorter = without(rest, `.${field}`);
    if (isJsonObject(shorter)) rest = shorter;
    return shorter !== undefined;
  });
  return { body: rest, leftOut };
}

/** The value without what the path leads to; undefined when it leads nowhere. */
function without(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (isJsonObject(value)) return withoutMember(value, path);
  return isJsonArray(value) ? withoutInItem(value, path) : undefined;
}

function withoutMember(object: JsonObject, path: string): JsonObject | undefined {
  for (const name of Object.keys(object)) {
    if (!path.startsWith(`.${name}`)) continue;
    const rest = path.slice(name.length + 1);
    const shorter = rest === '' ? undefined : without(ownValue(object, name), rest);
    if (rest !== '' && shorter === undefined) continue;
    const others = Object.entries(object).map(([key, member]) => [key, key === name ? shorter : member] as const);
    return Object.fromEntries(others.filter(([, member]) => member !== undefined));
  }
  return undefined;
}

/** `[0]`, or the keys of an item: `[name="a",port=1]`. */
const item = /^\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\](.*)$/s;

function withoutInItem(items: readonly JsonValue[], path: string): readonly JsonValue[] | undefined {
  const [, which = '', rest = ''] = item.exec(path) ?? [];
  if (rest === '') return undefined;
  for (const [index, value] of items.entries()) {
    if (!isMeant(which, value, index)) continue;
    const shorter = without(value, rest);
    if (shorter !== undefined) return items.with(index, shorter);
  }
  return undefined;
}

/** A key that the item lacks has its default there: any will do. */
function isMeant(which: string, value: JsonValue, index: number): boolean {
  if (/^\d+$/.test(which)) return Number(which) === index;
  if (!isJsonObject(value)) return false;
  const keys = [...which.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)];
  return keys.every(([, key = '', text = '']) => {
    const found = ownValue(value, key);
    return found === undefined || canonicalJson(found) === text;
  });
}
