import { describe, expect, it } from 'vitest';
import { badNeighbour } from './bad-neighbour.ts';
import { EmbeddedStage } from './embedded.fixture.ts';
import { scenarios } from './index.ts';
import { mainJob } from './main-job.ts';

describe.each([
  { merged: true, played: [...scenarios, badNeighbour] },
  { merged: false, played: [mainJob] },
])('in one process, merged: $merged', ({ merged, played }) => {
  for (const { name, play } of played) {
    it(name, async () => {
      await using stage = await EmbeddedStage.open(merged);
      await stage.play(play(stage));
      expect(stage.rejected).toBe(0);
    });
  }
});
