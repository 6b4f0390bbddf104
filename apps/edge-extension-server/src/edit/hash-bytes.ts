/** A hash of bytes, for tables in memory. Not for contents that someone picks to collide: those only make the table slow. */
import type { Slice } from '../wire/text.ts';

/** In the manner of FNV-1a, but four bytes at a time: 32 bits. @param seed the hash of what stands before */
export function hashBytes({ bytes, from, to }: Slice, seed = 0x811c9dc5): number {
  let hash = seed;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = mix(hash, word);
  }
  for (; at < to; at++) hash = mix(hash, bytes[at] as number);
  return hash >>> 0;
}

/** The high bits, which a multiplication fills first, come down to where a table looks. */
function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x01000193);
  return product ^ (product >>> 15);
}
