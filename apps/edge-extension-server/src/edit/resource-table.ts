/** Resources of one kind with the places where they stand, in a request and in the answer to it. Can be cleared and used again. */
import { Cursor } from '../wire/cursor.ts';
import type { Field, Span } from './request.ts';

/** Of a resource: where its field begins, its value begins and both end in the request, and where its field begins and ends in the answer. */
const numbersEach = 5;
const firstResources = 64;

export class ResourceTable<T> {
  readonly #items: (T | undefined)[] = [];
  #size = 0;
  #places = new Uint32Array(numbersEach * firstResources);

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#items.fill(undefined, 0, this.#size);
    this.#size = 0;
  }

  /** @throws RangeError when there is none at this number */
  item(number: number): T {
    const item = this.#items[number];
    if (item === undefined) throw new RangeError(`no resource ${number}: there are ${this.#size}`);
    return item;
  }

  add(item: T, received: Field, written: Pick<Field, 'start' | 'to'>): void {
    this.#grow(1);
    let at = numbersEach * this.#size;
    this.#items[this.#size++] = item;
    for (const place of [received.start, received.from, received.to, written.start, written.to])
      this.#places[at++] = place;
  }

  /** Adds those of another table from number `first` to before `end`, each as far from where it stood as `by` says. */
  addAgain(other: ResourceTable<T>, [first, end]: readonly [number, number], by: Shift): void {
    this.#grow(end - first);
    const places = this.#places;
    let at = numbersEach * this.#size;
    let before = numbersEach * first;
    for (let number = first; number < end; number++) {
      this.#items[this.#size++] = other.item(number);
      for (let i = 0; i < 3; i++) places[at++] = (other.#places[before++] as number) + by.received;
      for (let i = 3; i < numbersEach; i++) places[at++] = (other.#places[before++] as number) + by.written;
    }
  }

  /** Puts another in the place of the last one. */
  replaceLast(item: T): void {
    this.#items[this.#size - 1] = item;
  }

  /** All from this number on stand so many bytes further back in the answer. */
  moveWritten(first: number, by: number): void {
    if (by === 0) return;
    for (let number = first; number < this.#size; number++)
      for (let i = 3; i < numbersEach; i++) (this.#places[numbersEach * number + i] as number) += by;
  }

  receivedStart(number: number): number {
    return this.#places[numbersEach * number] as number;
  }
  receivedFrom(number: number): number {
    return this.#places[numbersEach * number + 1] as number;
  }
  receivedTo(number: number): number {
    return this.#places[numbersEach * number + 2] as number;
  }
  writtenStart(number: number): number {
    return this.#places[numbersEach * number + 3] as number;
  }
  writtenTo(number: number): number {
    return this.#places[numbersEach * number + 4] as number;
  }

  #grow(by: number): void {
    const needed = numbersEach * (this.#size + by);
    if (needed <= this.#places.length) return;
    const grown = new Uint32Array(Math.max(2 * this.#places.length, needed));
    grown.set(this.#places);
    this.#places = grown;
  }
}

/** By how many bytes places differ. */
export interface Shift {
  readonly received: number;
  readonly written: number;
}

/** Where one stands in the request. @param by how far it has moved */
export const receivedField = (table: ResourceTable<unknown>, number: number, by = 0): Field => ({
  start: table.receivedStart(number) + by,
  from: table.receivedFrom(number) + by,
  to: table.receivedTo(number) + by,
});

/** Where the value of one stands in the answer. */
export function writtenSpan(answer: Uint8Array, table: ResourceTable<unknown>, number: number): Span {
  const field = new Cursor(answer, table.writtenStart(number), table.writtenTo(number));
  field.next();
  return { from: field.from, to: field.to };
}
