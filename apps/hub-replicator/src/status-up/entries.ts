/** The lists of a status whose items belong to one controller each: what a Gateway controller says of a policy or a route. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { type ConditionContext } from './conditions.ts';
import { referenceKey } from './references.ts';
import { translated } from './translate.ts';
import type { SharedList } from './write.ts';

/** Where such entries stand, and which member of theirs names what they are about. */
export interface EntryShape {
  readonly list: 'ancestors' | 'parents';
  readonly reference: 'ancestorRef' | 'parentRef';
}

export const policyEntries: EntryShape = { list: 'ancestors', reference: 'ancestorRef' };
export const routeEntries: EntryShape = { list: 'parents', reference: 'parentRef' };

export interface EntryOwner {
  /** As whom we write them. */
  readonly controllerName: string;
  /** The upstream object's. */
  readonly namespace: string;
}

/** The most entries that Gateway API lets a status have, by list. */
const mostEntries = { ancestors: 16, parents: 32 } as const;

/** Our entries in a status, by what they are about; the first of each. */
export function ownEntries(
  status: JsonObject | undefined,
  shape: EntryShape,
  owner: EntryOwner,
): ReadonlyMap<string, JsonObject> {
  const keyOf = entryKey(shape, owner);
  const byKey = new Map<string, JsonObject>();
  for (const item of itemsOf(status, shape)) {
    const key = keyOf(item);
    if (key !== undefined && isJsonObject(item) && !byKey.has(key)) byKey.set(key, item);
  }
  return byKey;
}

/** Every entry of the hub as ours. Of two about one thing the first one counts. */
export function entriesUp(
  hub: JsonObject,
  old: ReadonlyMap<string, JsonObject>,
  {
    shape,
    owner,
    context,
  }: { readonly shape: EntryShape; readonly owner: EntryOwner; readonly context: ConditionContext },
): ReadonlyMap<string, JsonObject> {
  const byKey = new Map<string, JsonObject>();
  for (const item of itemsOf(hub, shape)) {
    if (!isJsonObject(item)) continue;
    const { [shape.reference]: reference } = translated(
      { [shape.reference]: item[shape.reference] },
      undefined,
      context,
    );
    const key = referenceKey(reference, owner.namespace);
    if (byKey.has(key)) continue;
    byKey.set(key, { ...translated(item, old.get(key), context), controllerName: owner.controllerName });
  }
  return byKey;
}

/** Entries as a list that we share with other controllers: as many of ours as there is room for beside theirs. */
export function sharedEntries(
  items: ReadonlyMap<string, JsonObject>,
  status: JsonObject | undefined,
  { shape, owner }: { readonly shape: EntryShape; readonly owner: EntryOwner },
): SharedList {
  const keyOf = entryKey(shape, owner);
  const foreign = itemsOf(status, shape).filter((item) => keyOf(item) === undefined).length;
  return {
    name: shape.list,
    keyOf,
    items: new Map([...items].slice(0, Math.max(0, mostEntries[shape.list] - foreign))),
  };
}

const entryKey =
  ({ reference }: EntryShape, { controllerName, namespace }: EntryOwner) =>
  (item: JsonValue): string | undefined =>
    isJsonObject(item) && item['controllerName'] === controllerName
      ? referenceKey(item[reference], namespace)
      : undefined;

function itemsOf(status: JsonObject | undefined, { list }: EntryShape): readonly JsonValue[] {
  const items = status && ownValue(status, list);
  return isJsonArray(items) ? items : [];
}
