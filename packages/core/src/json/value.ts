/** JSON as Lifeline holds it: plain values, and {@link JsonNumber} where a double would change the digits. */

/**
 * A number whose text a double would not print back (9007199254740993, 1.0, 1e21, -0): its text, exactly as written. Frozen.
 * Every other number is a plain `number`, so code that reads small integers never meets this class.
 */
export class JsonNumber {
  /** A valid JSON number, as it was written. */
  readonly text: string;

  constructor(text: string) {
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
}

export type JsonValue = null | boolean | number | string | JsonNumber | readonly JsonValue[] | JsonObject;

/** Keys are data, `__proto__` and "443" included: set them with `Object.defineProperty` or `{...spread}`, never by `o[key] = v` for a foreign key. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A Kubernetes int64: plain while a double holds it. */
export type Int64 = number | JsonNumber;
