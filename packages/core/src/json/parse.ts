/**
 * Lossless JSON reading, as fast as `JSON.parse` where nothing is at stake.
 *
 * Two regular expressions look for what `JSON.parse` may get wrong: numbers that a double might change, and keys with an escape, which
 * V8 may take for another key that it has seen before, in any text. When they find none, `JSON.parse` does it all; objects with managed
 * fields have such keys (`k:{"type":"Ready"}`), most others have none. Else each such number is replaced by a marker, a tiny double that
 * stands for nothing else, and each such key by its plain text or by a marker; `JSON.parse` reads that text, and the markers are
 * exchanged for what they stand for. So grammar, duplicate keys (the last wins) and `__proto__` are as in `JSON.parse`, and a reviver,
 * six times slower, is never needed. Measured: bench/json.bench.ts.
 *
 * @see https://github.com/nodejs/node/issues/63785: once `{"h":[],"\\":0}` was read, the last key of `{"h":1,"\n":2}` is a backslash
 */
import { JsonError } from './error.ts';
import { firstBadToken } from './locate.ts';
import { setOwn } from './own.ts';
import { exactNumber, isNumberText, type JsonNumber, type JsonValue } from './value.ts';

/**
 * Reads a JSON text.
 *
 * Shape: a number that a double would not print back identically is a frozen {@link JsonNumber}; every other one is a plain number.
 * Keys are own members, `__proto__` included. Takes any depth.
 * @throws JsonError `invalid`, with the offset of the first bad token
 */
export function parseJson(text: string): JsonValue {
  try {
    const risky = mayBeInexact.test(text) || mayBeEscapedKey.test(text) || isOneNumber.test(text);
    return risky ? parseExactly(text) : (JSON.parse(text) as JsonValue);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const offset = firstBadToken(text);
    const found = offset < text.length ? `unexpected ${JSON.stringify(text.charAt(offset))}` : 'unexpected end';
    throw new JsonError('invalid', `not JSON: ${found} at offset ${offset} of ${text.length}`, offset);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON text in UTF-8. A byte order mark is skipped.
 * @param read how its text is read
 * @throws JsonError `not-utf8` where decoding would have to invent characters; `invalid` as {@link parseJson}
 */
export function parseJsonBytes(bytes: Uint8Array, read: (text: string) => JsonValue = parseJson): JsonValue {
  return read(decode(bytes));
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonError('not-utf8', `${bytes.length} bytes are not UTF-8`);
  }
}

/**
 * Matches wherever a number in a container may change in a double: with a fraction or an exponent, with 16 digits or more, or -0. It
 * may match inside a string too; that costs a closer look and nothing else. It must not miss one: such a number stands between one of
 * `[:,` and one of `,]}`, white space aside. Its form is what the regular expression engine scans fastest.
 */
const mayBeInexact = /[[:,](?:\s+-?|-?)(?:\d+[.eE][\d+\-eE]*|\d{16,}|(?<=-)0)[\s,\]}]/;
const isOneNumber = /^\s*-?\d/;
/** Matches wherever a key holds an escape, and for strings in lists that do. */
const mayBeEscapedKey = /[{,]\s*"[^"\\]*\\/;

/** A piece of the text that `JSON.parse` gets to see as another. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly stand: string;
}

/** What stands for what. */
interface Tokens {
  readonly found: Token[];
  /** By their markers. */
  readonly numbers: (number | JsonNumber)[];
  /** Keys by their markers. */
  readonly keys: Map<string, string>;
}

function parseExactly(text: string): JsonValue {
  const tokens = findTokens(text);
  if (!tokens || tokens.found.length === 0) return JSON.parse(text) as JsonValue;
  let marked = '';
  let last = 0;
  for (const { start, end, stand } of tokens.found) {
    marked += text.slice(last, start) + stand;
    last = end;
  }
  const holder = { root: JSON.parse(marked + text.slice(last)) as JsonValue };
  replaceMarkers(holder, tokens);
  return holder.root;
}

/** The n-th smallest doubles above zero. A text that spells one of them out is a token itself, so a marker never means two things. */
const marker = (index: number): number => (index + 1) * Number.MIN_VALUE;
const isMarker = (value: number): boolean => value > 0 && value < 2 ** -1022;
const markedIndex = (value: number): number => value / Number.MIN_VALUE - 1;

/** Begins the marker of a key. A key that begins so itself, or writes it as an escape, gets a marker too. */
const keyMark = '\ue000';

/** What must not go through `JSON.parse` as it is, in order; undefined where the text cannot be JSON. */
function findTokens(text: string): Tokens | undefined {
  const found: Token[] = [];
  const numbers: Tokens['numbers'] = [];
  const markers = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const start = at;
      at = stringEnd(text, start);
      const source = text.slice(start, at);
      if (!(source.includes('\\') || source.startsWith(keyMark, 1)) || !isBeforeColon(text, at)) continue;
      // V8 reads a string that is no key as it is written.
      const key = JSON.parse(source) as string;
      found.push({ start, end: at, stand: standOf(key, markers) });
    } else if (char === minus || isDigit(char)) {
      const start = at;
      let plain = char !== minus;
      for (at++; at < text.length; at++) {
        const next = text.charCodeAt(at);
        if (isDigit(next)) continue;
        if (!isNumberPart(next)) break;
        plain = false;
      }
      // Up to 15 digits, a double holds every integer and prints it as it was.
      if (plain && at - start <= 15) continue;
      const source = text.slice(start, at);
      if (!isNumberText(source)) return undefined;
      const number = exactNumber(source);
      if (typeof number !== 'object' && !isMarker(number)) continue;
      found.push({ start, end: at, stand: String(marker(numbers.length)) });
      numbers.push(number);
    } else {
      at++;
    }
  }
  return { found, numbers, keys: new Map(Array.from(markers, ([key, mark]) => [mark, key])) };
}

/** A key as it is written without escapes; its marker where it cannot be, the same one each time. */
function standOf(key: string, markers: Map<string, string>): string {
  const plain = JSON.stringify(key);
  if (!plain.includes('\\') && !key.startsWith(keyMark)) return plain;
  const mark = markers.get(key) ?? keyMark + String(markers.size);
  markers.set(key, mark);
  return `"${mark}"`;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === colon;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const colon = 0x3a;
const isSpace = (char: number): boolean => char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;
/** `.`, `e`, `E`, `+`, `-` */
const isNumberPart = (char: number): boolean =>
  char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === minus;

/** The index after the string that starts at `start`: after the next quote with an even number of backslashes before it. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

/** Puts numbers and keys where their markers are, in all of a tree that nobody else has seen yet. */
function replaceMarkers(root: object, { numbers, keys }: Tokens): void {
  const pending: object[] = [root];
  const replacement = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) pending.push(value);
    return typeof value === 'number' && isMarker(value) ? numbers[markedIndex(value)] : undefined;
  };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        const number = replacement(node[i]);
        if (number !== undefined) node[i] = number;
      }
    } else {
      // Assigning to an existing own member never reaches a prototype, whatever its key.
      const members = node as Record<string, unknown>;
      let marked = false;
      for (const key in members) {
        const number = replacement(members[key]);
        if (number !== undefined) members[key] = number;
        marked ||= keys.has(key);
      }
      if (marked) renameMembers(members, keys);
    }
  }
}

/** In place, and in the same order. */
function renameMembers(members: Record<string, unknown>, names: ReadonlyMap<string, string>): void {
  const entries = Object.entries(members);
  for (const [key] of entries) delete members[key];
  for (const [key, value] of entries) setOwn(members, names.get(key) ?? key, value);
}
