/**
 * Many first users of a plane start many watchers; one is kept, the others run for ever. A start that fails half-way leaves its half.
 * Source: milo-os/milo PR #655.
 * Cause:  look-up and start were two steps with a wait between them.
 * Guard:  the first use of a kind starts its one informer before anybody can wait; what it starts ends with the plane.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap, type TransportInterceptor } from '@lifeline/core';
import { defineController, self, TransportError, watch } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { appWith, mirrored, type Planes } from './test-app.ts';
import { noAnswer } from './wires.ts';
import { configMap, minutes, seconds, World } from './world.ts';

const user = (index: number, planes: Planes, seen: Set<number>) =>
  defineController({
    name: `user-${index}`,
    watches: [watch(planes.sources, ConfigMap, { ...mirrored(planes), mapper: self })],
    writes: [],
    reconcile: async ({ cluster: name, key }, { cluster }) => {
      if (cluster(planes.sources, name).store(ConfigMap).get(key)) seen.add(index);
      return {};
    },
  });

it('C29: fifty users of a plane share one watch of a kind; a failed or cancelled start leaves nothing', async () => {
  const seen = new Set<number>();
  const app = appWith((planes) => [
    mirror({ ...planes, namespace: 'mirrors' }),
    ...Array.from({ length: 49 }, (_, index) => user(index, planes, seen)),
  ]);
  await using world = new World({ app });
  const plane = world.source();
  plane.put(ConfigMap, configMap('a', { v: '1' }));

  // The first start breaks in the middle of its answer.
  let starts = 0;
  const breaks: TransportInterceptor = (next) => async (request, options) => {
    const response = await next(request, options);
    if (request.method !== 'GET' || ++starts > 1) return response;
    await response.body[Symbol.asyncIterator]().return?.();
    const broken = new TransportError('connection-lost', 'connection reset');
    return { ...response, body: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(broken) }) } };
  };
  using _breaks = world.on('p1', breaks);
  world.start();
  await world.after(minutes(1));
  expect(seen.size).toBe(49);
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '1' } });
  expect(plane.openWatches()).toBe(1);
  expect(world.mostWatches.get('p1')).toBe(1);

  // The plane leaves while its start is under way: the start waits for an answer that never comes.
  world.known('p1', false);
  await world.after(seconds(20));
  expect(plane.openWatches()).toBe(0);
  const resting = world.clock.pending;
  {
    using _silent = world.on('p1', noAnswer);
    world.known('p1', true);
    await world.after(seconds(15));
    world.known('p1', false);
    await world.after(seconds(15));
  }
  expect(plane.openWatches()).toBe(0);
  expect(world.clock.pending).toBe(resting);

  world.known('p1', true);
  await world.after(minutes(1));
  expect(plane.openWatches()).toBe(1);
  expect(world.mostWatches.get('p1')).toBe(1);
  expect(world.differences()).toEqual([]);
});
