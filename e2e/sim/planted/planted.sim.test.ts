/**
 * The simulator bites: bugs are planted in a process of their own, and the oracle that is named beside each finds it. The seed at which it
 * was found first is on record: found much later, the draws have become weaker.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seedsLimitMs } from '@lifeline/core/testing';
import { runBatch } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from '../scenarios.ts';
import { type PlantedBug, plantedBugs } from './bugs.ts';
import type { Catch } from './hunt.ts';
import { edited } from './plant.ts';

const root = new URL('../../../', import.meta.url);
const record = fileURLToPath(new URL('first-hits.json', import.meta.url));
const firstHits = JSON.parse(readFileSync(record, 'utf8')) as Record<string, number>;
const isFull = process.env.LIFELINE_SEEDS === 'full';
const updates = process.env.UPDATE_GOLDEN === '1';

async function hunt(bug: PlantedBug, first: number, count: number): Promise<Catch | undefined> {
  const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const args = [
    '--conditions=@lifeline/source',
    '--import',
    script('plant.ts'),
    script('hunt.ts'),
    `${first}`,
    `${count}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, PLANTED_BUG: bug.id },
  });
  return (JSON.parse(stdout) as Catch | null) ?? undefined;
}

/** The default suite hunts every third of those of micro worlds alone, which take a few seconds each. */
const hunted = isFull
  ? plantedBugs
  : plantedBugs.filter(({ scenario }) => scenario === undefined).filter((_, at) => at % 3 === 0);

/** Several at once, one a core. */
async function huntAll(range: (bug: PlantedBug) => readonly [number, number]): Promise<Map<string, Catch | undefined>> {
  const left = [...hunted];
  const found = new Map<string, Catch | undefined>();
  const lane = async (): Promise<void> => {
    for (let bug = left.shift(); bug; bug = left.shift()) found.set(bug.id, await hunt(bug, ...range(bug)));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return found;
}

/** The clean code, by seeds: each once. */
const clean = {
  passed: new Set<string>(),
  async run(scenario: string, seed: number): Promise<void> {
    const what = `${scenario} ${seed}`;
    if (!this.passed.has(what)) await runBatch(scenarioOf(scenario), [seed]);
    this.passed.add(what);
  },
};

describe('planted bugs', () => {
  it.each(plantedBugs.map(({ id, edits }) => ({ id, edits })))('$id applies at exactly one place', ({ edits }) => {
    for (const edit of edits) edited(readFileSync(new URL(edit.file, root), 'utf8'), edit);
  });

  it(
    'each is found by its oracle, from the seed on record; the clean code passes there',
    async () => {
      // Mostly by that very seed: what else changes shifts draws a little.
      const found = await huntAll(({ id, within }) => [firstHits[id] ?? 1, within]);
      const missed = hunted.filter(({ id }) => found.get(id) === undefined).map(({ id, what }) => `${id} ${what}`);
      if (!updates) expect(missed, 'hunt anew: UPDATE_GOLDEN=1 npm run sim -- e2e/sim/planted').toEqual([]);
      for (const { id, scenario = 'micro' } of hunted) await clean.run(scenario, firstHits[id] ?? 1);
    },
    seedsLimitMs(300_000),
  );

  it.runIf(isFull)(
    'each is found within its number of seeds, and not four times as late as on record',
    async () => {
      const found = await huntAll(({ within }) => [1, within]);
      const now = Object.fromEntries(plantedBugs.map(({ id }) => [id, found.get(id)?.seed]));
      if (updates) writeFileSync(record, `${JSON.stringify(now, undefined, 2)}\n`);
      const late = plantedBugs.filter(({ id }) => {
        const seed = now[id];
        return seed === undefined || (!updates && seed > 4 * (firstHits[id] ?? 0));
      });
      expect(late.map(({ id }) => `${id}: ${now[id] ?? 'not found'}, and on record is ${firstHits[id]}`)).toEqual([]);
      // The clean code passes the same seeds.
      for (const { scenario = 'micro', within } of plantedBugs)
        for (let seed = 1; seed <= within; seed++) await clean.run(scenario, seed);
    },
    1_200_000,
  );
});
