import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeIdBytes, nodeIdKey } from './node-id.ts';

const alphabet = 'ybndrfg8ejkmcpqxot1uwisza345h769';
/** z-base-32 the long way: as one number. */
function z32(bytes: Uint8Array): string {
  const bits = [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .padEnd(260, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

describe('node ids', () => {
  it.each([
    { name: '64 hex digits', id: '0123456789abcdef'.repeat(4), want: '0123456789abcdef'.repeat(4) },
    { name: 'upper-case hex', id: '0123456789ABCDEF'.repeat(4), want: '0123456789abcdef'.repeat(4) },
    { name: 'all zeros in z-base-32', id: 'y'.repeat(52), want: '0'.repeat(64) },
    { name: 'all ones in z-base-32', id: `${'9'.repeat(51)}o`, want: 'f'.repeat(64) },
  ])('$name is one', ({ id, want }) => {
    expect(nodeIdKey(id)).toBe(want);
  });

  it.each([
    { name: 'the empty text', id: '' },
    { name: '63 hex digits', id: 'a'.repeat(63) },
    { name: '65 hex digits', id: 'a'.repeat(65) },
    { name: 'no hex digit', id: `${'a'.repeat(63)}g` },
    { name: 'white space around it', id: ` ${'a'.repeat(64)}` },
    { name: 'a line end', id: `${'a'.repeat(64)}\n` },
    { name: '51 characters of z-base-32', id: 'y'.repeat(51) },
    { name: '53 characters of z-base-32', id: 'y'.repeat(53) },
    { name: 'a character that z-base-32 leaves out', id: `${'y'.repeat(51)}l` },
    { name: 'upper-case z-base-32', id: 'Y'.repeat(52) },
    { name: 'more than 32 bytes in 52 characters', id: `${'y'.repeat(51)}b` },
  ])('$name is none', ({ id }) => {
    expect(nodeIdKey(id)).toBeUndefined();
    expect(nodeIdBytes(id)).toBeUndefined();
  });

  it('both forms of the same bytes are the same node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(nodeIdKey(z32(bytes))).toBe(hex(bytes));
        expect(nodeIdBytes(z32(bytes))).toEqual(bytes);
        expect(nodeIdBytes(hex(bytes).toUpperCase())).toEqual(bytes);
      }),
      { seed: 15, numRuns: 300 },
    );
  });
});
