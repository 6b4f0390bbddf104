/** Objects without their managed fields, which can be more than half of a text, and the slower half: most of their keys are rare, or hold escapes. */
import { isJsonArray, isJsonObject, type JsonValue, parseJson } from '@lifeline/core';

const opening = '"managedFields":[';
/** Stands for a list that was passed over: no managed fields look so, and a text that holds it is read as it is. */
const standIn = '<lifeline: managed fields>';
/** The rest of a list that holds no list. There is one way through any text, so it is read once. */
const restOfList = /(?:[^"[\]]|"(?:[^"\\]|\\.)*")*\]/y;

/**
 * Reads the text of an object, of a list, or of a watch event; the managed fields of each object come as an empty list.
 *
 * Guarantees: anything else is as `parseJson` has it. What is called managedFields elsewhere stays whole: unless each list that was passed
 * over turns out to be the managed fields of an object, all of the text is read.
 * @throws JsonError as `parseJson`
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
  let rest = '';
  let last = 0;
  let lists = 0;
  if (text.includes(standIn)) return { rest: text, lists };
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, last)) {
    const begin = at + opening.length;
    restOfList.lastIndex = begin;
    if (!restOfList.test(text)) return { rest: text, lists: 0 };
    rest += `${text.slice(last, begin)}"${standIn}"]`;
    last = restOfList.lastIndex;
    lists++;
  }
  return { rest: rest + text.slice(last), lists };
}

/** Empties the lists of objects that were passed over; how many. Objects are here in what is read, and nowhere else. */
function emptied(value: JsonValue): number {
  if (!isJsonObject(value)) return 0;
  const { items, object } = value;
  let count = 0;
  for (const each of [value, object, ...(isJsonArray(items) ? items : [])]) {
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
