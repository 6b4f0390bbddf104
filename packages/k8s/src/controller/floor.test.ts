import { seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { runFloor, type Turn } from './floor.ts';

const floorMs = 600_000;

describe('runFloor', () => {
  it.each(['a', 'b', 'c'])(
    'gives every key its turn each floorMs ±10 %%, spread over all that time (seed %s)',
    async (seed) => {
      const clock = new VirtualClock();
      const keys = Array.from({ length: 2000 }, (_, i) => ({ cluster: `p${i % 7}`, key: `default/object-${i}` }));
      const turns = new Map<string, number[]>();
      const visits: number[] = [];
      const floor = runFloor({
        clock,
        random: seeded(seed),
        floorMs,
        visit: (hasTurn) => {
          const now = clock.monotonic();
          const due = keys.filter(({ cluster, key }) => hasTurn(cluster, key));
          visits.push(due.length);
          for (const { cluster, key } of due)
            turns.set(`${cluster} ${key}`, [...(turns.get(`${cluster} ${key}`) ?? []), now]);
        },
      });
      await clock.advance(4 * floorMs);
      expect(turns.size).toBe(keys.length);
      for (const [key, times] of turns) {
        expect(times.length, key).toBeGreaterThanOrEqual(3);
        expect(times[0], key).toBeLessThanOrEqual(1.1 * floorMs);
        for (const [i, time] of times.entries()) {
          if (i === 0) continue;
          expect(time - (times[i - 1] as number)).toBeGreaterThanOrEqual(0.9 * floorMs);
          expect(time - (times[i - 1] as number)).toBeLessThanOrEqual(1.1 * floorMs);
        }
      }
      expect(Math.max(...visits)).toBeLessThan(keys.length / 25);
      expect(clock.pending).toBe(1);
      floor[Symbol.dispose]();
      expect(clock.pending).toBe(0);
    },
  );

  it.each([1_000, 30_000])('a floor of %i ms comes in as few visits as it can', async (shortMs) => {
    const clock = new VirtualClock();
    const keys = Array.from({ length: 200 }, (_, i) => `default/object-${i}`);
    const turned = new Set<string>();
    let visits = 0;
    const visit = (hasTurn: Turn): void => {
      visits++;
      for (const key of keys) if (hasTurn('p', key)) turned.add(key);
    };
    const floor = runFloor({ clock, random: seeded('short'), floorMs: shortMs, visit });
    await clock.advance(1.1 * shortMs);
    expect(turned.size).toBe(keys.length);
    expect(visits).toBeLessThanOrEqual(Math.max(1, Math.ceil(shortMs / 4_500)));
    floor[Symbol.dispose]();
  });
});
