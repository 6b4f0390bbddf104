/** Puts the maps inside of `Any`s into the order of their keys, in place: neither length nor meaning changes. */
import { Cursor, wireTypes } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import { WireError } from '../wire/wire-error.ts';
import { any, mapEntry } from './envoy-fields.ts';
import { type PlaceType, placeTypeOf } from './map-places.ts';
import { cursorOver } from './struct.ts';

/** Envoy reads no message that is nested deeper. */
const maxDepth = 100;

/** An entry of a map, with its tag and length. */
interface Entry {
  readonly start: number;
  readonly after: number;
  readonly key: Slice;
}

export class KeyOrder {
  /** Room for nearly every map. What a larger one needs is not kept. */
  readonly #scratch = new Uint8Array(16_384);
  readonly #cursor = new Cursor(new Uint8Array());

  /**
   * Guarantees: of two messages of this type that differ only in the order of map entries inside of `Any`s, as proto.Marshal of Go
   * writes them, the bytes inside of all their `Any`s are equal afterwards. Entries that share a key keep their order: the last one counts.
   * What cannot be read, and what is in an `Any` of a type that nobody knows, stays as it is.
   */
  sort(message: Slice, type: PlaceType): void {
    try {
      this.#walk(this.#cursor.aim(message), type, 0);
    } catch (error) {
      // Each map that was already put in order still says the same.
      if (!(error instanceof WireError)) throw error;
    }
  }

  /** Outside of an `Any`, where the order of a map does not matter: Envoy Gateway reads it and writes it anew. */
  #walk(message: Cursor, type: PlaceType, depth: number): void {
    if (type.isAny) return this.#open(message, depth);
    if (depth === maxDepth) return;
    while (message.next()) {
      const place = message.type === wireTypes.bytes ? type.places[message.field] : undefined;
      if (!place?.leadsTo?.hasAny) continue;
      const inner = message.enter();
      if (!place.isMap) this.#walk(inner, place.leadsTo, depth + 1);
      else if (inner.seek(mapEntry.value)) this.#walk(inner.enter(), place.leadsTo, depth + 1);
    }
  }

  #open(message: Cursor, depth: number): void {
    let type: PlaceType | undefined;
    while (message.next()) {
      if (message.isBytes(any.typeUrl)) type = placeTypeOf(message);
      else if (message.isBytes(any.value) && type) this.#order(message.enter(), type, depth + 1);
    }
  }

  /** Inside of an `Any`. */
  #order(cursor: Cursor, type: PlaceType, depth: number): void {
    if (type.isAny) return this.#open(cursor, depth);
    if (depth >= maxDepth) return;
    let map: Entry[] = [];
    let mapField = 0;
    while (cursor.next()) {
      const place = cursor.type === wireTypes.bytes ? type.places[cursor.field] : undefined;
      if (map.length > 0 && (!place?.isMap || cursor.field !== mapField)) {
        this.#permute(cursor.bytes, map);
        map = [];
      }
      if (!place) continue;
      if (!place.isMap) {
        if (place.leadsTo) this.#order(cursor.enter(), place.leadsTo, depth + 1);
        continue;
      }
      const { key, value } = readEntry(cursor);
      if (value && place.leadsTo) this.#order(cursorOver(value), place.leadsTo, depth + 1);
      mapField = cursor.field;
      map.push({ start: cursor.start, after: cursor.after, key });
    }
    this.#permute(cursor.bytes, map);
  }

  /** The entries stand one behind the other. */
  #permute(bytes: Uint8Array, entries: readonly Entry[]): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last || isInOrder(entries)) return;
    const length = last.after - first.start;
    const before = length > this.#scratch.length ? new Uint8Array(length) : this.#scratch;
    before.set(bytes.subarray(first.start, last.after));
    let at = first.start;
    // The sort is stable.
    for (const { start, after } of entries.toSorted((a, b) => compare(a.key, b.key))) {
      bytes.set(before.subarray(start - first.start, after - first.start), at);
      at += after - start;
    }
  }
}

/** A key that is a number is compared as the bytes that it is written with: any order will do that everyone has. */
function readEntry(entry: Cursor): { readonly key: Slice; readonly value: Slice | undefined } {
  const cursor = entry.enter();
  let key: Slice = { bytes: entry.bytes, from: entry.from, to: entry.from };
  let value: Slice | undefined;
  while (cursor.next()) {
    if (cursor.field === mapEntry.key) key = cursor.slice();
    else if (cursor.isBytes(mapEntry.value)) value = cursor.slice();
  }
  return { key, value };
}

function isInOrder(entries: readonly Entry[]): boolean {
  for (let i = 1; i < entries.length; i++) {
    if (compare((entries[i - 1] as Entry).key, (entries[i] as Entry).key) > 0) return false;
  }
  return true;
}

/** Of the order of bytes. */
function compare(a: Slice, b: Slice): number {
  const length = Math.min(a.to - a.from, b.to - b.from);
  for (let i = 0; i < length; i++) {
    const difference = (a.bytes[a.from + i] as number) - (b.bytes[b.from + i] as number);
    if (difference !== 0) return difference;
  }
  return a.to - a.from - (b.to - b.from);
}
