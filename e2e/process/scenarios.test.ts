import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../scenarios/index.ts';
import { rejectedUpdates } from './envoys.fixture.ts';
import { ProcessStage } from './stage.fixture.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

describe('on real planes, with a real Envoy Gateway and Envoy', { timeout: 240_000 }, () => {
  for (const { name, play } of scenarios) {
    it(name, async () => {
      await play(stage);
      expect(await rejectedUpdates()).toEqual({});
    });
  }
});
