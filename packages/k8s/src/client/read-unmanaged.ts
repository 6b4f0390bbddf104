/** Objects without their managed fields, which can be more than half of a text, and the slower half: most of their keys are rare, or hold escapes. */
import { isJsonArray, isJsonObject, type JsonValue, parseJson } from '@lifeline/core';

const opening = '"managedFields":[';
/** Stands for a list that was passed over: no managed fields look so, and a text that holds it is read as it is. */
const standIn = 'lifeline-passed-over-managed-fields';

/**
 * Reads the text of a list or of a watch event; the managed fields of each object come as an empty list, if they are written as API servers
 * write them.
 *
 * Guarantees: anything else is as `parseJson` has it. What is called managedFields elsewhere stays whole: unless each list that was passed
 * over turns out to be the managed fields of an object, all of the text is read. Linear in any text.
 * @throws JsonError as `parseJson`, but for what is no JSON inside of managed fields whose braces are paired
 */
export function readUnmanaged(text: string): JsonValue {
  const { rest, lists } = withoutLists(text);
  if (lists === 0) return parseJson(text);
  try {
    const value = parseJson(rest);
    if (emptied(value) === lists) return value;
  } catch {
    // The offset of what is wrong is that in the whole text.
  }
  return parseJson(text);
}

function withoutLists(text: string): { readonly rest: string; readonly lists: number } {
  const whole = { rest: text, lists: 0 };
  if (text.includes(standIn)) return whole;
  let rest = '';
  let last = 0;
  let lists = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, last)) {
    const begin = at + opening.length;
    const end = endOfList(text, begin);
    if (end < 0) return whole;
    rest += `${text.slice(last, begin)}"${standIn}"`;
    last = end;
    lists++;
  }
  return { rest: rest + text.slice(last), lists };
}

/** Where the bracket is that ends a list of objects without lists; -1 for any other list. */
function endOfList(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at + 1);
        break;
      case openBrace:
        depth++;
        break;
      case closeBrace:
        if (--depth < 0) return -1;
        break;
      case openBracket:
        return -1;
      case closeBracket:
        return depth === 0 ? at : -1;
    }
  }
  return -1;
}

/** Where the quote is that ends a string; the end of the text for none. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (let char = text.charCodeAt(at); at < text.length && char !== quote; char = text.charCodeAt(at)) {
    at += char === backslash ? 2 : 1;
  }
  return at;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Empties the lists of objects that were passed over; how many. */
function emptied(value: JsonValue): number {
  if (!isJsonObject(value)) return 0;
  const { items, object } = value;
  let count = 0;
  for (const each of isJsonArray(items) ? items : [object]) {
    const metadata = isJsonObject(each) ? (each['metadata'] as Writable | undefined) : undefined;
    if (!isJsonArray(metadata?.managedFields) || metadata.managedFields[0] !== standIn) continue;
    metadata.managedFields = [];
    count++;
  }
  return count;
}

/** Just read, and nobody else's yet. */
interface Writable {
  managedFields?: JsonValue;
}
