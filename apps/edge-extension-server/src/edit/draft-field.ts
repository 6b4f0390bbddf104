/** Fields of a draft: where they stand in the bytes that are being written. */
import type { Writer } from '../wire/writer.ts';
import type { Span } from './request.ts';

/** The value of a field, and where the field begins, tag and length included. */
export interface DraftField extends Span {
  readonly start: number;
}

/** Ends the message that is being written. Returns where its value stands. */
export function ended(out: Writer): Span {
  const from = out.end();
  return { from, to: out.length };
}

/** Writes a field of another answer again. @param answer its bytes @returns by how much it has moved */
export function writeAgain(out: Writer, answer: Buffer, { start, to }: DraftField): number {
  const by = out.length - start;
  out.copyOf(answer, start, to);
  return by;
}
