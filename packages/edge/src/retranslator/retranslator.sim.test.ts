/** The closed loop with everything that can come between, in every order. */
import { seeded, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { Loop } from './loop.fixture.ts';

type Event = readonly [name: string, happen: (loop: Loop) => void];

const server = (loop: Loop, i: number) => loop.servers[i] ?? expect.fail('no such server');
const [g0, g1] = ['ns-0/g0', 'ns-1/g1'] as const;

const events: readonly Event[] = [
  ['g0 flips', (loop) => loop.flip(g0)],
  ['g1 flips', (loop) => loop.flip(g1)],
  ['a call fails', (loop) => loop.fates.push('failed')],
  ['a call is reset', (loop) => loop.fates.push('answered', 'aborted')],
  ['r0 freezes', (loop) => server(loop, 0).isUp && server(loop, 0).cache.freeze()],
  ['r1 freezes', (loop) => server(loop, 1).isUp && server(loop, 1).cache.freeze()],
  ['r0 restarts', (loop) => server(loop, 0).restart()],
  ['r1 restarts', (loop) => server(loop, 1).restart()],
  [
    'r1 is upgraded',
    (loop) => {
      server(loop, 1).version = 2;
      server(loop, 1).restart();
    },
  ],
];
/** So much time lies between two events: less than a watch takes, within a call, within the grace, after it. */
const gapsMs = [1, 60, 1_000, 4_000];

async function judge(names: readonly (readonly [Event, number])[], merged: boolean): Promise<void> {
  const what = `${merged ? 'merged' : 'unmerged'}: ${names.map(([[name], gapMs]) => `${name}, ${gapMs} ms`).join('; ')}`;
  const count = (what: RegExp): number => names.filter(([[name]]) => what.test(name)).length;
  const loop = new Loop({ merged });
  await loop.begin();
  for (const [[, happen], gapMs] of names) {
    happen(loop);
    await loop.clock.advance(gapMs);
  }
  // Everything that was begun ends: caches catch up, an upgrade reaches every replica.
  await loop.clock.advance(2_000);
  const isUpgraded = loop.servers.some(({ version }) => version === 2);
  for (const each of loop.servers) {
    each.cache.thaw();
    if (isUpgraded && each.version !== 2) {
      each.version = 2;
      each.restart();
    }
  }
  await loop.clock.advance(900_000);
  expect(loop.astray(), what).toEqual([]);
  const changes = count(/flips|upgraded/);
  // A call that is lost costs a stamp of its own; a cache that stands still for so long costs two.
  const losses = count(/fails|reset|restarts|upgraded/) + 2 * count(/freezes/);
  const most = Math.max(3 * Math.max(1, changes), changes + losses);
  for (const key of loop.keys) {
    const stamps = loop.stamps.filter((stamp) => stamp.key === key);
    expect(stamps.length, `${what}\n${JSON.stringify(stamps, undefined, 1)}`).toBeLessThanOrEqual(most);
  }
  loop.stamps.length = 0;
  await loop.clock.advance(3_600_000);
  expect(loop.stamps, what).toEqual([]);
}

it.each([true, false])(
  'every two events, in every order: all end on what is wanted, with three stamps at most, and none once quiet (merged: %s)',
  async (merged) => {
    for (const first of events)
      for (const second of events)
        for (const gapMs of gapsMs)
          await judge(
            [
              [first, gapMs],
              [second, gapMs],
            ],
            merged,
          );
  },
  seedsLimitMs(600_000),
);

it(
  'any number of events',
  async () => {
    for (const seed of seeds(50, 5_000)) {
      const random = seeded(`loop/${seed}`);
      const drawn = Array.from(
        { length: 3 + random.int(4) },
        () => [events[random.int(events.length)] as Event, gapsMs[random.int(gapsMs.length)] as number] as const,
      );
      // When every replica dies there is nobody left who knows what was under way.
      const mortal = random.int(2);
      const some = drawn.filter(([[name]]) => !/restarts|upgraded/.test(name) || name.startsWith(`r${mortal}`));
      await judge(some, random.int(2) === 0).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
    }
  },
  seedsLimitMs(600_000),
);
