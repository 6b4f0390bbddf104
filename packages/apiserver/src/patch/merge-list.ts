import { deepEqual, isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { goPrint } from '../go-text.ts';
import { directive } from './directives.ts';
import { identityBy, inOrder, keyValue } from './element-order.ts';
import { badDirective, listOfLists, unmergeable } from './patch-error.ts';

export type MergeItems = (original: JsonObject, patch: JsonObject) => JsonObject;

/**
 * A list merged with its patch: scalars as a set, objects by their merge key.
 * @param mergeItems how an object is merged with its patch
 * @throws ApiError 422, 500
 */
export function mergeList(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { mergeKey, mergeItems }: { readonly mergeKey: string | undefined; readonly mergeItems: MergeItems },
): readonly JsonValue[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (!areObjects(original, patch)) {
    const identity = identityBy(mergeKey);
    const seen = new Set<string>();
    const all = [...original, ...patch].filter((item) => {
      const key = identity(item);
      return !seen.has(key) && seen.add(key);
    });
    return inOrder(all, { wanted: patch, original, identity });
  }
  if (mergeKey === undefined) throw unmergeable('cannot merge lists without merge key for struct');
  const directed = followDirectives(original as readonly JsonObject[], patch as readonly JsonObject[], mergeKey);
  const merged = mergeByKey(directed, mergeKey, mergeItems);
  return inOrder(merged, { wanted: directed.patch, original: directed.original, identity: identityBy(mergeKey) });
}

/** Whether the items are objects: all of them, or none. @throws ApiError 500 where they differ, or there are none; 422 of lists */
export function areObjects(...lists: readonly (readonly JsonValue[])[]): boolean {
  const [first, ...others] = lists.flat();
  if (first === undefined) throw unmergeable('no elements in any of the given slices');
  const type = typeOf(first);
  if (type === 'list') throw listOfLists();
  if (others.some((item) => typeOf(item) !== type)) {
    throw unmergeable(`list element types are not identical: ${goPrint(lists)}`);
  }
  return type === 'object';
}

function typeOf(value: JsonValue): string {
  if (isJsonArray(value)) return 'list';
  if (isJsonObject(value)) return 'object';
  return value === null ? 'null' : typeof value === 'object' ? 'number' : typeof value;
}

interface Lists {
  readonly original: readonly JsonObject[];
  readonly patch: readonly JsonObject[];
}

/** Without the items that say what to do with others, and with that done. */
function followDirectives(original: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string): Lists {
  let kept = original;
  let replaces = false;
  const items: JsonObject[] = [];
  for (const item of patch) {
    const what = ownValue(item, directive);
    if (what === undefined) items.push(item);
    else if (what === 'delete') kept = withoutKey(kept, mergeKey, keyValue(item, mergeKey));
    else if (what === 'replace') replaces = true;
    else if (what === 'merge') throw unmergeable('merging lists cannot yet be specified in the patch');
    else throw badDirective(what, item);
  }
  return replaces ? { original: items, patch: [] } : { original: kept, patch: items };
}

const withoutKey = (items: readonly JsonObject[], mergeKey: string, key: JsonValue): readonly JsonObject[] =>
  items.filter((item) => !sameKey(ownValue(item, mergeKey), key));

const sameKey = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a !== undefined && b !== undefined && deepEqual(a, b);

/** Items of the patch that are new stand at the end. */
function mergeByKey({ original, patch }: Lists, mergeKey: string, mergeItems: MergeItems): readonly JsonObject[] {
  const out = [...original];
  for (const item of patch) {
    const key = keyValue(item, mergeKey);
    const at = out.findIndex((other) => sameKey(ownValue(other, mergeKey), key));
    const before = out[at];
    if (before) out[at] = mergeItems(before, item);
    else out.push(item);
  }
  return out;
}
