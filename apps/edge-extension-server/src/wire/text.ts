/** Text in a message, and bytes that are compared without becoming text. */

/** Bytes `from` to before `to`. A cursor is one: the value of its field. */
export interface Slice {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** What is not UTF-8 becomes U+FFFD. */
export const decodeText = ({ bytes, from, to }: Slice): string => decoder.decode(bytes.subarray(from, to));

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

export const sliceOf = (bytes: Uint8Array): Slice => ({ bytes, from: 0, to: bytes.length });

/** Whether the slice is exactly `other`. */
export function equalBytes({ bytes, from, to }: Slice, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let i = 0; i < other.length; i++) if (bytes[from + i] !== other[i]) return false;
  return true;
}
