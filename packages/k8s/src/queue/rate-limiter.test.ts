import { type Random, seeded } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { exponential, RateLimiter } from './rate-limiter.ts';

const item = { cluster: 'p1', key: 'default/a' };
const other = { cluster: 'p2', key: 'default/a' };
const always = (value: number): Random => ({ ...seeded('unused'), next: () => value });

describe('RateLimiter', () => {
  it('doubles up to the cap, item by item, and starts over when an item is forgotten', () => {
    const limiter = new RateLimiter(always(0), { delayMs: exponential(100, 1000) });
    expect([1, 2, 3, 4, 5, 6].map(() => limiter.next(item))).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(limiter.next(other)).toBe(100);
    expect(limiter.failures(item)).toBe(6);
    limiter.forget(item);
    expect(limiter.next(item)).toBe(100);
  });

  it.each([
    { jitter: 0.5, chance: 0.999999, least: 50 },
    { jitter: 1, chance: 0.999999, least: 0 },
    { jitter: 0, chance: 0.999999, least: 100 },
  ])('leaves a share of $jitter to chance', ({ jitter, chance, least }) => {
    expect(new RateLimiter(always(chance), { delayMs: exponential(100, 1000), jitter }).next(item)).toBeCloseTo(
      least,
      2,
    );
    expect(new RateLimiter(always(0), { delayMs: exponential(100, 1000), jitter }).next(item)).toBe(100);
  });

  it('stays at the cap after any number of failures', () => {
    const limiter = new RateLimiter(seeded('cap'));
    for (let i = 0; i < 2000; i++) expect(limiter.next(item)).toBeLessThanOrEqual(120_000);
    expect(limiter.next(item)).toBeGreaterThanOrEqual(60_000);
  });

  it('remembers nothing of forgotten items and dropped clusters', () => {
    const limiter = new RateLimiter(seeded('memory'));
    for (let i = 0; i < 10; i++) limiter.next({ cluster: 'p1', key: `default/${i}` });
    limiter.next(other);
    limiter.drop('p1');
    expect(limiter.size).toBe(1);
    limiter.forget(other);
    expect(limiter.size).toBe(0);
  });
});
