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

/** The same bytes as a Buffer, which compares and copies parts of itself without an object for them. */
export const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export const sliceOf = (bytes: Uint8Array): Slice => ({ bytes, from: 0, to: bytes.length });

/** Whether the slice is exactly `other`. */
export function equalBytes({ bytes, from, to }: Slice, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let i = 0; i < other.length; i++) if (bytes[from + i] !== other[i]) return false;
  return true;
}

/** Whether two slices hold the same bytes. */
export function equalSlices(one: Slice, other: Slice): boolean {
  const length = one.to - one.from;
  if (length !== other.to - other.from) return false;
  for (let i = 0; i < length; i++) if (one.bytes[one.from + i] !== other.bytes[other.from + i]) return false;
  return true;
}

/** Whether these bytes are that text; only ASCII ever is. */
export function isText({ bytes, from, to }: Slice, text: string): boolean {
  if (to - from !== text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[from + i] as number;
    if (byte > 0x7f || byte !== text.charCodeAt(i)) return false;
  }
  return true;
}
