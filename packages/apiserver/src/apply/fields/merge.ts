/**
 * An object with a configuration laid over it.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/merge.go
 */
import {
  deepEqual,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sameValue,
  setOwn,
} from '@lifeline/core';
import type { Element } from './element.ts';
import { indexItems, itemElement } from './items.ts';
import { formOf, type ListType, type MapType, memberType, type MergeType } from './merge-type.ts';

/** Nothing is removed by it. What the configuration does not change is shared with `live`: `live` itself when it changes nothing. */
export const mergeObjects = (type: MergeType, live: JsonObject, config: JsonObject): JsonObject =>
  mergeValues(type, live, config) as JsonObject;

function mergeValues(type: MergeType, live: JsonValue | undefined, config: JsonValue): JsonValue {
  if (live === undefined || live === config) return config;
  switch (formOf(type, config)) {
    case 'scalar':
      return unlessEqual(live, config);
    case 'list': {
      const list = type.list as ListType;
      const [old, next] = [itemsOf(live), itemsOf(config)];
      if (list.kind === 'atomic' || old.length + next.length === 0) return unlessEqual(live, config);
      const merged = mergeItems(list, old, next);
      return isJsonArray(live) && isSameList(live, merged) ? live : merged;
    }
    case 'map': {
      const map = type.map as MapType;
      const [old, next] = [membersOf(live), membersOf(config)];
      if (map.atomic || Object.keys(old).length + Object.keys(next).length === 0) return unlessEqual(live, config);
      return mergeMembers(map, old, next);
    }
  }
}

const unlessEqual = (live: JsonValue, config: JsonValue): JsonValue =>
  deepEqual(live, config, sameValue) ? live : config;

const itemsOf = (value: JsonValue): readonly JsonValue[] => (isJsonArray(value) ? value : []);
const membersOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

const isSameList = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

function mergeMembers(map: MapType, live: JsonObject, config: JsonObject): JsonObject {
  let out: Record<string, JsonValue | undefined> | undefined;
  for (const name of Object.keys(config)) {
    const next = config[name];
    if (next === undefined) continue;
    const old = Object.hasOwn(live, name) ? live[name] : undefined;
    const merged = mergeValues(memberType(map, name), old, next);
    if (merged !== old) setOwn((out ??= { ...live }), name, merged);
  }
  return out ?? live;
}

/**
 * Items of both lists, in the order of both as far as they agree. Where they do not, the configuration is followed; an item of `live`
 * alone stays before the shared item that it stood before.
 */
function mergeItems(list: ListType, live: readonly JsonValue[], config: readonly JsonValue[]): readonly JsonValue[] {
  const [old, next] = [elementsOf(list, live), elementsOf(list, config)];
  const [oldIndex, nextIndex] = [indexItems(list, live), indexItems(list, config)];
  const shared = next.filter(({ element }) => oldIndex.has(element)).map(({ element }) => element);
  const done = new Set<Element>();
  const out: JsonValue[] = [];
  let [from, to, nextShared] = [0, 0, 0];

  const take = ({ element, item }: Item): void => {
    // Of items that live has twice, none is the one that the configuration speaks of.
    const [only, ...others] = oldIndex.get(element) ?? [];
    out.push(mergeValues(list.items, others.length > 0 ? null : only, item));
    done.add(element);
    if (shared[nextShared] === element) nextShared++;
    to++;
  };

  for (let left = old[from], right = next[to]; left ?? right; left = old[from], right = next[to]) {
    if (left && !nextIndex.has(left.element)) {
      out.push(left.item);
      from++;
      continue;
    }
    if (left && right) {
      const expected = shared[nextShared];
      if (left.element === right.element) {
        take(right);
        from++;
        continue;
      }
      // It is in both, and its turn comes with the configuration.
      if (expected !== undefined && expected !== left.element) {
        from++;
        continue;
      }
    }
    if (left && done.has(left.element)) from++;
    if (right) take(right);
  }
  return out;
}

interface Item {
  readonly element: Element;
  readonly item: JsonValue;
}

const elementsOf = (list: ListType, items: readonly JsonValue[]): readonly Item[] =>
  items.flatMap((item) => {
    const element = itemElement(list, item);
    return typeof element === 'string' ? [{ element, item }] : [];
  });
