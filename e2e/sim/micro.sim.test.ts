/** The example app, small: thousands of worlds in which users and everything else go on at once. */
import { execFile, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chosenSteps, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { drawTwin, type FaultId, orderFinding, pathFinding, vacuous } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { runCrew } from './crew.ts';
import { micro } from './micro.ts';
import { metamorphosis } from './mirror-users.ts';
import { traces } from './traces.ts';

/** What a world without hub hops and hooks has no place for. */
const elsewhere: readonly FaultId[] = ['F22', 'F25'];
/** So many seeds have room for every fault. */
const enough = 1_000;

describe('micro worlds', () => {
  it(
    'hold every invariant, whatever goes wrong; of many, every fault fires and matters',
    async ({ signal }) => {
      const all = seeds(300, 10_000);
      const tally = await runCrew(micro, all, { steps: chosenSteps(), signal });
      expect(tally.schedules).toBe(all.length);
      console.log(`${tally.schedules} schedules, ${Math.round(tally.virtualMs / 3_600_000)} virtual hours`);
      expect(tally.canaries).toBe(Math.floor(all.length / 100));
      if (all.length < enough) return;
      expect(vacuous(tally, elsewhere)).toEqual([]);
    },
    seedsLimitMs(600_000),
  );

  it(
    'a seed gives one trace, in another process too, and on a busy machine',
    async () => {
      const some = seeds(3, 100).map((seed) => seed * 7);
      // They end by themselves, should nobody end them.
      const work = 'for (const end = Date.now() + 600_000; Date.now() < end; );';
      const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', work]));
      try {
        const script = fileURLToPath(new URL('traces.ts', import.meta.url));
        const args = ['--conditions=@lifeline/source', script, micro.name, ...some.map(String)];
        const there = promisify(execFile)(process.execPath, args);
        const here = await traces(micro, some);
        expect((await there).stdout.trim().split('\n')).toEqual(here);
      } finally {
        for (const child of busy) child.kill('SIGKILL');
      }
    },
    seedsLimitMs(120_000),
  );

  it(
    'M3: the end does not tell by which way it was reached',
    async () => {
      for (const seed of seeds(6, 100).map((number) => number * 8))
        expect(await pathFinding(micro, drawTwin(micro, seed), metamorphosis), `seed=${seed}`).toBeUndefined();
    },
    seedsLimitMs(120_000),
  );

  it(
    'M4: nor in which order what has nothing to do with each other happened',
    async () => {
      for (const seed of seeds(6, 100).map((number) => number * 8))
        expect(await orderFinding(micro, drawTwin(micro, seed), metamorphosis), `seed=${seed}`).toBeUndefined();
    },
    seedsLimitMs(120_000),
  );
});
