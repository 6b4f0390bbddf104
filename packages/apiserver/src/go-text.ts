/** How Go prints values in messages: clients and their tests compare those texts. */
import { isJsonArray, JsonNumber, type JsonValue, stringifyJson } from '@lifeline/core';
import { isNumber } from './go-type.ts';

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const escapes: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
};

/** `strconv.Quote`: in double quotes, and whatever cannot be printed escaped. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  return `"${Array.from(text, (char) => escapes[char] ?? (printable.test(char) ? char : escaped(char))).join('')}"`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0) as number;
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** `%v` of a number: exponents below 1e-4 and from 1e21 on, with at least two digits. */
export function goNumber(value: number | JsonNumber): string {
  if (value instanceof JsonNumber) return value.text;
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** An aggregate of errors: one as it is, several in brackets. */
export const goAggregate = (messages: readonly string[]): string =>
  messages.length === 1 ? messages.join() : `[${messages.join(', ')}]`;

/** `json.Marshal`: keys in order, and no character that HTML could take for a tag. */
export const goJson = (value: JsonValue | undefined): string =>
  stringifyJson(inKeyOrder(value ?? null)).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );

function inKeyOrder(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return value;
  const members = Object.entries(value) as [string, JsonValue][];
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, inKeyOrder(item)]));
}

/** `%v` of a decoded JSON value: `[1 x]`, `map[a:1]`, `<nil>`. */
export function goPrint(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isNumber(value)) return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (isJsonArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goPrint(value[key] ?? null)}`).join(' ')}]`;
}
