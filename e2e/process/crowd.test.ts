/** Many at once, with nothing else going on: they keep Karmada busy. */
import { afterAll, beforeAll, it } from 'vitest';
import { badNeighbour } from '../scenarios/bad-neighbour.ts';
import { played } from './counts.fixture.ts';
import { ProcessStage } from './stage.fixture.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

it(badNeighbour.name, { timeout: 600_000 }, async () => {
  await played(badNeighbour.name, () => badNeighbour.play(stage));
});
