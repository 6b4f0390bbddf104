/** Slices by content, without becoming text: a hash table with open addressing, at most half full, that can be used again. */
import type { Slice } from '../wire/text.ts';

export interface SliceEquality {
  /** Equal slices have equal hashes: unsigned, of 32 bits. */
  hash(slice: Slice): number;
  isEqual(one: Slice, other: Slice): boolean;
}

const firstSlots = 64;

export class SliceTable {
  readonly #equality: SliceEquality;
  /** 1 + the place in {@link #slices}, 0 for none. */
  #slots = new Int32Array(firstSlots);
  #slices: Slice[] = [];
  #hashes: number[] = [];

  constructor(equality: SliceEquality) {
    this.#equality = equality;
  }

  clear(): void {
    // Room for many is not cleared again and again for few.
    if (this.#slots.length > firstSlots && 8 * this.size < this.#slots.length) this.#slots = new Int32Array(firstSlots);
    else this.#slots.fill(0);
    this.#slices = [];
    this.#hashes = [];
  }

  get size(): number {
    return this.#slices.length;
  }

  /** Its number, counted from 0 as slices were added; -1 when it was not. */
  find(slice: Slice): number {
    return this.#find(slice, this.#equality.hash(slice));
  }

  /** Adds it, if it is not there. Returns its number: a new one is the {@link size} of before. */
  add(slice: Slice): number {
    const hash = this.#equality.hash(slice);
    const held = this.#find(slice, hash);
    if (held >= 0) return held;
    this.#slices.push(slice);
    this.#hashes.push(hash);
    if (2 * this.size > this.#slots.length) this.#grow();
    else this.#place(this.size - 1);
    return this.size - 1;
  }

  #find(slice: Slice, hash: number): number {
    const last = this.#slots.length - 1;
    for (let at = hash & last; ; at = (at + 1) & last) {
      const held = (this.#slots[at] as number) - 1;
      if (held < 0) return -1;
      if (this.#hashes[held] === hash && this.#equality.isEqual(this.#slices[held] as Slice, slice)) return held;
    }
  }

  #place(number: number): void {
    const last = this.#slots.length - 1;
    let at = (this.#hashes[number] as number) & last;
    while (this.#slots[at]) at = (at + 1) & last;
    this.#slots[at] = number + 1;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.size; number++) this.#place(number);
  }
}
