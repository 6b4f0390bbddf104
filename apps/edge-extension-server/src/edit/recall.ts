/**
 * Resources of the last answer, found again by their bytes. Between two calls nearly nothing changes: what comes again as it was, while the
 * index and the clusters say the same of it, is answered with the bytes of then, which were checked and put in order already.
 */
import { Cursor } from '../wire/cursor.ts';
import { bufferOver, type Slice } from '../wire/text.ts';
import { NameMap } from './name-map.ts';

export interface Recallable {
  /** As it was received. */
  readonly part: Slice;
}

/**
 * Guarantees: what is found is equal to what is looked for, byte for byte, wherever either stands. Bytes are compared, never a digest of
 * them.
 */
export class Recall<T extends Recallable> {
  readonly #nameField: number;
  readonly #cursor = new Cursor(new Uint8Array());
  #items: readonly T[] = [];
  /** What all of them stand in. A Buffer, which is compared without an object for what is compared. */
  #bytes: Buffer = Buffer.alloc(0);
  /** By how much the last that was found had moved: those behind it have, too. */
  #shift = 0;
  /** Where each stands, by its name. */
  #places: NameMap<number> | undefined;

  /** @param nameField the field of a resource's name, which is written first */
  constructor(nameField: number) {
    this.#nameField = nameField;
  }

  /** These are the ones from now on. @param bytes what all of their parts stand in */
  hold(items: readonly T[], bytes: Uint8Array): void {
    this.#cursor.release();
    this.#items = items;
    this.#bytes = bufferOver(bytes);
    this.#shift = 0;
    this.#places = undefined;
  }

  /**
   * @param place of the resource in its list
   * @throws WireError when it does not even begin as a message
   */
  find(resource: Slice, place: number): T | undefined {
    const likely = this.#items[place + this.#shift];
    if (likely && this.#isSame(likely, resource)) return likely;
    const at = this.#placeOf(resource);
    const held = at === place + this.#shift ? undefined : this.#items[at];
    if (!held || !this.#isSame(held, resource)) return undefined;
    this.#shift = at - place;
    return held;
  }

  #isSame({ part }: T, { bytes, from, to }: Slice): boolean {
    return part.to - part.from === to - from && this.#bytes.compare(bytes, from, to, part.from, part.to) === 0;
  }

  /** Where the one of this name stood; -1 for none. */
  #placeOf(resource: Slice): number {
    if (this.#items.length === 0) return -1;
    const name = this.#nameOf(resource);
    return (name && (this.#places ??= this.#readPlaces()).get(name)) ?? -1;
  }

  #readPlaces(): NameMap<number> {
    const places = new NameMap<number>();
    for (const [place, { part }] of this.#items.entries()) {
      const name = this.#nameOf(part);
      if (name) places.set(name, place);
    }
    return places;
  }

  #nameOf(resource: Slice): Slice | undefined {
    const cursor = this.#cursor.aim(resource);
    return cursor.next() && cursor.isBytes(this.#nameField) ? cursor.slice() : undefined;
  }
}
