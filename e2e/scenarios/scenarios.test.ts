import { describe, expect, it } from 'vitest';
import { badNeighbour } from './bad-neighbour.ts';
import { EmbeddedStage } from './embedded.fixture.ts';
import { scenarios } from './index.ts';

describe.each([{ merged: true }, { merged: false }])('in one process, merged: $merged', ({ merged }) => {
  for (const { name, play } of [...scenarios, badNeighbour]) {
    it(name, async () => {
      await using stage = await EmbeddedStage.open(merged);
      await stage.play(play(stage));
      expect(stage.rejected).toBe(0);
    });
  }
});
