/**
 * One step of the path to a field, as FieldsV1 writes it: `f:name` of a map or struct, `k:{"type":"Ready"}` of a list by key, `v:"x"` of
 * a set, `i:0`. Always in one spelling, so that equal steps are equal texts.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/serialize-pe.go
 */
import {
  canonicalJson,
  compareTexts,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@lifeline/core';
import { goJson, goNumber, goQuote } from '../../go-text.ts';
import { isNumber } from '../../go-type.ts';

export type Element = string;

export const fieldElement = (name: string): Element => `f:${name}`;

export const valueElement = (value: JsonValue): Element => `v:${shortText(value)}`;

/** @param fields names and values of the keys that an item has; any order */
export const keyElement = (fields: readonly (readonly [name: string, value: JsonValue])[]): Element => {
  const [only] = fields;
  if (only && fields.length === 1) return `k:{${shortText(only[0])}:${shortText(only[1])}}`;
  const inOrder = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${inOrder.map(([name, value]) => `${shortText(name)}:${shortText(value)}`).join(',')}}`;
};

/** Nothing in it that JSON, or Go's fear of HTML, would escape. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

function shortText(value: JsonValue): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`;
  return isNumber(value) ? numberText(value) : goJson(value);
}

/** 1.0 is 1: numbers are the same step when they are equal. */
const numberText = (value: number | JsonNumber): string =>
  value instanceof JsonNumber && !/^-?\d+$/.test(value.text) ? goNumber(Number(value.text)) : goNumber(value);

/**
 * A step as a client wrote it, in our spelling; undefined for a kind of step that nobody knows yet, which is passed over.
 * @throws JsonError or TypeError for what is no step at all
 */
export function parseElement(text: string): Element | undefined {
  if (text[1] !== ':') throw new TypeError(`no path element: ${text}`);
  const rest = text.slice(2);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(rest));
    case 'k': {
      const keys = parseJson(rest);
      if (!isJsonObject(keys)) throw new TypeError(`no keys: ${text}`);
      return keyElement(Object.entries(keys) as [string, JsonValue][]);
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new TypeError(`no index: ${text}`);
      return `i:${Number(rest)}`;
    default:
      return undefined;
  }
}

/** As messages show it: `.name`, `[port=1,protocol="TCP"]`, `[="x"]`, `[0]`. */
export function describeElement(element: Element): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const keys = Object.entries(parseJson(rest) as JsonObject);
      return `[${keys.map(([name, value]) => `${name}=${describeValue(value ?? null)}`).join(',')}]`;
    }
    case 'v':
      return `[=${describeValue(parseJson(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

function describeValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[${value.map(describeValue).join(',')}]`;
  if (isJsonObject(value)) {
    return Object.entries(value)
      .map(([key, item]) => `${key}=${describeValue(item ?? null)}`)
      .join('');
  }
  return isNumber(value) ? goNumber(value) : String(value);
}

/** The order in which steps are written: fields, keys, values, indexes; numbers by value. */
export function compareElements(a: Element, b: Element): number {
  const kind = a.charCodeAt(0);
  const difference = kindOrder.indexOf(a[0] ?? '') - kindOrder.indexOf(b[0] ?? '');
  if (difference !== 0) return difference;
  if (kind === fieldKind || a === b || (ordered.test(a) && ordered.test(b))) return compareTexts(a, b);
  const left = parseJson(a.slice(2));
  const right = parseJson(b.slice(2));
  return kind === keyKind ? compareKeys(left as JsonObject, right as JsonObject) : compareValues(left, right);
}

/** One text, of characters that come after the quote that ends it: in the order of what it says. */
const ordered = /^(?:k:\{"[#-[\]-~]*":"[#-[\]-~]*"\}|v:"[#-[\]-~]*")$/;

const kindOrder = 'fkvi';
const fieldKind = 'f'.charCodeAt(0);
const keyKind = 'k'.charCodeAt(0);

function compareKeys(left: JsonObject, right: JsonObject): number {
  const [a, b] = [Object.entries(left), Object.entries(right)];
  for (const [index, [name, value]] of a.entries()) {
    const [otherName, otherValue] = b[index] ?? [];
    if (otherName === undefined) return 1;
    const order = compareTexts(name, otherName) || compareValues(value ?? null, otherValue ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers before texts before all else, which is rare enough to go by its text. */
function compareValues(left: JsonValue, right: JsonValue): number {
  const ranks = rankOf(left) - rankOf(right);
  if (ranks !== 0) return ranks;
  if (typeof left === 'string' || rankOf(left) > 1) return compareTexts(textOf(left), textOf(right));
  return Number(left) - Number(right);
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : canonicalJson(value));

function rankOf(value: JsonValue): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (isJsonArray(value)) return 3;
  return value === null ? 5 : 4;
}
