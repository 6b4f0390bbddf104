/** Objects by values of theirs. */
import type { ObjectKey } from '@lifeline/core';
import type { IndexFunction } from './informer.ts';

/** One index, kept in step with a store by `set` and `delete`. */
export class Index<T> {
  readonly of: IndexFunction<T>;
  readonly #onError: (error: unknown) => void;
  readonly #files = new Map<string, Map<ObjectKey, T>>();
  /** Under which values each object is filed: an index function need not give the same twice. */
  readonly #values = new Map<ObjectKey, readonly string[]>();

  /** `onError`: an index function threw; that object is filed under nothing. */
  constructor(of: IndexFunction<T>, onError: (error: unknown) => void) {
    this.of = of;
    this.#onError = onError;
  }

  get(value: string): readonly T[] {
    return [...(this.#files.get(value)?.values() ?? [])];
  }

  set(key: ObjectKey, object: T): void {
    const values = this.#valuesOf(object);
    if (!isSame(values, this.#values.get(key) ?? [])) {
      this.delete(key);
      if (values.length > 0) this.#values.set(key, values);
    }
    for (const value of values) {
      const file = this.#files.get(value);
      if (file) file.set(key, object);
      else this.#files.set(value, new Map([[key, object]]));
    }
  }

  delete(key: ObjectKey): void {
    for (const value of this.#values.get(key) ?? []) {
      const file = this.#files.get(value);
      file?.delete(key);
      if (file?.size === 0) this.#files.delete(value);
    }
    this.#values.delete(key);
  }

  #valuesOf(object: T): readonly string[] {
    try {
      return this.of(object);
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
