/** Hub replicators under everything that can go wrong: between them and the planes, in the planes, and by users. */
import { chosenSteps, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { drawTwin, type FaultId, Invariants, type OracleId, vacuous, World } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { runCrew } from '../crew.ts';
import { replicator } from './replicator.ts';

/** One version, no knobs of its own, no Karmada and no hook: those are other worlds'. */
const elsewhere: readonly FaultId[] = ['F06', 'F22', 'F24', 'F25'];
/** Hooks, claims, programs and rolls are other apps'. */
const othersInvariants: readonly OracleId[] = ['S8', 'S9', 'L3', 'L6'];
/** So many seeds have room for every fault. */
const enough = 500;

it(
  'replicators hold every invariant, whatever goes wrong; every fault fires and matters',
  async ({ signal }) => {
    const all = seeds(5, 1_000);
    const tally = await runCrew(replicator, all, { steps: chosenSteps(), signal });
    expect(tally.schedules).toBe(all.length);
    console.log(`${tally.schedules} schedules, ${Math.round(tally.virtualMs / 3_600_000)} virtual hours`);
    if (all.length >= enough) expect(vacuous(tally, elsewhere)).toEqual([]);
  },
  seedsLimitMs(1_800_000),
);

it('every invariant has a subject in it, but those of other apps', async () => {
  const { world, subjects } = replicator.setting(drawTwin(replicator, 1).shape);
  await using made = new World({ ...world, seed: 'subjects' });
  const { withoutSubject } = new Invariants(made, subjects);
  expect([...withoutSubject.values()]).toEqual([othersInvariants]);
  expect(subjects.every(({ shards }) => shards !== undefined)).toBe(true);
});
