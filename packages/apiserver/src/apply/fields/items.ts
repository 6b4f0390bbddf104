/** How the items of lists by value or by key are known. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { goQuote } from '../../go-text.ts';
import { type Element, keyElement, valueElement } from './element.ts';
import type { ListType } from './merge-type.ts';

/** An item that has no place in its list, in the words of a real server. */
export class ItemFlaw {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The path element of an item of a list that is not atomic. */
export function itemElement(list: ListType, item: JsonValue): Element | ItemFlaw {
  return list.kind === 'map' ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListType, item: JsonValue): Element | ItemFlaw {
  if (item === null) return nullWithKeys;
  if (!isJsonObject(item)) return notMap;
  const keys: (readonly [name: string, value: JsonValue])[] = [];
  for (const name of list.keys) {
    const value = keyValue(list, item, name);
    if (value !== undefined) keys.push([name, value]);
  }
  return keys.length === 0 ? noKeys(list.keys) : keyElement(keys);
}

/** A key that an item leaves out has its default. */
function keyValue({ items }: ListType, item: JsonObject, name: string): JsonValue | undefined {
  const value = ownValue(item, name);
  return value === undefined ? (items.map?.fields.get(name)?.default ?? undefined) : value;
}

function setElement(item: JsonValue): Element | ItemFlaw {
  if (isJsonObject(item)) return mapInSet;
  if (isJsonArray(item)) return listInSet;
  return item === null ? nullInSet : valueElement(item);
}

const nullWithKeys = new ItemFlaw('associative list with keys may not have a null element');
const notMap = new ItemFlaw('associative list with keys may not have non-map elements');
const mapInSet = new ItemFlaw("associative list without keys has an element that's a map type");
const listInSet = new ItemFlaw('not supported: associative list with lists as elements');
const nullInSet = new ItemFlaw("associative list without keys has an element that's an explicit null");
const noKeys = (keys: readonly string[]): ItemFlaw =>
  new ItemFlaw(
    `associative list with keys has an element that omits all key fields [${keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`,
  );

/** The items of a list by their elements, in order. What has no place in the list is left out. */
export function indexItems(list: ListType, items: readonly JsonValue[]): Map<Element, readonly JsonValue[]> {
  const index = new Map<Element, readonly JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (element instanceof ItemFlaw) continue;
    const before = index.get(element);
    index.set(element, before ? [...before, item] : [item]);
  }
  return index;
}
