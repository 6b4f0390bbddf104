/** Looks into maps and `google.protobuf.Struct`s. Of fields and keys that come twice the last counts, as everywhere in protobuf. */
import { Cursor } from '../wire/cursor.ts';
import { equalBytes, type Slice } from '../wire/text.ts';
import { listValue, mapEntry, struct, value } from './envoy-fields.ts';

/** A cursor over the message that a slice holds. */
export const cursorOver = ({ bytes, from, to }: Slice): Cursor => new Cursor(bytes, from, to);

/** The value of the last field of this number in a message, if it is text, bytes or a message. */
export function lastField(message: Slice, field: number): Slice | undefined {
  const cursor = cursorOver(message);
  let found: Slice | undefined;
  while (cursor.next()) if (cursor.isBytes(field)) found = cursor.slice();
  return found;
}

/** The entries of a map whose values are messages: {@link next} moves to the next one. */
export class Entries {
  readonly #cursor: Cursor;
  readonly #field: number;
  key: Slice;
  value: Slice;

  /** Of the map that is field number `field` of a message. */
  constructor(message: Slice, field: number) {
    this.#cursor = cursorOver(message);
    this.#field = field;
    this.key = this.value = message;
  }

  next(): boolean {
    const cursor = this.#cursor;
    while (cursor.next()) {
      if (!cursor.isBytes(this.#field)) continue;
      const entry = cursor.enter();
      this.key = this.value = { bytes: cursor.bytes, from: cursor.to, to: cursor.to };
      while (entry.next()) {
        if (entry.isBytes(mapEntry.key)) this.key = entry.slice();
        else if (entry.isBytes(mapEntry.value)) this.value = entry.slice();
      }
      return true;
    }
    return false;
  }
}

/** The value under a key of a map that is field number `field` of a message. */
export function mapValue(message: Slice, field: number, key: Uint8Array): Slice | undefined {
  const entries = new Entries(message, field);
  let found: Slice | undefined;
  while (entries.next()) if (equalBytes(entries.key, key)) found = entries.value;
  return found;
}

/** The `Value` under a key of a Struct. */
export const structValue = (message: Slice, key: Uint8Array): Slice | undefined =>
  mapValue(message, struct.fields, key);

/** The first of a `Value` that is a list. */
export function firstOfList(message: Slice): Slice | undefined {
  const list = lastField(message, value.list);
  if (!list) return undefined;
  const cursor = cursorOver(list);
  while (cursor.next()) if (cursor.isBytes(listValue.values)) return cursor.slice();
  return undefined;
}
