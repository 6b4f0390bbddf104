/** The shape of every edit: a message is copied, but for the fields that are written anew. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';

/** Whether a field was taken care of: written otherwise, or left out. */
export type FieldEdit = (at: Cursor) => boolean;

/** Writes the fields of a message: by `edit`, and as they are where that does nothing. */
export function rewrite(out: Writer, message: Cursor, edit: FieldEdit): void {
  while (message.next()) if (!edit(message)) out.copy(message.start, message.after);
}

/** Writes a field that is a message, and the fields in it by `edit`. @returns true: it was taken care of */
export function rewriteInside(out: Writer, at: Cursor, edit: FieldEdit): true {
  out.begin(at.field, at.to - at.from);
  rewrite(out, at.enter(), edit);
  out.end();
  return true;
}
