/** L8: what goes on in one project costs no other anything. */
import { abortable, bodyOf, ConfigMap, keyOf, seeded, type TransportInterceptor } from '@lifeline/core';
import { Invariants, World } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { micro } from './micro.ts';
import { target } from './mirror-subject.ts';
import { mirrorActs } from './mirror-users.ts';

const knobs = { elects: false, floorMs: 60_000, workers: 2, deadlineMs: 60_000, leaseMs: 15_000 };
const shape = {
  sources: ['p1', 'p2'],
  replicas: ['a'],
  acts: 40,
  stormMs: 0,
  latencyMs: [0, 0],
  knobs: [knobs, knobs],
};

const answers =
  (status: number): TransportInterceptor =>
  () =>
  async () => ({ status, headers: { 'retry-after': '30' }, body: bodyOf() });
const hangs: TransportInterceptor =
  () =>
  (_request, { signal }) =>
    abortable(new Promise<never>(() => undefined), signal);

it.each([
  { name: 'is throttled', trouble: answers(429), withinMs: 10_000 },
  { name: 'is broken', trouble: answers(500), withinMs: 10_000 },
  // Its keys may hold every worker, each until its request is given up; then it is the other's turn.
  { name: 'hangs', trouble: hangs, withinMs: 30_000 },
])(
  'a new object of a quiet project beside a busy one that $name: within $withinMs ms',
  async ({ trouble, withinMs }) => {
    const setting = micro.setting(shape);
    await using world = new World({ ...setting.world, seed: 'quiet' });
    const invariants = new Invariants(world, setting.subjects);
    const put = (plane: string, name: string, mirrored = true): Promise<void> => {
      const done = mirrorActs['put']?.(world, { plane, name, mirrored, data: { of: plane } }, seeded('quiet'));
      return world.clock.run(done ?? Promise.resolve());
    };
    await world.clock.run(setting.prepare?.(world) ?? Promise.resolve());
    world.processes.start('a');
    for (let i = 0; i < 40; i++) await put('p1', `busy-${i}`);
    await world.after(10_000);
    world.wires.put(({ request }) => (request.url.includes('watch=true') ? undefined : trouble), { plane: 'p1' });
    // Each of them wants to be let go of, and none can be.
    for (let i = 0; i < 40; i++) await put('p1', `busy-${i}`, false);
    await world.after(5_000);
    const began = world.clock.monotonic();
    await put('p2', 'quiet');
    const isThere = (): boolean => world.truth.objects(target, ConfigMap).some((copy) => /quiet/.test(keyOf(copy)));
    while (!isThere() && world.clock.monotonic() - began < 600_000) await world.clock.step();
    expect(world.clock.monotonic() - began).toBeLessThanOrEqual(withinMs);
    expect(invariants.findings).toEqual([]);
  },
);
