/** Whole landscapes: projects, hub, edges and cell, with everything that goes wrong between them. */
import { chosenSteps, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { type FaultId, vacuous } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { runCrew } from './crew.ts';
import { world } from './world.ts';

/** The app has one version; no app is asked by a hook yet; knobs are the micro worlds'. */
const elsewhere: readonly FaultId[] = ['F06', 'F24', 'F25'];

it(
  'worlds hold every invariant, whatever goes wrong',
  async ({ signal }) => {
    const all = seeds(16, 1_000);
    const tally = await runCrew(world, all, { steps: chosenSteps(), signal });
    expect(tally.schedules).toBe(all.length);
    console.log(`${tally.schedules} worlds, ${Math.round(tally.virtualMs / 3_600_000)} virtual hours`);
    if (all.length >= 500) expect(vacuous(tally, elsewhere)).toEqual([]);
  },
  seedsLimitMs(600_000),
);
