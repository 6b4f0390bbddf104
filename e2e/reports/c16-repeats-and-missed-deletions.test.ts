/**
 * Deletions that happen while a watch is down are never noticed; after the reconnect other events come again and are acted on again.
 * Source: cilium/cilium#24740, defenseunicorns/pepr#295, kubernetes-client/javascript#570.
 * Cause:  a relist was added to what was known, not compared with it, and events went to handlers without a look at the cache.
 * Guard:  a relist replaces the cache and tells exactly what differs; what the cache already holds, or no longer holds, is no event.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap } from '@lifeline/core';
import { expect, it } from 'vitest';
import { appWith, describeEvent, listener } from './test-app.ts';
import { Tap, unreachable } from './wires.ts';
import { configMap, seconds, World } from './world.ts';

it('C16: what happened while the watch was down is told once, and repeats change nothing', async () => {
  const heard: string[] = [];
  const app = appWith((planes) => [
    mirror({ ...planes, namespace: 'mirrors' }),
    listener(planes, (event) => heard.push(describeEvent(event))),
  ]);
  await using world = new World({ app });
  const plane = world.source();
  const tap = new Tap();
  using _tap = world.on('p1', tap.interceptor);
  for (const name of ['a', 'b']) plane.put(ConfigMap, configMap(name, { v: '1' }));
  world.start();
  await world.after(seconds(30));
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '1' }, 'p1 default/b': { v: '1' } });
  const { metadata } = plane.get(ConfigMap, { namespace: 'default', name: 'a' }) as ConfigMap;
  const lost = plane.get(ConfigMap, { namespace: 'default', name: 'b' }) as ConfigMap;
  heard.length = 0;

  const before = world.writes().length;
  {
    using _down = world.on('p1', unreachable);
    plane.endWatches({ error: new Error('connection reset') });
    await world.after(seconds(5));
    plane.remove(ConfigMap, lost.metadata);
    plane.put(ConfigMap, configMap('a', { v: '2' }, metadata));
    plane.put(ConfigMap, configMap('c', { v: '1' }, { finalizers: metadata.finalizers }));
    plane.compact();
    await world.after(seconds(15));
    expect(heard).toEqual([]);
  }
  await world.after(seconds(60));
  expect(heard.toSorted()).toEqual(['added default/c 1', 'deleted default/b 1', 'updated default/a 1→2']);
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '2' }, 'p1 default/c': { v: '1' } });
  expect(
    world
      .writes()
      .slice(before)
      .map(({ method }) => method)
      .toSorted(),
  ).toEqual(['DELETE', 'PATCH', 'PATCH']);

  const settled = world.writes().length;
  const adds = await world.metric('a', 'workqueue_adds_total', { name: 'mirror' });
  const deletion = { ...lost, metadata: { ...lost.metadata, resourceVersion: String(plane.revision - 2) } };
  const second = plane.get(ConfigMap, { namespace: 'default', name: 'a' });
  tap.say(
    { type: 'DELETED', object: deletion },
    { type: 'DELETED', object: deletion },
    { type: 'ADDED', object: second },
  );
  await world.after(seconds(10));
  expect(heard).toHaveLength(3);
  expect(await world.metric('a', 'workqueue_adds_total', { name: 'mirror' })).toBe(adds);
  expect(world.writes()).toHaveLength(settled);
  expect(world.differences()).toEqual([]);
});
