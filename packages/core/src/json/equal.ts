import { sameText } from './number.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject } from './value.ts';

export type NumberEquality = (a: number | JsonNumber, b: number | JsonNumber) => boolean;

/**
 * Whether two JSON values are the same content.
 *
 * Guarantees: true exactly when their canonical texts are equal. So the order of keys does not matter, a member that is undefined is
 * absent, keys such as `__proto__` are data, and numbers are the same when they are written alike: 1 and `JsonNumber('1.0')` differ.
 * Takes any depth.
 * Assumptions: both are JSON: trees of plain objects and arrays. Other objects are compared by their own members.
 * @param sameNumber when two numbers are the same. Default: written alike.
 */
export function deepEqual(a: unknown, b: unknown, sameNumber: NumberEquality = sameText): boolean {
  // Pairs still to compare, flat: an explicit stack, since foreign data decides the depth.
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (isNumber(left) && isNumber(right)) {
      if (!sameNumber(left, right)) return false;
    } else if (isJsonArray(left) && isJsonArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, item] of left.entries()) pending.push(item, right[index]);
    } else if (isJsonObject(left) && isJsonObject(right)) {
      if (!pairMembers(left, right, pending)) return false;
    } else {
      return false;
    }
  }
  return true;
}

const isNumber = (value: unknown): value is number | JsonNumber =>
  typeof value === 'number' || value instanceof JsonNumber;

/** Queues the values of equal keys; false when the sets of keys differ. */
function pairMembers(left: JsonObject, right: JsonObject, pending: unknown[]): boolean {
  let surplus = 0;
  for (const key of Object.keys(left)) {
    const value = left[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(right, key)) return false;
    const other = right[key];
    if (value !== other) pending.push(value, other);
    surplus++;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) surplus--;
  return surplus === 0;
}
