/** Goes into maps and `google.protobuf.Struct`s. Of keys that come twice the last counts, as everywhere in protobuf. */
import { Cursor } from '../wire/cursor.ts';
import { equalBytes, type Slice } from '../wire/text.ts';
import { mapEntry, struct } from './envoy-fields.ts';

/** A cursor over the message that a slice holds. */
export const cursorOver = ({ bytes, from, to }: Slice): Cursor => new Cursor(bytes, from, to);

/** Whether this is the key of a map's entry. */
export function hasKey(entry: Cursor, key: Uint8Array): boolean {
  const fields = entry.enter();
  return fields.seek(mapEntry.key) && equalBytes(fields, key);
}

/** Goes to the value under a key of a map that is field number `field` of a message. */
export function seekValue(message: Cursor, field: number, key: Uint8Array): boolean {
  let found = false;
  let from = 0;
  let to = 0;
  while (message.next()) {
    if (!message.isBytes(field) || !hasKey(message, key)) continue;
    found = true;
    ({ from, to } = message);
  }
  return found && message.move(from, to).seek(mapEntry.value);
}

/** The same in a Struct: goes to a `Value`. */
export const seekStructValue = (message: Cursor, key: Uint8Array): boolean => seekValue(message, struct.fields, key);
