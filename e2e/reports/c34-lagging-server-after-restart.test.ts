/**
 * After a restart the first list comes from an API server that lags behind: what was deleted is there again, and is acted on.
 * Source: elastic/cloud-on-k8s#4956; kubernetes/kubernetes PR #60478.
 * Cause:  the first list asked for `resourceVersion=0`, which any server may answer from whatever its cache holds.
 * Guard:  the first list is a consistent read, streamed or paged, and so is every live read before a write.
 */
import { ConfigMap } from '@lifeline/core';
import { expect, it } from 'vitest';
import { configMap, minutes, seconds, World } from './world.ts';

it.each([
  { name: 'streamed', streamingLists: true },
  { name: 'paged', streamingLists: false },
])('C34: a restart that lists ($name) from a lagging server brings nothing back', async ({ streamingLists }) => {
  await using world = new World();
  const plane = world.source();
  for (const each of [plane, world.target]) each.streamingLists = streamingLists;
  for (const name of ['conn-a', 'conn-b']) plane.put(ConfigMap, configMap(name, { v: '1' }));
  world.start();
  await world.after(minutes(1));
  expect(Object.keys(world.copies())).toEqual(['p1 default/conn-a', 'p1 default/conn-b']);
  world.sim.kill('a');

  // From here on every cache of the servers stands still, as of before the deletion.
  plane.freeze();
  world.target.freeze();
  plane.remove(ConfigMap, { namespace: 'default', name: 'conn-a' });
  const [copy] = world.target.objects(ConfigMap).filter(({ metadata }) => metadata.name.startsWith('conn-a'));
  world.target.remove(ConfigMap, copy?.metadata ?? { name: '' });

  world.start();
  await world.after(minutes(2));
  expect(Object.keys(world.copies())).toEqual(['p1 default/conn-b']);
  expect(world.target.writes.filter(({ key, object }) => object && key.startsWith('mirrors/conn-a'))).toHaveLength(1);
  expect(world.calls.filter(({ path }) => /[?&]resourceVersion=0(&|$)/.test(path))).toEqual([]);

  plane.thaw();
  world.target.thaw();
  await world.after(seconds(30));
  expect(world.differences()).toEqual([]);
});
