/**
 * Whether a configuration is of its type, in the words of a real server. Null is always right.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/validate.go
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { goPrint, goQuote } from '../../go-text.ts';
import { goTypeName, isNumber } from '../../go-type.ts';
import { describeElement, type Element, fieldElement } from './element.ts';
import { ItemFlaw, itemElement } from './items.ts';
import { formOf, type ListType, type MapType, type MergeType } from './merge-type.ts';

/** What is wrong, each with its path: `.spec.size: expected numeric (int or float), got string`. */
export function configurationFlaws(type: MergeType, config: JsonObject): readonly string[] {
  const check = new Check();
  check.value(type, config);
  return check.flaws;
}

class Check {
  readonly flaws: string[] = [];
  /** Where we are. Told only where something is wrong. */
  readonly #path: Element[] = [];

  value(type: MergeType, value: JsonValue): void {
    if (value === null) return;
    switch (formOf(type, value)) {
      case 'scalar':
        this.#scalar(type.scalar, value);
        return;
      case 'list':
        if (isJsonArray(value)) this.#items(type.list as ListType, value);
        else this.#tell(`expected list, got ${goPointer(value)}`);
        return;
      case 'map':
        if (isJsonObject(value)) this.#members(type.map as MapType, value);
        else this.#tell(`expected map, got ${goPointer(value)}`);
    }
  }

  #scalar(scalar: MergeType['scalar'], value: JsonValue): void {
    switch (scalar) {
      case 'numeric':
        if (!isNumber(value)) this.#tell(`expected numeric (int or float), got ${goTypeName(value)}`);
        return;
      case 'string':
        if (typeof value === 'string') return;
        this.#tell(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        return;
      case 'boolean':
        if (typeof value !== 'boolean') this.#tell(`expected boolean, got ${goPointer(value)}`);
        return;
      case 'untyped':
      case undefined:
        if (isJsonArray(value) || isJsonObject(value)) this.#tell(`expected any scalar, got ${goPointer(value)}`);
    }
  }

  /** An item that has no place in its list ends the search. */
  #items(list: ListType, items: readonly JsonValue[]): void {
    const seen = new Set<Element>();
    for (const [index, item] of items.entries()) {
      const element = list.kind === 'atomic' ? `i:${index}` : itemElement(list, item);
      if (element instanceof ItemFlaw) {
        this.#tell(`element ${index}: ${element.message}`);
        return;
      }
      if (seen.has(element)) this.#tell(`duplicate entries for key ${describeElement(element)}`);
      seen.add(element);
      this.#within(element, () => this.value(list.items, item));
    }
  }

  /** A field that the type does not know ends the search. */
  #members(map: MapType, object: JsonObject): void {
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      const type = map.fields.get(name)?.type ?? map.rest;
      this.#within(fieldElement(name), () => {
        if (type) this.value(type, value);
        else this.#tell('field not declared in schema');
      });
      if (!type) return;
    }
  }

  #within(element: Element, check: () => void): void {
    this.#path.push(element);
    check();
    this.#path.pop();
  }

  #tell(message: string): void {
    const path = this.#path.map(describeElement).join('');
    this.flaws.push(path === '' ? message : `${path}: ${message}`);
  }
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
