/** Values of query parameters, as real servers read them: the first of each name counts. */
import { badRequest } from '../api-error.ts';
import { hasBadEscape } from './decode-path.ts';

/**
 * The parameters of a query. Pairs with a semicolon or with something that is no escape are as if they were not there.
 * @see golang/go@go1.26.0 src/net/url/url.go parseQuery
 */
export function parseQuery(text: string): URLSearchParams {
  if (!/[%;]|^\?/.test(text)) return new URLSearchParams(text);
  const pairs = text.split('&').filter((pair) => !pair.includes(';') && !hasBadEscape(pair));
  // The constructor would take a question mark away.
  return new URLSearchParams(`?${pairs.join('&')}`);
}

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
