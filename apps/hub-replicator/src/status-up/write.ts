/** From the status that should stand upstream to the patch that puts it there. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPatchOperation,
  jsonPointer,
  type JsonValue,
  type Kind,
  type KubeObject,
  ownValue,
  setOwn,
  testResourceVersion,
  testUid,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import { saysTheSame } from './conditions.ts';

/** A list that we share with others, item by item. */
export interface SharedList {
  readonly name: string;
  /** What a stored item is called; undefined: it is not ours, and is left as it is. */
  readonly keyOf: (item: JsonValue) => string | undefined;
  /** Our items by that key, all of them. */
  readonly items: ReadonlyMap<string, JsonObject>;
}

/** A status as it should be. */
export interface WantedStatus {
  /** All members but the shared lists; undefined: those that stand there stay. */
  readonly members: JsonObject | undefined;
  readonly lists: readonly SharedList[];
}

/** `.status` of an object. */
export const statusOf = (object: KubeObject): JsonObject | undefined => {
  const status = ownValue(object as unknown as JsonObject, 'status');
  return isJsonObject(status) ? status : undefined;
};

/**
 * The one write that makes an object's status what is wanted; none when it says so already.
 *
 * A JSON patch, tested for the uid and the resourceVersion that were read. Not a server-side apply: what a predecessor wrote by update
 * stays its own, so that an apply which leaves it out would not remove it; and `ancestors` and `parents` are atomic, so that an apply
 * would own the entries of other controllers. A patch needs no version of the kind either: it is taken in any that the server serves.
 * Entries of others are not part of it, so that whatever odd thing stands in them is not sent back.
 */
export function statusWrites(kind: Kind, object: KubeObject, wanted: WantedStatus): readonly Write[] {
  const operations = operationsOf(statusOf(object), wanted);
  if (operations.length === 0) return [];
  const { namespace, name } = object.metadata;
  const body = [testUid(object), testResourceVersion(object), ...operations];
  return [
    {
      verb: 'patch',
      kind,
      name: { namespace, name },
      patch: { type: 'json', body },
      subresource: 'status',
      // A hub may know fields that this plane does not: without them the rest still holds.
      fieldValidation: 'Ignore',
    },
  ];
}

function operationsOf(old: JsonObject | undefined, { members, lists }: WantedStatus): JsonPatchOperation[] {
  if (!old) {
    const status: Record<string, JsonValue | undefined> = { ...members };
    for (const { name, items } of lists) if (items.size > 0) setOwn(status, name, [...items.values()]);
    return Object.keys(status).length > 0 ? [{ op: 'add', path: '/status', value: status }] : [];
  }
  const shared = new Set(lists.map(({ name }) => name));
  const names = members ? new Set([...Object.keys(old), ...Object.keys(members)]) : [];
  return [
    ...[...names].filter((name) => !shared.has(name)).flatMap((name) => memberOperations(name, old, members ?? {})),
    ...lists.flatMap((list) => listOperations(list, ownValue(old, list.name))),
  ];
}

function memberOperations(name: string, old: JsonObject, members: JsonObject): JsonPatchOperation[] {
  const path = jsonPointer('status', name);
  const value = ownValue(members, name) ?? undefined;
  if (saysTheSame(ownValue(old, name) ?? undefined, value)) return [];
  if (value === undefined) return [{ op: 'remove', path }];
  return [{ op: 'add', path, value }];
}

function listOperations({ name, keyOf, items }: SharedList, old: JsonValue | undefined): JsonPatchOperation[] {
  const path = (index: number | '-'): string => jsonPointer('status', name, index);
  if (!isJsonArray(old)) {
    return items.size === 0 ? [] : [{ op: 'add', path: jsonPointer('status', name), value: [...items.values()] }];
  }
  const missing = new Map(items);
  const replaced: JsonPatchOperation[] = [];
  const removed: JsonPatchOperation[] = [];
  for (const [index, item] of old.entries()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const value = missing.get(key);
    missing.delete(key);
    if (value === undefined) removed.unshift({ op: 'remove', path: path(index) });
    else if (!saysTheSame(item, value)) replaced.push({ op: 'replace', path: path(index), value });
  }
  // Removed from the end, so that no removal shifts the next index; added after that.
  const added = [...missing.values()].map((value): JsonPatchOperation => ({ op: 'add', path: path('-'), value }));
  return [...replaced, ...removed, ...added];
}
