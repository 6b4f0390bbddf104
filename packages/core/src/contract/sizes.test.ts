import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  annotationBudgetBytes,
  annotationBytes,
  annotationLimitBytes,
  karmadaReserveBytes,
  utf8Bytes,
} from './sizes.ts';

describe('C01: what annotations weigh', () => {
  it('keys and values, in UTF-8', () => {
    expect(annotationBytes({ a: 'b', é: '漢🙂' })).toBe(2 + 2 + 3 + 4);
    expect(annotationBytes({})).toBe(0);
    expect(annotationBytes(null)).toBe(0);
  });

  it('16 KiB of 262,144 bytes are Karmada’s', () => {
    expect(annotationLimitBytes).toBe(262_144);
    expect(karmadaReserveBytes).toBe(16 * 1024);
    expect(annotationBudgetBytes + karmadaReserveBytes).toBe(annotationLimitBytes);
  });

  it('counts as an encoder does, lone surrogates included', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 50 }),
        fc.constantFrom('', '\ud800', '\udc00', '\udc00\ud800'),
        (text, odd) => {
          const mixed = odd + text + odd;
          expect(utf8Bytes(mixed)).toBe(encoder.encode(mixed).length);
        },
      ),
      { seed: 1, numRuns: 1000 },
    );
  });
});
