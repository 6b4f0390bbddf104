/** JSON as Lifeline holds it: plain values, and {@link JsonNumber} where a double would change the digits. */
import { JsonError } from './error.ts';

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether `text` is one JSON number and nothing else. */
export const isNumberText = (text: string): boolean => numberText.test(text);

/**
 * A number whose text a double would not print back (9007199254740993, 1.0, 1e21, -0): its text, exactly as written. Frozen.
 * Every other number is a plain `number`, so code that reads small integers never meets this class.
 */
export class JsonNumber {
  /** A valid JSON number, as it was written. */
  readonly text: string;

  /** @throws JsonError `invalid` when `text` is no JSON number. */
  constructor(text: string) {
    if (!isNumberText(text)) throw new JsonError('invalid', 'not a JSON number', 0);
    this.text = text;
    Object.freeze(this);
  }

  /** The nearest double. Lossy by definition: for comparisons and display only. */
  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** Makes `JSON.stringify` write the text verbatim. */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

export type JsonValue = null | boolean | number | string | JsonNumber | readonly JsonValue[] | JsonObject;

/** Keys are data, `__proto__` and "443" included: set them with `setOwn` or `{...spread}`, never by `o[key] = v` for a foreign key. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A Kubernetes int64: plain while a double holds it. */
export type Int64 = number | JsonNumber;

/**
 * The number that `text` writes: plain when a double prints the same text back, else a {@link JsonNumber}.
 * @throws JsonError `invalid` when `text` is no JSON number.
 */
export function exactNumber(text: string): number | JsonNumber {
  const double = Number(text);
  return String(double) === text && Number.isFinite(double) ? double : new JsonNumber(text);
}

/** Not null, no array, no {@link JsonNumber}. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

/** `Array.isArray` that keeps the element type. */
export const isJsonArray = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

// In V8 since 11.4, not yet in TypeScript's library. @see https://github.com/tc39/proposal-json-parse-with-source
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };
