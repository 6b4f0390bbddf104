/**
 * Strategic merge patches: merge patches that know which lists are merged, and by which key.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '@lifeline/core';
import { goPrint } from '../go-text.ts';
import type { FieldType, MessageType } from '../schema/message-type.ts';
import {
  deletedFrom,
  directive,
  isDeletion,
  isElementOrder,
  orderedList,
  retainKeys,
  withoutDirectives,
  withoutNulls,
} from './directives.ts';
import { identityBy, inOrder } from './element-order.ts';
import { areObjects, mergeList } from './merge-list.ts';
import { badDirective, badRetainKeys, badValue, unmergeable } from './patch-error.ts';
import { type FieldPatch, listPatch, objectPatch, typeOfMessage } from './patch-type.ts';

/**
 * An object of a built-in type with a patch applied. What is in the patch and not in the type stays: decoding takes it out.
 * @throws ApiError 400, 422, or 500, as a real server says it
 */
export const applyStrategicMergePatch = (type: MessageType, original: JsonObject, patch: JsonObject): JsonObject =>
  mergeObject(typeOfMessage(type), original, patch);

type Members = Record<string, JsonValue | undefined>;

function mergeObject(type: FieldType, original: JsonObject, patch: JsonObject): JsonObject {
  const what = ownValue(patch, directive);
  if (what !== undefined) return directed(what, patch);
  const out: Members = retained(original, patch);
  const ordered = mergeOrderedLists(type, out, patch);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined || key === retainKeys || isElementOrder(key) || ordered.has(key)) continue;
    if (isDeletion(key)) deleteItems(out, deletedFrom(key), value);
    else mergeMember(type, out, [key, value]);
  }
  return out;
}

function directed(what: JsonValue, patch: JsonObject): JsonObject {
  if (what === 'delete') return {};
  if (what !== 'replace') throw badDirective(what, patch);
  const { [directive]: _, ...object } = patch;
  return object;
}

/** A copy of the original, with only those keys that the patch lets stay. @throws ApiError 400 */
function retained(original: JsonObject, patch: JsonObject): Members {
  const list = ownValue(patch, retainKeys);
  if (list === undefined) return { ...original };
  if (!isJsonArray(list)) throw badRetainKeys();
  const keys = new Set(list);
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || patch[key] === null || isDeletion(key) || isElementOrder(key)) continue;
    if (!keys.has(key)) throw badRetainKeys();
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.has(key)));
}

/** Merges the lists that come with an order. Returns their keys: they are done. */
function mergeOrderedLists(type: FieldType, out: Members, patch: JsonObject): ReadonlySet<string> {
  const done = new Set<string>();
  for (const key of Object.keys(patch).filter(isElementOrder)) {
    const order = patch[key] ?? null;
    if (!isJsonArray(order)) throw badValue('list', order);
    const list = orderedList(key);
    const [original, items] = [listIn(out, list), listIn(patch, list)];
    const field = listPatch(type, list);
    const identity = identityBy(field.mergeKey);
    checkOrder(items ?? [], order, field);
    const merged = mergedItems(original, items, field);
    if (!merged) continue;
    areObjects(original ?? [], items ?? []);
    setOwn<JsonValue | undefined>(out, list, inOrder(merged, { wanted: order, original: original ?? [], identity }));
    done.add(list);
  }
  return done;
}

function listIn(object: JsonObject, key: string): readonly JsonValue[] | undefined {
  const value = ownValue(object, key);
  if (value !== undefined && !isJsonArray(value)) throw badValue('list', value);
  return value;
}

function mergedItems(
  original: readonly JsonValue[] | undefined,
  patch: readonly JsonValue[] | undefined,
  field: FieldPatch,
): readonly JsonValue[] | undefined {
  if (!patch) return original;
  return original ? mergeItems(original, patch, field) : (withoutDirectives(patch) as readonly JsonValue[]);
}

function mergeItems(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { strategy, mergeKey, type }: FieldPatch,
): readonly JsonValue[] {
  if (strategy !== 'merge') return patch;
  return mergeList(original, patch, { mergeKey, mergeItems: (item, change) => mergeObject(type, item, change) });
}

/** The items of a patch stand in the order that it asks for, and in no other. @throws ApiError 500 */
function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], { mergeKey }: FieldPatch): void {
  const identity = identityBy(mergeKey);
  const items = patch.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, directive)));
  let at = 0;
  for (const item of items) {
    while (at < order.length && identity(order[at] as JsonValue) !== identity(item)) at++;
    if (at === order.length && order.length > 0) {
      const [sent, wanted] = [goPrint(patch), goPrint(order)];
      throw unmergeable(`The order in patch list:\n${sent}\n doesn't match $setElementOrder list:\n${wanted}\n`);
    }
    at++;
  }
}

function deleteItems(out: Members, key: string, value: JsonValue): void {
  if (value === null) delete out[key];
  const list = ownValue(out, key);
  if (!isJsonArray(list) || !isJsonArray(value)) return;
  const identity = identityBy(undefined);
  const gone = new Set(value.map(identity));
  setOwn<JsonValue | undefined>(
    out,
    key,
    list.filter((item) => !gone.has(identity(item))),
  );
}

function mergeMember(type: FieldType, out: Members, [key, value]: readonly [key: string, value: JsonValue]): void {
  const before = ownValue(out, key);
  const set = (merged: JsonValue): void => setOwn<JsonValue | undefined>(out, key, merged);
  if (value === null) delete out[key];
  else if (isJsonObject(value) && isJsonObject(before)) {
    const field = objectPatch(type, key);
    set(field.strategy === 'replace' ? value : mergeObject(field.type, before, value));
  } else if (isJsonArray(value) && isJsonArray(before)) {
    set(mergeItems(before, value, listPatch(type, key)));
  } else {
    const added = withoutDirectives(withoutNulls(value));
    if (added === undefined) delete out[key];
    else set(added);
  }
}
