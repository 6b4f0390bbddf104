/** Fields of a draft: where they stand in the bytes that are being written. */
import type { Slice } from '../wire/text.ts';
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

/** Writes a resource of another answer again. @param answer its bytes @param part as it was received now */
export function writeAgain<T extends DraftField & { readonly part: Slice }>(
  out: Writer,
  answer: Buffer,
  { held, part }: { readonly held: T; readonly part: T['part'] },
): T {
  const by = out.length - held.start;
  out.copyOf(answer, held.start, held.to);
  return { ...held, start: held.start + by, from: held.from + by, to: held.to + by, part, isRecalled: true };
}
