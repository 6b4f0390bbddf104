import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, setOwn } from '@lifeline/core';

export const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The same JSON with the keys of every object in order, and with doubles for numbers, as protobuf has them in Structs. */
export function inOrder(json: JsonValue): Plain {
  if (json instanceof JsonNumber) return Number(json);
  if (isJsonArray(json)) return json.map(inOrder);
  if (!isJsonObject(json)) return json;
  const copy: Record<string, Plain> = {};
  for (const [key, value] of Object.entries(json).sort(byKey))
    if (value !== undefined) setOwn(copy, key, inOrder(value));
  return copy;
}

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
