/** JSON values of bodies as Go holds them. */
import { exactNumber, isJsonArray, JsonNumber, type JsonValue, setOwn } from '@lifeline/core';
import { DecodeError } from './decode-error.ts';
import { maxBodyDepth, tooDeep } from './go-json.ts';

/** What one look at a body tells. */
export interface Survey {
  /** Members of objects, all in all. */
  readonly members: number;
  /** Whether there is a number that Go may write otherwise. */
  readonly hasExactNumbers: boolean;
}

/** @throws DecodeError of what is nested too deeply */
export function survey(value: JsonValue): Survey {
  let [members, hasExactNumbers] = [0, false];
  const look = (node: JsonValue, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    if (node instanceof JsonNumber) {
      hasExactNumbers = true;
      return;
    }
    const isArray = isJsonArray(node);
    if (depth > maxBodyDepth) throw new DecodeError(`invalid character '${isArray ? '[' : '{'}' ${tooDeep}`);
    if (isArray) {
      for (const item of node) look(item, depth + 1);
      return;
    }
    for (const key in node) {
      members++;
      look(node[key] ?? null, depth + 1);
    }
  };
  look(value, 0);
  return { members, hasExactNumbers };
}

/**
 * With its numbers as Go stores them: integers of 64 bits exact, anything else a double, written as Go writes it.
 * @throws DecodeError of a number that no double holds
 */
export function asGoStores(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return goNumberOf(value.text);
  if (isJsonArray(value)) {
    let items: JsonValue[] | undefined;
    for (const [index, item] of value.entries()) {
      const stored = asGoStores(item);
      if (stored !== item) (items ??= [...value])[index] = stored;
    }
    return items ?? value;
  }
  let members: Record<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    const stored = item === undefined ? undefined : asGoStores(item);
    if (stored !== item) setOwn((members ??= { ...value }), key, stored);
  }
  return members ?? value;
}

function goNumberOf(text: string): number | JsonNumber {
  if (/^-?\d+$/.test(text)) {
    const integer = BigInt(text);
    if (BigInt.asIntN(64, integer) === integer) return exactNumber(integer.toString());
  }
  const double = Number(text);
  if (!Number.isFinite(double))
    throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
  return exactNumber(String(double));
}
