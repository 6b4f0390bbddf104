/**
 * Resources of the last answer, found again by their bytes. Between two calls nearly nothing changes: what comes again as it was, while the
 * index and the clusters say the same of it, is answered with the bytes of then, which were checked and put in order already.
 */
import { Cursor } from '../wire/cursor.ts';
import { bufferOver, equalSlices, type Slice } from '../wire/text.ts';
import { WireError } from '../wire/wire-error.ts';
import { NameMap } from './name-map.ts';
import type { Run } from './request.ts';
import { receivedField, ResourceTable } from './resource-table.ts';

/**
 * Guarantees: what is found is equal to what is looked for, byte for byte, tags and lengths included, wherever either stands. Bytes are
 * compared, never a digest of them; those of many resources at once.
 */
export class Recall<T> {
  readonly #nameField: number;
  readonly #name = new Cursor(new Uint8Array());
  readonly #heldName = new Cursor(new Uint8Array());
  #table = new ResourceTable<T>();
  /** The request that they stood in. A Buffer, which is compared without an object for what is compared. */
  #bytes: Buffer = Buffer.alloc(0);
  /** The one that is likely to come next. */
  #next = 0;
  /** The number of each by its name. */
  #numbers: NameMap<number> | undefined;

  /** @param nameField the field of a resource's name, which is written first */
  constructor(nameField: number) {
    this.#nameField = nameField;
  }

  get table(): ResourceTable<T> {
    return this.#table;
  }

  /** These are the ones from now on. @param bytes the request that they stood in @returns those of before */
  hold(table: ResourceTable<T>, bytes: Uint8Array): ResourceTable<T> {
    const before = this.#table;
    this.#name.release();
    this.#heldName.release();
    this.#table = table;
    this.#bytes = bufferOver(bytes);
    this.#numbers = undefined;
    return before;
  }

  /** Another request is looked through from its beginning. */
  rewind(): void {
    this.#next = 0;
  }

  /**
   * What stands at a field and behind it, as far as it stood so before. The cursor goes on behind that.
   * @param at the field of a resource
   */
  run(at: Cursor): Run {
    const { start, from, to } = at;
    const held = this.#find(at);
    if (held < 0) return { start, from, to, held, count: 1, end: to };
    const next = this.#equalUntil(held + 1, at);
    at.after = start + this.#table.receivedTo(next - 1) - this.#table.receivedStart(held);
    this.#next = next;
    return { start, from, to, held, count: next - held, end: at.after };
  }

  #find(at: Cursor): number {
    const likely = this.#next;
    if (this.#isSame(likely, likely + 1, at)) return likely;
    const number = this.#numberOf(at);
    if (number < 0) return number;
    this.#next = number + 1;
    return number !== likely && this.#isSame(number, number + 1, at) ? number : -1;
  }

  /** The first from `number` on that is not what stands behind the field, without anything between. */
  #equalUntil(number: number, { bytes, after, end }: Cursor): number {
    const by = after - this.#table.receivedTo(number - 1);
    let next = number;
    // As many as were the same until now are likely to be the same again; of those that are not, the half.
    for (let step = 1, isGrowing = true; step > 0;) {
      const until = this.#adjacentUntil(next, Math.min(next + step, this.#table.size));
      const start = this.#table.receivedTo(next - 1) + by;
      if (until > next && this.#isSame(next, until, { bytes, start, end })) next = until;
      else isGrowing = false;
      step = isGrowing ? 2 * step : step >> 1;
    }
    return next;
  }

  /** The first from `number` to `end` that did not stand right behind the one before it. */
  #adjacentUntil(number: number, end: number): number {
    let next = number;
    while (next < end && this.#table.receivedStart(next) === this.#table.receivedTo(next - 1)) next++;
    return next;
  }

  #isSame(first: number, end: number, at: Pick<Cursor, 'bytes' | 'start' | 'end'>): boolean {
    if (end > this.#table.size) return false;
    const from = this.#table.receivedStart(first);
    const to = this.#table.receivedTo(end - 1);
    const until = at.start + to - from;
    return until <= at.end && this.#bytes.compare(at.bytes, at.start, until, from, to) === 0;
  }

  /** Of the one that has the same name; -1 for none. */
  #numberOf(resource: Slice): number {
    if (this.#table.size === 0) return -1;
    const name = this.#nameIn(this.#name.aim(resource));
    if (!name) return -1;
    const likely = this.#next < this.#table.size && this.#heldNameOf(this.#next);
    if (likely && equalSlices(likely, name)) return this.#next;
    return (this.#numbers ??= this.#readNumbers()).get(name) ?? -1;
  }

  #readNumbers(): NameMap<number> {
    const numbers = new NameMap<number>();
    for (let number = 0; number < this.#table.size; number++) {
      const name = this.#heldNameOf(number);
      if (name) numbers.set(name, number);
    }
    return numbers;
  }

  #heldNameOf(number: number): Slice | undefined {
    return this.#nameIn(this.#heldName.aim({ bytes: this.#bytes, ...receivedField(this.#table, number) }));
  }

  /** What cannot be read has no name: it is for whoever decides about it to say so. */
  #nameIn(resource: Cursor): Slice | undefined {
    try {
      return resource.next() && resource.isBytes(this.#nameField) ? resource : undefined;
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }
}
