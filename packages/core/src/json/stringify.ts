import { JsonError } from './error.ts';

/**
 * A JSON value as text, for bodies: keys as they come, no white space, JsonNumbers verbatim, members that are undefined left out.
 *
 * Guarantees: the speed of `JSON.stringify`, and no silent `null` for NaN, an infinity, or what an array cannot hold.
 * @throws JsonError `unsupported` for what JSON cannot hold; `too-deep` where `JSON.stringify` runs out of stack (thousands of levels).
 */
export function stringifyJson(value: unknown): string {
  const text = nativeText(value);
  if (text === undefined) throw new JsonError('unsupported', `${typeof value} is not JSON`);
  if (text.includes('null')) refuseFalseNulls(value);
  return text;
}

function nativeText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonError('too-deep', 'nested too deeply, or too long, to be written');
    if (error instanceof TypeError) throw new JsonError('unsupported', 'a bigint or a cycle is not JSON');
    throw error;
  }
}

/** `JSON.stringify` writes `null` for some things that are not null. Only a text with `null` in it is worth this look. */
function refuseFalseNulls(value: unknown): void {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'number') {
      if (!Number.isFinite(next)) throw new JsonError('unsupported', `${next} is not JSON`);
    } else if (Array.isArray(next)) {
      for (const item of next as readonly unknown[]) {
        if (item === undefined || typeof item === 'function' || typeof item === 'symbol') {
          throw new JsonError('unsupported', `${typeof item} in an array is not JSON`);
        }
        pending.push(item);
      }
    } else if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) pending.push(member);
    }
  }
}
