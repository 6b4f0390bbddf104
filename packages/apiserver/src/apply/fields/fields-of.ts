/** The fields that an object speaks of. */
import { isJsonArray, isJsonObject, type JsonValue } from '@lifeline/core';
import { type Element, fieldElement } from './element.ts';
import { emptySet, type FieldSet, isEmptySet, leaf, nodeOf, withSelf } from './field-set.ts';
import { indexItems } from './items.ts';
import { formOf, type ListType, type MapType, memberType, type MergeType } from './merge-type.ts';

/**
 * What an applier owns by saying it: leaves, items of lists, members of maps; structs only where they are empty or null.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/tofieldset.go
 */
export const appliedFields = (type: MergeType, value: JsonValue): FieldSet => applied(type, value).below;

interface Node {
  readonly member: boolean;
  readonly below: FieldSet;
}

const ownLeaf: Node = { member: true, below: emptySet };
const nothing: Node = { member: false, below: emptySet };

function applied(type: MergeType, value: JsonValue): Node {
  switch (formOf(type, value)) {
    case 'scalar':
      return ownLeaf;
    case 'list': {
      const list = type.list as ListType;
      if (list.kind === 'atomic') return ownLeaf;
      return isJsonArray(value) ? { member: false, below: appliedItems(list, value) } : nothing;
    }
    case 'map': {
      const map = type.map as MapType;
      if (map.atomic) return ownLeaf;
      return isJsonObject(value) ? { member: false, below: appliedMembers(map, value) } : nothing;
    }
  }
}

function appliedItems(list: ListType, items: readonly JsonValue[]): FieldSet {
  const children: Record<Element, FieldSet> = {};
  for (const [element, [item, ...others]] of indexItems(list, items)) {
    const isDouble = others.length > 0;
    children[element] = isDouble ? leaf : withSelf(applied(list.items, item as JsonValue).below);
  }
  return nodeOf(children);
}

function appliedMembers(map: MapType, value: Readonly<Record<string, JsonValue | undefined>>): FieldSet {
  const children: Record<Element, FieldSet> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const { member: isOwned, below } = applied(memberType(map, name), member);
    if (isOwned || isHollow(member) || !map.fields.has(name)) children[fieldElement(name)] = withSelf(below);
    else if (!isEmptySet(below)) children[fieldElement(name)] = below;
  }
  return nodeOf(children);
}

const isHollow = (value: JsonValue): boolean =>
  value === null || (isJsonObject(value) && Object.keys(value).length === 0);

/** All fields of a value that came or went as a whole, containers among them: the node of the value itself. */
export function wholeTree(type: MergeType, value: JsonValue): FieldSet {
  switch (formOf(type, value)) {
    case 'scalar':
      return leaf;
    case 'list': {
      const list = type.list as ListType;
      if (list.kind === 'atomic' || !isJsonArray(value) || value.length === 0) return leaf;
      const children: Record<Element, FieldSet> = {};
      for (const [element, [item, ...others]] of indexItems(list, value)) {
        children[element] = others.length > 0 ? leaf : wholeTree(list.items, item as JsonValue);
      }
      return withSelf(nodeOf(children));
    }
    case 'map': {
      const map = type.map as MapType;
      if (map.atomic || !isJsonObject(value)) return leaf;
      const children: Record<Element, FieldSet> = {};
      for (const name of Object.keys(value)) {
        const member = value[name];
        if (member !== undefined) children[fieldElement(name)] = wholeTree(memberType(map, name), member);
      }
      return withSelf(nodeOf(children));
    }
  }
}
