/** JSON as Go's decoder sees it: the words for what is wrong with a text, and the keys that stand in it twice. */
import { goQuote } from '../go-text.ts';

/** Deeper than this nothing is taken: what handles objects recurses, and a real server has a limit too. */
export const maxBodyDepth = 1000;

export const tooDeep = 'exceeded max depth';

/**
 * What Go says of a text that is not JSON; undefined of one that is.
 * @see golang/go src/encoding/json/scanner.go
 */
export function jsonSyntaxError(text: Uint8Array): string | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof Flaw) return error.message;
    throw error;
  }
}

/** A member of an object in a text: where it stands, and whether its key stood there before. */
export interface Member {
  /** `spec.list[0].name`; items of a list at the root begin with their index. */
  readonly path: string;
  readonly repeated: boolean;
}

/** Every member of a JSON text, in order: an object before its members. @param text valid JSON, not nested deeper than the limit */
export function membersOf(text: Uint8Array): readonly Member[] {
  const members: Member[] = [];
  new Scanner(text, (member) => members.push(member)).document();
  return members;
}

/** Where the keys that stood in their object before end, in bytes: each its closing quote. @param text as for {@link membersOf} */
export function repeatedKeyEnds(text: Uint8Array): readonly number[] {
  const ends: number[] = [];
  new Scanner(text, ({ repeated }, end) => repeated && ends.push(end)).document();
  return ends;
}

class Flaw extends Error {}

const utf8 = new TextDecoder();
const codeOf = (char: string): number => char.charCodeAt(0);
const [quote, backslash, minus, plus, dot] = ['"', '\\', '-', '+', '.'].map(codeOf);
const [openBrace, closeBrace, openBracket, closeBracket, comma, colon] = ['{', '}', '[', ']', ',', ':'].map(codeOf);
const zero = codeOf('0');
const space = codeOf(' ');

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= zero && byte <= zero + 9;
const isHex = (byte: number): boolean => /[0-9a-fA-F]/.test(String.fromCharCode(byte));
const isExponent = (byte: number): boolean => byte === codeOf('e') || byte === codeOf('E');

/** @param end of its key: the closing quote */
type Visit = (member: Member, end: number) => void;

/** Recursive descent over UTF-8. Throws a Flaw at the first byte that cannot stand where it does. */
class Scanner {
  readonly #text: Uint8Array;
  readonly #visit: Visit | undefined;
  #at = 0;

  constructor(text: Uint8Array, visit?: Visit) {
    this.#text = text;
    this.#visit = visit;
  }

  document(): void {
    this.#value('', 0);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  /** After the end Go sees a blank, and only then that there is no more. */
  get #byte(): number {
    return this.#text[this.#at] ?? space;
  }

  #fail(where: string): never {
    const byte = this.#byte;
    const shown =
      byte === codeOf("'")
        ? String.raw`'\''`
        : byte === quote
          ? `'"'`
          : `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
    throw new Flaw(`invalid character ${shown} ${where}`);
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && isSpace(this.#byte)) this.#at++;
  }

  /** The next byte that is no space. */
  #next(): number {
    this.#skipSpace();
    if (this.#at >= this.#text.length) throw new Flaw('unexpected end of JSON input');
    return this.#byte;
  }

  #value(path: string, depth: number): void {
    const byte = this.#next();
    if (depth > maxBodyDepth) this.#fail(tooDeep);
    switch (byte) {
      case openBrace:
        return this.#object(path, depth);
      case openBracket:
        return this.#array(path, depth);
      case quote:
        this.#string();
        return;
      case codeOf('t'):
        return this.#literal('true');
      case codeOf('f'):
        return this.#literal('false');
      case codeOf('n'):
        return this.#literal('null');
      default:
        if (byte !== minus && !isDigit(byte)) this.#fail('looking for beginning of value');
        return this.#number();
    }
  }

  #object(path: string, depth: number): void {
    this.#at++;
    if (this.#next() === closeBrace) {
      this.#at++;
      return;
    }
    const seen = new Set<string>();
    for (;;) {
      if (this.#next() !== quote) this.#fail('looking for beginning of object key string');
      const inner = this.#visit ? this.#member(path, seen) : (this.#string(), '');
      if (this.#next() !== colon) this.#fail('after object key');
      this.#at++;
      this.#value(inner, depth + 1);
      const byte = this.#next();
      if (byte !== comma && byte !== closeBrace) this.#fail('after object key:value pair');
      this.#at++;
      if (byte === closeBrace) return;
    }
  }

  #member(path: string, seen: Set<string>): string {
    const start = this.#at;
    this.#string();
    const key = JSON.parse(utf8.decode(this.#text.subarray(start, this.#at))) as string;
    const inner = path === '' ? key : `${path}.${key}`;
    this.#visit?.({ path: inner, repeated: seen.has(key) }, this.#at - 1);
    seen.add(key);
    return inner;
  }

  #array(path: string, depth: number): void {
    this.#at++;
    if (this.#next() === closeBracket) {
      this.#at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.#value(`${path}[${index}]`, depth + 1);
      const byte = this.#next();
      if (byte !== comma && byte !== closeBracket) this.#fail('after array element');
      this.#at++;
      if (byte === closeBracket) return;
    }
  }

  #string(): void {
    this.#at++;
    for (; this.#at < this.#text.length; this.#at++) {
      const byte = this.#byte;
      if (byte === quote) {
        this.#at++;
        return;
      }
      if (byte === backslash) this.#escape();
      else if (byte < 0x20) this.#fail('in string literal');
    }
    throw new Flaw('unexpected end of JSON input');
  }

  #escape(): void {
    this.#at++;
    if (this.#byte === codeOf('u')) {
      for (let digit = 0; digit < 4; digit++) {
        this.#at++;
        if (!isHex(this.#byte)) this.#fail(String.raw`in \u hexadecimal character escape`);
      }
    } else if (!'bfnrt\\/"'.includes(String.fromCharCode(this.#byte))) {
      this.#fail('in string escape code');
    }
  }

  #literal(word: string): void {
    for (const char of word) {
      if (this.#byte !== codeOf(char)) this.#fail(`in literal ${word} (expecting '${char}')`);
      this.#at++;
    }
  }

  #number(): void {
    if (this.#byte === minus) this.#at++;
    if (this.#byte === zero) this.#at++;
    else this.#digits('in numeric literal');
    if (this.#byte === dot) {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (!isExponent(this.#byte)) return;
    this.#at++;
    if (this.#byte === plus || this.#byte === minus) this.#at++;
    this.#digits('in exponent of numeric literal');
  }

  #digits(where: string): void {
    if (!isDigit(this.#byte)) this.#fail(where);
    while (isDigit(this.#byte)) this.#at++;
  }
}
