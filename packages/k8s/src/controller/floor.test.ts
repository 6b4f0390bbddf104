import { seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { runFloor } from './floor.ts';

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
});
