/** Bytes that were made from frozen objects, for as long as they may be asked for again. */

interface Entry {
  readonly form: string;
  readonly bytes: Uint8Array;
  readonly next: Entry | undefined;
}

/** What one generation may hold, in bytes. */
const generationLimit = 8 << 20;

/**
 * A memo by object and form, in two generations: what was not asked for while a whole generation filled up is forgotten, and so is
 * what was made from an object that is gone.
 */
export class ByteCache {
  readonly #limit: number;
  #young = new WeakMap<object, Entry>();
  #old = new WeakMap<object, Entry>();
  #size = 0;

  constructor(limit = generationLimit) {
    this.#limit = limit;
  }

  /** @param make called when there are none: a function of object and form alone */
  bytes(object: object, form: string, make: () => Uint8Array): Uint8Array {
    const known = find(this.#young.get(object), form);
    if (known) return known;
    const bytes = find(this.#old.get(object), form) ?? make();
    if ((this.#size += bytes.length) > this.#limit) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#size = bytes.length;
    }
    this.#young.set(object, { form, bytes, next: this.#young.get(object) });
    return bytes;
  }
}

function find(entry: Entry | undefined, form: string): Uint8Array | undefined {
  for (let at = entry; at; at = at.next) if (at.form === form) return at.bytes;
  return undefined;
}
