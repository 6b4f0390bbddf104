import { checkDepth, maxDepth } from './depth.ts';
import { JsonError } from './error.ts';
import { isJsonArray, JsonNumber } from './value.ts';

/**
 * The canonical text of a JSON value: no white space, keys in the order of their UTF-16 code units, string escapes as RFC 8785.
 *
 * Guarantees: equal content is equal text and the other way round, across processes and versions; parsing the text gives the content back.
 * Members that are undefined are left out.
 *
 * Two departures from RFC 8785, both so that nothing is lost: a number is written as it was read (`1.0` stays `1.0`, 9007199254740993
 * keeps its last digit; a plain number as ECMAScript prints it), and a lone surrogate becomes an escape (`\ud800`) instead of an error.
 * @throws JsonError `unsupported` for what JSON cannot hold (undefined outside of an object, NaN, functions, class instances);
 *   `too-deep` beyond 1000 levels, which is also how a cycle ends.
 * @see RFC 8785 sections 3.2.2.2 (strings) and 3.2.3 (order)
 */
export function canonicalJson(value: unknown): string {
  return isInOrder(value, 0) ? JSON.stringify(value) : write(value, 0);
}

/**
 * Whether `JSON.stringify` would write the canonical text, three times faster: all keys are in order, and nothing is in it that must be
 * refused. So it is with nearly every custom resource that an API server sends.
 */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > maxDepth) return false;
  if (value instanceof JsonNumber) return true;
  if (isJsonArray(value)) {
    for (const item of value) if (!isInOrder(item, depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  let last = '';
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (key < last || (member !== undefined && !isInOrder(member, depth + 1))) return false;
    last = key;
  }
  return true;
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      if (!Number.isFinite(value)) throw new JsonError('unsupported', `${value} is not JSON`);
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (value instanceof JsonNumber) return value.text;
      checkDepth(depth);
      return isJsonArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    case 'undefined':
    case 'function':
    case 'symbol':
    case 'bigint':
      throw new JsonError('unsupported', `${typeof value} is not JSON`);
  }
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '[';
  let separator = '';
  for (const item of items) {
    text += separator + write(item, depth + 1);
    separator = ',';
  }
  return `${text}]`;
}

function writeObject(object: object, depth: number): string {
  if (!isPlain(object)) throw new JsonError('unsupported', `an object of class ${object.constructor.name} is not JSON`);
  let text = '{';
  let separator = '';
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${separator}${quote(key)}:${write(value, depth + 1)}`;
    separator = ',';
  }
  return `${text}}`;
}

/** Without a prototype, or directly under some realm's `Object.prototype`. */
function isPlain(object: object): object is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(object) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** By UTF-16 code units, as `<` compares. Objects from an API server mostly are in order already: looking is cheaper than sorting. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  }
  return keys;
}

/** Anything but printable ASCII, and of that the quote and the backslash. */
const mayNeedEscape = /[^ !#-[\]-~]/;

// JSON.stringify escapes strings just as RFC 8785 wants them.
const quote = (text: string): string => (mayNeedEscape.test(text) ? JSON.stringify(text) : `"${text}"`);
