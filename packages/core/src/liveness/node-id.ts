/**
 * Node ids: 32 bytes, written as 64 hex digits or as 52 characters of z-base-32.
 *
 * A node id is programmed and digested exactly as written. Two are the same node when their bytes are equal, however they are written.
 */

const hex = /^[0-9a-fA-F]{64}$/;
const z32 = /^[ybndrfg8ejkmcpqxot1uwisza345h769]{52}$/;
/** The order of the characters is their value. @see https://philzimmermann.com/docs/human-oriented-base-32-encoding.txt */
const alphabet = 'ybndrfg8ejkmcpqxot1uwisza345h769';

/**
 * The bytes as 64 lower-case hex digits: equal exactly for equal nodes. Undefined for what is no node id; in z-base-32 the four bits
 * behind the 32 bytes must be zero.
 */
export function nodeIdKey(id: string): string | undefined {
  if (hex.test(id)) return id.toLowerCase();
  if (!z32.test(id)) return undefined;
  let digits = '';
  let bits = 0;
  let held = 0;
  for (const char of id) {
    held = (held << 5) | alphabet.indexOf(char);
    for (bits += 5; bits >= 4; bits -= 4) digits += ((held >> (bits - 4)) & 0xf).toString(16);
    held &= (1 << bits) - 1;
  }
  return digits.endsWith('0') ? digits.slice(0, 64) : undefined;
}

/** The 32 bytes of a node id, or undefined. */
export function nodeIdBytes(id: string): Uint8Array | undefined {
  const key = nodeIdKey(id);
  return key === undefined
    ? undefined
    : Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(key.slice(2 * at, 2 * at + 2), 16));
}
