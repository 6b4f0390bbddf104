/**
 * What differs between two states of an object.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/compare.go
 */
import { deepEqual, isJsonArray, isJsonObject, type JsonObject, type JsonValue, sameValue } from '@lifeline/core';
import { type Element, fieldElement } from './element.ts';
import { emptySet, type FieldSet, isEmptySet, leaf, nodeOf, unionNode, withoutTrees } from './field-set.ts';
import { wholeTree } from './fields-of.ts';
import { indexItems } from './items.ts';
import { type Form, formOf, type ListType, type MapType, memberType, type MergeType } from './merge-type.ts';

export interface Comparison {
  /** Fields of the new state that the old one lacks, containers among them. */
  readonly added: FieldSet;
  /** Leaves that both have, with other values. */
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Branches that both states share are not looked at, so that a small change of a large object is cheap. */
export function compareObjects(type: MergeType, before: JsonObject, after: JsonObject): Comparison {
  const { added = emptySet, modified = emptySet, removed = emptySet } = compareValues(type, before, after) ?? {};
  return { added, modified, removed };
}

/** A comparison in which these trees do not count. */
export const comparedWithout = ({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison => ({
  added: withoutTrees(added, ignored),
  modified: withoutTrees(modified, ignored),
  removed: withoutTrees(removed, ignored),
});

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  isEmptySet(added) && isEmptySet(modified) && isEmptySet(removed);

/** The nodes of one place. Undefined: it is in none. */
interface Differences {
  readonly added?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

const modifiedLeaf: Differences = { modified: leaf };

function compareValues(
  type: MergeType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Differences | undefined {
  if (before === after || type.ignored) return undefined;
  if (before === undefined) return { added: wholeTree(type, after as JsonValue) };
  if (after === undefined) return { removed: wholeTree(type, before) };
  const [was, is] = [formOf(type, before), formOf(type, after)];
  if (was === is) return compareAs(is, type, [before, after]);
  // It changed from a list to a map, say: both views of it count.
  return both(compareAs(was, type, [before, after]), compareAs(is, type, [before, after]));
}

type Pair = readonly [before: JsonValue, after: JsonValue];

function compareAs(form: Form, type: MergeType, pair: Pair): Differences | undefined {
  switch (form) {
    case 'scalar':
      return compareLeaf(pair);
    case 'list': {
      const list = type.list as ListType;
      const [before, after] = pair.map((value) => (isJsonArray(value) ? value : []));
      if (list.kind === 'atomic' || !before || !after || before.length + after.length === 0) return compareLeaf(pair);
      return compareItems(list, before, after);
    }
    case 'map': {
      const map = type.map as MapType;
      const [before, after] = pair.map((value) => (isJsonObject(value) ? value : {}));
      if (map.atomic || !before || !after || (isBare(before) && isBare(after))) return compareLeaf(pair);
      return compareMembers(map, before, after);
    }
  }
}

const compareLeaf = ([before, after]: Pair): Differences | undefined =>
  deepEqual(before, after, sameValue) ? undefined : modifiedLeaf;

function isBare(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function compareMembers(map: MapType, before: JsonObject, after: JsonObject): Differences | undefined {
  const found = new Collector();
  for (const name of Object.keys(before)) {
    const other = Object.hasOwn(after, name) ? after[name] : undefined;
    if (before[name] === other) continue;
    found.add(fieldElement(name), compareValues(memberType(map, name), before[name], other));
  }
  for (const name of Object.keys(after)) {
    if (after[name] === undefined || (Object.hasOwn(before, name) && before[name] !== undefined)) continue;
    found.add(fieldElement(name), compareValues(memberType(map, name), undefined, after[name]));
  }
  return found.differences;
}

function compareItems(
  list: ListType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Differences | undefined {
  // Cheaper to see than which item is which.
  if (deepEqual(before, after)) return undefined;
  const found = new Collector();
  const [old, now] = [indexItems(list, before), indexItems(list, after)];
  for (const [element, items] of old) found.add(element, compareAlike(list, items, now.get(element) ?? []));
  for (const [element, items] of now) if (!old.has(element)) found.add(element, compareAlike(list, [], items));
  return found.differences;
}

/** Items of one key. Where there are several of them, they count as one value. */
function compareAlike(
  list: ListType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Differences | undefined {
  const [was, is] = [before.length > 1, after.length > 1];
  if (was && is) return deepEqual(before, after, sameValue) ? undefined : modifiedLeaf;
  if (!was && !is) return compareValues(list.items, before[0], after[0]);
  if (was) return both({ removed: leaf }, compareValues(list.items, undefined, after[0]));
  return both({ added: leaf }, compareValues(list.items, before[0], undefined));
}

function both(a: Differences | undefined, b: Differences | undefined): Differences | undefined {
  if (!a || !b) return a ?? b;
  return {
    added: unionOf(a.added, b.added),
    modified: unionOf(a.modified, b.modified),
    removed: unionOf(a.removed, b.removed),
  };
}

const unionOf = (a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined =>
  a && b ? unionNode(a, b) : (a ?? b);

/** Puts the differences of members together. */
class Collector {
  #added: Record<Element, FieldSet> | undefined;
  #modified: Record<Element, FieldSet> | undefined;
  #removed: Record<Element, FieldSet> | undefined;

  add(element: Element, found: Differences | undefined): void {
    if (found?.added) (this.#added ??= {})[element] = found.added;
    if (found?.modified) (this.#modified ??= {})[element] = found.modified;
    if (found?.removed) (this.#removed ??= {})[element] = found.removed;
  }

  get differences(): Differences | undefined {
    if (!this.#added && !this.#modified && !this.#removed) return undefined;
    return {
      added: this.#added && nodeOf(this.#added),
      modified: this.#modified && nodeOf(this.#modified),
      removed: this.#removed && nodeOf(this.#removed),
    };
  }
}
