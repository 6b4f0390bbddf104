/**
 * Slices by content, without becoming text: a hash table with open addressing, at most half full, that can be used again. All of them
 * stand in the same bytes, so that nothing is allocated for one.
 */
import type { Slice } from '../wire/text.ts';

export interface SliceEquality {
  /** Equal slices have equal hashes: unsigned, of 32 bits. */
  hash(slice: Slice): number;
  isEqual(one: Slice, other: Slice): boolean;
}

const firstSlots = 64;
/** Of a slice that is held: where it begins, where it ends, and its hash. */
const numbersEach = 3;
const noBytes = new Uint8Array();

export class SliceTable {
  readonly #equality: SliceEquality;
  /** 1 + the number of a slice, 0 for none. */
  #slots = new Int32Array(firstSlots);
  /** By number; as many as half the slots may hold. */
  #held = new Uint32Array((numbersEach * firstSlots) / 2);
  #size = 0;
  /** Any of those that are held. */
  readonly #slice: { bytes: Uint8Array; from: number; to: number } = { bytes: noBytes, from: 0, to: 0 };

  constructor(equality: SliceEquality) {
    this.#equality = equality;
  }

  clear(): void {
    // Room for many is not cleared again and again for few.
    if (this.#slots.length > firstSlots && 8 * this.size < this.#slots.length) this.#resize(firstSlots);
    else this.#slots.fill(0);
    this.#slice.bytes = noBytes;
    this.#size = 0;
  }

  get size(): number {
    return this.#size;
  }

  /** Its number, counted from 0 as slices were added; -1 when it was not. It may stand in other bytes. */
  find(slice: Slice): number {
    return this.#find(slice, this.#equality.hash(slice));
  }

  /** Adds it, if it is not there. Returns its number: a new one is the {@link size} of before. */
  add(slice: Slice): number {
    const hash = this.#equality.hash(slice);
    const found = this.#find(slice, hash);
    if (found >= 0) return found;
    // Before anything is written: what stands beyond the end of a typed array is lost without a word.
    if (2 * (this.#size + 1) > this.#slots.length) this.#grow();
    const number = this.#size++;
    this.#slice.bytes = slice.bytes;
    this.#held[numbersEach * number] = slice.from;
    this.#held[numbersEach * number + 1] = slice.to;
    this.#held[numbersEach * number + 2] = hash;
    this.#place(number);
    return number;
  }

  #find(slice: Slice, hash: number): number {
    const last = this.#slots.length - 1;
    for (let at = hash & last; ; at = (at + 1) & last) {
      const number = (this.#slots[at] as number) - 1;
      if (number < 0) return -1;
      if (this.#hash(number) === hash && this.#equality.isEqual(this.#sliceOf(number), slice)) return number;
    }
  }

  #hash(number: number): number {
    return this.#held[numbersEach * number + 2] as number;
  }

  /** The same object each time. */
  #sliceOf(number: number): Slice {
    this.#slice.from = this.#held[numbersEach * number] as number;
    this.#slice.to = this.#held[numbersEach * number + 1] as number;
    return this.#slice;
  }

  #place(number: number): void {
    const last = this.#slots.length - 1;
    let at = this.#hash(number) & last;
    while (this.#slots[at]) at = (at + 1) & last;
    this.#slots[at] = number + 1;
  }

  #grow(): void {
    const held = this.#held;
    this.#resize(2 * this.#slots.length);
    this.#held.set(held);
    for (let number = 0; number < this.#size; number++) this.#place(number);
  }

  #resize(slots: number): void {
    this.#slots = new Int32Array(slots);
    this.#held = new Uint32Array((numbersEach * slots) / 2);
  }
}
