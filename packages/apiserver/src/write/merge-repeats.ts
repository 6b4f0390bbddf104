/** Members that stand twice, as Go reads them into a struct. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parseJson,
  setOwn,
} from '@lifeline/core';
import { type Member, repeatedKeyEnds } from './go-json.ts';

/**
 * The value of a JSON text in which each member that stands again is read on top of what stood there before: objects are merged, and so
 * are lists, item by item. Of a text that is read into a map the last one counts instead, as `JSON.parse` has it.
 * @param members all of the text
 */
export function mergeRepeats(text: Uint8Array, members: readonly Member[]): JsonValue {
  let mark = '#again';
  while (members.some(({ path }) => path.includes(mark))) mark += '#';
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [index, end] of repeatedKeyEnds(text).entries()) {
    pieces.push(text.subarray(at, end), Buffer.from(`${mark}${index}`));
    at = end;
  }
  pieces.push(text.subarray(at));
  return merged(parseJson(Buffer.concat(pieces).toString('utf8')), mark);
}

/** @param mark begins what was put behind the keys that stand again */
function merged(value: JsonValue, mark: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => merged(item, mark));
  if (!isJsonObject(value)) return value;
  const members: Record<string, JsonValue | undefined> = {};
  for (const [key, item = null] of Object.entries(value)) {
    const [name = ''] = key.split(mark, 1);
    const [before, own] = [ownValue(members, name), merged(item, mark)];
    setOwn(members, name, before === undefined ? own : onTop(before, own));
  }
  return members;
}

function onTop(before: JsonValue, next: JsonValue): JsonValue {
  if (isJsonArray(before) && isJsonArray(next)) {
    return next.map((item, index) => onTop(before[index] ?? null, item));
  }
  if (!isJsonObject(before) || !isJsonObject(next)) return next;
  const members: JsonObject = { ...before };
  for (const [key, item = null] of Object.entries(next)) {
    setOwn(members as Record<string, JsonValue | undefined>, key, onTop(ownValue(before, key) ?? null, item));
  }
  return members;
}
