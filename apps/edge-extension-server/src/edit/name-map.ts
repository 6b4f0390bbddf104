/** Names of resources, in bytes, to whatever: for each a look-up without decoding it. */
import { equalSlices, type Slice } from '../wire/text.ts';
import { hashBytes } from './hash-bytes.ts';
import { SliceTable } from './slice-table.ts';

/** Can be cleared and used again. */
export class NameMap<T> {
  readonly #names = new SliceTable({ hash: (name) => hashBytes(name), isEqual: equalSlices });
  readonly #values: T[] = [];

  clear(): void {
    this.#names.clear();
    this.#values.length = 0;
  }

  /** Of two with one name the last counts. */
  set(name: Slice, value: T): void {
    this.#values[this.#names.add(name)] = value;
  }

  has(name: Slice): boolean {
    return this.#names.find(name) >= 0;
  }

  get(name: Slice): T | undefined {
    return this.#values[this.#names.find(name)];
  }
}
