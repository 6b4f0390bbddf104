import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

describe('shrink', () => {
  it('leaves exactly what it takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 4 }), async (needed) => {
        const steps = Array.from({ length: 41 }, (_, i) => i);
        const { steps: left } = await shrink(steps, async (some) => needed.every((step) => some.includes(step)));
        expect(left).toEqual(needed.toSorted((a, b) => a - b));
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it('nothing is left when it fails anyway', async () => {
    expect(await shrink([1, 2, 3], async () => true)).toEqual({ steps: [], runs: 1 });
  });

  it('stops at the limit with what it has', async () => {
    let runs = 0;
    const result = await shrink(
      Array.from({ length: 100 }, (_, i) => i),
      async (some) => (runs++, some.length > 90),
      7,
    );
    expect(result.runs).toBe(7);
    expect(runs).toBe(7);
    expect(result.steps.length).toBeGreaterThan(90);
  });

  it('keeps the order, and only tries what is shorter', async () => {
    const seen: (readonly number[])[] = [];
    await shrink([5, 3, 9, 1], async (some) => {
      seen.push(some);
      return some.includes(9);
    });
    for (const some of seen) expect([5, 3, 9, 1].filter((step) => some.includes(step))).toEqual(some);
  });
});
