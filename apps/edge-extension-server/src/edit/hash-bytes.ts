/** A hash of bytes, for tables in memory. Not for contents that someone picks to collide: those only make the table slow. */
import type { Slice } from '../wire/text.ts';

/** FNV-1a, 32 bits. @param seed the hash of what stands before */
export function hashBytes({ bytes, from, to }: Slice, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash >>> 0;
}
