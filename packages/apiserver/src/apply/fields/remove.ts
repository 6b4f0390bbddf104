/**
 * Taking fields out of an object.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/remove.go
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@lifeline/core';
import { fieldElement } from './element.ts';
import { below, type FieldSet, hasMember, isEmptySet } from './field-set.ts';
import { ItemFlaw, itemElement } from './items.ts';
import { formOf, type ListType, type MapType, memberType, type MergeType } from './merge-type.ts';

/** Without the members of the set, and what is below them. A list or map that loses all it has becomes `null`, as on a real server. */
export const removeFields = (type: MergeType, object: JsonObject, fields: FieldSet): JsonObject =>
  (isEmptySet(fields) ? object : withoutFields(type, object, fields)) as JsonObject;

function withoutFields(type: MergeType, value: JsonValue, fields: FieldSet): JsonValue {
  switch (formOf(type, value)) {
    case 'scalar':
      return value;
    case 'list': {
      const list = type.list as ListType;
      return list.kind === 'atomic' || !isJsonArray(value) ? null : withoutItems(list, value, fields);
    }
    case 'map': {
      const map = type.map as MapType;
      return map.atomic || !isJsonObject(value) ? null : withoutMembers(map, value, fields);
    }
  }
}

function withoutItems(list: ListType, items: readonly JsonValue[], fields: FieldSet): JsonValue {
  const kept = items.flatMap((item): readonly JsonValue[] => {
    const element = itemElement(list, item);
    if (element instanceof ItemFlaw) return [item];
    if (hasMember(fields, element)) return [];
    const inner = below(fields, element);
    return [isEmptySet(inner) ? item : withoutFields(list.items, item, inner)];
  });
  return kept.length > 0 ? kept : null;
}

function withoutMembers(map: MapType, object: JsonObject, fields: FieldSet): JsonValue {
  const kept: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    const element = fieldElement(name);
    if (value === undefined || hasMember(fields, element)) continue;
    const inner = below(fields, element);
    setOwn(kept, name, isEmptySet(inner) ? value : withoutFields(memberType(map, name), value, inner));
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
