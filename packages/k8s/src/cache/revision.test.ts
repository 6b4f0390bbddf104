import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBefore, isRepeat } from './revision.ts';

describe('resourceVersions', () => {
  it.each([
    { a: '9', b: '10', before: true },
    { a: '10', b: '9', before: false },
    { a: '10', b: '10', before: false },
    { a: '18446744073709551615', b: '18446744073709551616', before: true },
    { a: '99999999999999999999', b: '100000000000000000000', before: true },
    { a: '', b: '1', before: false },
    { a: '0', b: '1', before: false },
    { a: '007', b: '10', before: false },
    { a: 'abc', b: 'abd', before: false },
    { a: '1', b: '1.5', before: false },
    { a: '-1', b: '1', before: false },
  ])('$a before $b: $before', ({ a, b, before }) => {
    expect(isBefore(a, b)).toBe(before);
  });

  it('orders integers of any length as integers', () => {
    const positive = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 2n ** 128n }));
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        expect(isBefore(String(a), String(b))).toBe(a < b);
        expect(isRepeat(String(a), String(b))).toBe(a <= b);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('knows an equal text as a repeat, whatever it is', () => {
    expect(isRepeat('opaque', 'opaque')).toBe(true);
    expect(isRepeat('opaque-1', 'opaque-2')).toBe(false);
  });
});
