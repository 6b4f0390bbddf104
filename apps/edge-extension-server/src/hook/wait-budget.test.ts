import { monotonicMs } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitBudget } from './wait-budget.ts';

const at = monotonicMs;

describe('the budget of waits', () => {
  it('grants 100 ms at a time, and two seconds in all', () => {
    const budget = new WaitBudget();
    const granted = Array.from({ length: 22 }, (_, i) => budget.grant(at(i * 100))?.ms);
    expect(granted).toEqual([...Array<number>(20).fill(100), undefined, undefined]);
  });

  it('grants again what has left the ten seconds', () => {
    const budget = new WaitBudget();
    for (let i = 0; i < 20; i++) budget.grant(at(i * 100));
    expect(budget.grant(at(10_000))).toBeUndefined();
    expect(budget.grant(at(10_030))?.ms).toBe(30);
    expect(budget.grant(at(10_030))).toBeUndefined();
    expect(budget.grant(at(22_030))?.ms).toBe(100);
  });

  it('counts what was used only', () => {
    const budget = new WaitBudget();
    for (let i = 0; i < 100; i++) budget.grant(at(i * 20))?.over(at(i * 20 + 20));
    expect(budget.grant(at(2_000))).toBeUndefined();
    const short = new WaitBudget();
    for (let i = 0; i < 100; i++) short.grant(at(i * 20))?.over(at(i * 20 + 10));
    expect(short.grant(at(2_000))?.ms).toBe(100);
  });

  it('counts waits at one time each', () => {
    const budget = new WaitBudget();
    const granted = Array.from({ length: 21 }, () => budget.grant(at(0))?.ms);
    expect(granted.slice(-2)).toEqual([100, undefined]);
  });

  it('a wait that is over late costs no more than was granted', () => {
    const budget = new WaitBudget();
    budget.grant(at(0))?.over(at(5_000));
    for (let i = 0; i < 19; i++) expect(budget.grant(at(5_000))?.ms).toBe(100);
    expect(budget.grant(at(5_000))).toBeUndefined();
  });

  it('over any ten seconds the waits come to a fifth of them at most', () => {
    const arrivals = fc.array(
      fc.record({
        gapMs: fc.oneof(fc.nat(150), fc.nat(12_000)),
        usedShare: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(arrivals, (calls) => {
        const budget = new WaitBudget();
        const waits: { from: number; to: number }[] = [];
        let now = 0;
        for (const { gapMs, usedShare } of calls) {
          now += gapMs;
          const grant = budget.grant(at(now));
          if (!grant) continue;
          expect(grant.ms).toBeLessThanOrEqual(100);
          waits.push({ from: now, to: now + grant.ms * usedShare });
          // A call that comes meanwhile sees the whole grant; one that comes later what was used.
          grant.over(at(now + grant.ms * usedShare));
        }
        // Windows that begin or end with a wait hold the most.
        for (const { from, to } of waits)
          for (const begin of [from, to - 10_000]) {
            const inside = waits.map((wait) => Math.min(wait.to, begin + 10_000) - Math.max(wait.from, begin));
            if (inside.reduce((sum, ms) => sum + Math.max(0, ms), 0) > 2_000 + 1e-6) expect.unreachable('too long');
          }
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});
