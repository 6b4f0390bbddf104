import type { Random } from '@lifeline/core';
import { seeded, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { count, projects, ShardedWorld } from './sharded-world.fixture.ts';

/** One thing that happens to a world, and how long until the next. */
async function happen(world: ShardedWorld, random: Random): Promise<void> {
  const { simulation } = world;
  const name = (['a', 'b', 'c'] as const)[random.int(3)] ?? 'a';
  const spanMs = 1_000 + random.int(59_000);
  world.edit(projects.filter(() => random.int(2) === 0));
  switch (random.int(8)) {
    case 0:
    case 1:
      // A stall: the process knows nothing of it until it is over.
      if (!world.isStarted(name)) break;
      simulation.process(name).pause();
      simulation.clock.timer(spanMs, () => world.isStarted(name) && simulation.process(name).resume());
      break;
    case 2:
      world.cut(name, random.int(2) === 0 ? 'refuses' : 'hangs');
      simulation.clock.timer(spanMs, () => world.cut(name, undefined));
      break;
    case 3:
      if (world.isStarted(name)) simulation.kill(name);
      break;
    case 4:
      if (!world.isStarted(name)) simulation.start(name);
      break;
    case 5:
      world.deleteLeases(random);
      break;
    case 6:
      simulation.plane('hub').compact();
      simulation.plane('hub').endWatches();
      break;
    case 7:
      break;
  }
  await simulation.clock.advance(random.int(20_000));
}

describe('shards in a simulated world', () => {
  it(
    'no project is ever written by a replica while another one holds its shard, or without holding it; after it all is over everything is held and copied',
    async () => {
      for (const seed of seeds(5, 150)) {
        const world = new ShardedWorld(seed);
        const { simulation } = world;
        const random = seeded(`${seed}/events`);
        world.edit(projects);
        for (const name of ['a', 'b', 'c']) simulation.start(name);
        await simulation.clock.advance(15_000);
        for (let step = 0; step < 14; step++) {
          await happen(world, random);
          expect(world.offences, `seed ${seed}`).toEqual([]);
        }
        world.calm();
        // Until the last stall is over.
        await simulation.clock.advance(60_000);
        for (const name of ['a', 'b', 'c']) if (!world.isStarted(name)) simulation.start(name);
        world.edit(projects);
        await simulation.clock.advance(60_000);
        const held = world.live.flatMap((name) => [...(world.shardsOf(name)?.certain().keys() ?? [])]);
        expect(held.sort(), `seed ${seed}`).toEqual(Array.from({ length: count }, (_, shard) => shard));
        const engaged = world.live.flatMap((name) => world.engagedOf(name));
        expect(engaged.sort(), `seed ${seed}`).toEqual(projects);
        expect(world.behind(), `seed ${seed}`).toEqual([]);
        expect(world.offences, `seed ${seed}`).toEqual([]);
        expect([...world.writes.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2 * projects.length);
        await simulation.stop();
        expect(simulation.clock.pending, `seed ${seed}`).toBe(0);
      }
    },
    seedsLimitMs(60_000),
  );
});
