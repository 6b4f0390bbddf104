/** Values of query parameters, as real servers read them: the first of each name counts. */
import { badRequest } from '../api-error.ts';

/** Absent, `0` and `false` are false; everything else is true, the empty text too. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

/** 0 when it is absent. @throws ApiError 400 */
export function queryInteger(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return 0;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`);
  }
  return Number(value);
}
