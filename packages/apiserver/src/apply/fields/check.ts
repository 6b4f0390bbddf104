/**
 * Whether a configuration is of its type, in the words of a real server. Null is always right.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/validate.go
 */
import { isJsonArray, isJsonObject, type JsonObject, JsonNumber, type JsonValue } from '@lifeline/core';
import { goPrint, goQuote } from '../../go-text.ts';
import { describeElement, type Element, fieldElement } from './element.ts';
import { ItemFlaw, itemElement } from './items.ts';
import { formOf, type ListType, type MapType, type MergeType } from './merge-type.ts';

/** What is wrong, each with its path: `.spec.size: expected numeric (int or float), got string`. */
export const configurationFlaws = (type: MergeType, config: JsonObject): readonly string[] => {
  const flaws: string[] = [];
  check(type, config, { path: '', flaws });
  return flaws;
};

interface Place {
  readonly path: string;
  readonly flaws: string[];
}

const tell = ({ path, flaws }: Place, message: string): void => {
  flaws.push(path === '' ? message : `${path}: ${message}`);
};

const within = ({ path, flaws }: Place, step: string): Place => ({ path: `${path}${step}`, flaws });

function check(type: MergeType, value: JsonValue, place: Place): void {
  if (value === null) return;
  switch (formOf(type, value)) {
    case 'scalar':
      checkScalar(type.scalar, value, place);
      return;
    case 'list':
      if (isJsonArray(value)) checkItems(type.list as ListType, value, place);
      else tell(place, `expected list, got ${goPointer(value)}`);
      return;
    case 'map':
      if (isJsonObject(value)) checkMembers(type.map as MapType, value, place);
      else tell(place, `expected map, got ${goPointer(value)}`);
  }
}

function checkScalar(scalar: MergeType['scalar'], value: JsonValue, place: Place): void {
  const isNumber = typeof value === 'number' || value instanceof JsonNumber;
  switch (scalar) {
    case 'numeric':
      if (!isNumber) tell(place, `expected numeric (int or float), got ${goTypeName(value)}`);
      return;
    case 'string':
      if (typeof value !== 'string') {
        tell(place, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
      }
      return;
    case 'boolean':
      if (typeof value !== 'boolean') tell(place, `expected boolean, got ${goPointer(value)}`);
      return;
    case 'untyped':
    case undefined:
      if (isJsonArray(value) || isJsonObject(value)) tell(place, `expected any scalar, got ${goPointer(value)}`);
  }
}

/** An item that has no place in its list ends the search. */
function checkItems(list: ListType, items: readonly JsonValue[], place: Place): void {
  const seen = new Set<Element>();
  for (const [index, item] of items.entries()) {
    const element = list.kind === 'atomic' ? `i:${index}` : itemElement(list, item);
    if (element instanceof ItemFlaw) {
      tell(place, `element ${index}: ${element.message}`);
      return;
    }
    const step = describeElement(element);
    if (seen.has(element)) tell(place, `duplicate entries for key ${step}`);
    seen.add(element);
    check(list.items, item, within(place, step));
  }
}

/** A field that the type does not know ends the search. */
function checkMembers(map: MapType, object: JsonObject, place: Place): void {
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const type = map.fields.get(name)?.type ?? map.rest;
    const member = within(place, describeElement(fieldElement(name)));
    if (!type) {
      tell(member, 'field not declared in schema');
      return;
    }
    check(type, value, member);
  }
}

/** `%T`. */
function goTypeName(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return isJsonArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** `%v` of a pointer to a struct that holds the value. */
const goPointer = (value: JsonValue): string => `&{${goPrint(value)}}`;

/** `%#v`. */
function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isJsonObject(value)) {
    return `map[string]interface {}{${members(value)
      .map(([key, item]) => `${goQuote(key)}:${goSyntax(item)}`)
      .join(', ')}}`;
  }
  return goPrint(value);
}

const members = (object: JsonObject): readonly (readonly [string, JsonValue])[] =>
  Object.entries(object)
    .map(([key, value]) => [key, value ?? null] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
