/** Names of resources, in bytes, to numbers: for each a look-up without decoding it. */
import { equalSlices, type Slice } from '../wire/text.ts';
import { hashBytes } from './hash-bytes.ts';
import { SliceTable } from './slice-table.ts';

/** All names stand in the same bytes. Can be cleared and used again. */
export class NameMap<T extends number> {
  readonly #names = new SliceTable({ hash: (name) => hashBytes(name), isEqual: equalSlices });
  /** By the number of the name. Those beyond are of before. */
  readonly #values: T[] = [];

  clear(): void {
    this.#names.clear();
  }

  /** Of two with one name the last counts. */
  set(name: Slice, value: T): void {
    this.#values[this.#names.add(name)] = value;
  }

  has(name: Slice): boolean {
    return this.#names.find(name) >= 0;
  }

  /** The name may stand in other bytes. */
  get(name: Slice): T | undefined {
    const number = this.#names.find(name);
    return number < 0 ? undefined : this.#values[number];
  }
}
