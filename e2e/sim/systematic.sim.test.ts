/** A crash and a lost reply at every write; an old view, a gap and a new life of the same name around every delete that something led to. */
import { seeds, seedsLimitMs } from '@lifeline/core/testing';
import { atEveryPair, atEveryWrite, causalPairs, checkSchedule, drawTwin, run, twinFrom } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { micro } from './micro.ts';
import { reincarnateMirrored } from './mirror-users.ts';

it(
  'F01 and F02 at every write; F07, F09 and F18 at every causal pair',
  async () => {
    let schedules = 0;
    let pairs = 0;
    // The first seed of each family: those of one family share their users.
    for (const family of seeds(1, 25).map((number) => 8 * number - 7)) {
      const twin = drawTwin(micro, family);
      const clean = await run(micro, twin);
      expect(clean.findings, `family of seed ${family}`).toEqual([]);
      pairs += causalPairs(clean.world).length;
      const again = `npm run sim -- --seeds 1 --first ${(family + 7) / 8} e2e/sim/systematic.sim.test.ts`;
      const all = [...atEveryWrite(clean.world, twin), ...atEveryPair(clean.world, twin, reincarnateMirrored)];
      for (const [index, schedule] of all.entries()) {
        // Another act makes other users, with a twin of their own.
        const sameUsers = schedule.steps.at(-1)?.step === 'fault';
        const known = sameUsers ? twinFrom(clean, micro) : undefined;
        await checkSchedule(micro, schedule, { again: `${again}, schedule ${index}`, twin: known });
      }
      schedules += all.length;
    }
    console.log(`${schedules} schedules around ${pairs} pairs`);
    expect(schedules).toBeGreaterThan(50);
  },
  seedsLimitMs(600_000),
);
