import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { backoff } from './backoff.ts';

const spec = { baseMs: 800, capMs: 30_000, resetMs: 120_000 };

describe('backoff', () => {
  it('doubles up to its cap, each wait between half a step and the whole', () => {
    for (let seed = 0; seed < 50; seed++) {
      const waits = backoff(spec, new VirtualClock(), seeded(seed));
      for (const longest of [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]) {
        const wait = waits.next();
        expect(wait).toBeGreaterThanOrEqual(longest / 2);
        expect(wait).toBeLessThanOrEqual(longest);
      }
    }
  });

  it('differs from one to the next, so that many do not come together', () => {
    const clock = new VirtualClock();
    const random = seeded('herd');
    const first = Array.from({ length: 100 }, () => Math.round(backoff(spec, clock, random).next()));
    expect(new Set(first).size).toBeGreaterThan(70);
  });

  it('starts over once nothing was asked for resetMs, not before', async () => {
    const clock = new VirtualClock();
    const waits = backoff(spec, clock, seeded(1));
    expect(waits.calm).toBe(true);
    for (let i = 0; i < 6; i++) waits.next();
    await clock.advance(119_999);
    expect(waits.calm).toBe(false);
    await clock.advance(1);
    expect(waits.calm).toBe(true);
    expect(waits.next()).toBeLessThanOrEqual(800);
  });

  it('without resetMs starts over only by reset', async () => {
    const clock = new VirtualClock();
    const waits = backoff({ baseMs: 1000, capMs: 8000 }, clock, seeded(1));
    for (let i = 0; i < 5; i++) waits.next();
    await clock.advance(10_000_000);
    expect(waits.next()).toBeGreaterThanOrEqual(4000);
    waits.reset();
    expect(waits.next()).toBeLessThanOrEqual(1000);
  });
});
