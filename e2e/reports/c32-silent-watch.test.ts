/**
 * A watch hangs half-open behind a load balancer: no event and no error for hours. Or nothing but bookmarks comes for so long that the
 * revision of the last event has expired when the watch has to go on.
 * Source: kubernetes-client/javascript#596, #364, #2432; kubernetes/kubernetes#65012; kubernetes-sigs/kueue PR #9968.
 * Cause:  only an end of the stream made the client open another one; bookmarks were passed to handlers, or passed over.
 * Guard:  a stream may be silent for 150 s, then it is given up and the kind is listed; silence shows in health and metrics; a bookmark
 *         moves the revision that a watch goes on from, and nothing else.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap } from '@lifeline/core';
import { expect, it } from 'vitest';
import { appWith, listener } from './test-app.ts';
import { configMap, minutes, seconds, World } from './world.ts';

it('C32: a watch that went silent is given up within the limit', async () => {
  await using world = new World();
  const plane = world.source();
  plane.put(ConfigMap, configMap('conn-a', { v: '1' }));
  world.start();
  await world.after(minutes(1));
  // The connections there are go dead; new ones would work.
  plane.blackhole(true);
  plane.blackhole(false);
  const { metadata } = plane.get(ConfigMap, { namespace: 'default', name: 'conn-a' }) as ConfigMap;
  plane.put(ConfigMap, configMap('conn-a', { v: '2' }, metadata));
  await world.after(seconds(80));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
  expect(await world.metric('a', 'lifeline_reflector_silence_seconds', { cluster: 'p1' })).toBeGreaterThan(79);
  await world.after(seconds(75));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '2' } });
  expect(plane.openWatches()).toBe(1);
});

it('C32: while no stream says anything, what is known is never older than the limit and one list', async () => {
  await using world = new World();
  world.start();
  await world.after(minutes(1));
  const { target } = world;
  for (const plane of [world.source(), target]) plane.blackhole(true);
  const ready: boolean[] = [];
  for (let change = 0; change < 6; change++) {
    const held = world.source().get(ConfigMap, { namespace: 'default', name: 'conn-a' })?.metadata;
    world.source().put(ConfigMap, configMap('conn-a', { v: String(change) }, held ?? {}));
    for (let waited = 0; waited < 190; waited += 10) {
      await world.after(seconds(10));
      ready.push(world.sim.process('a').health.readyz().ok);
    }
    expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: String(change) } });
  }
  expect(ready).toContain(false);
  for (const plane of [world.source(), target]) plane.blackhole(false);
  await world.after(minutes(4));
  expect(world.sim.process('a').health.readyz().ok).toBe(true);
});

it('C32: bookmarks alone carry a watch for an hour, reach no handler, and spare the relist', async () => {
  let heard = 0;
  const app = appWith((planes) => [mirror({ ...planes, namespace: 'mirrors' }), listener(planes, () => heard++)]);
  await using world = new World({ app });
  const plane = world.source();
  plane.put(ConfigMap, configMap('conn-a', { v: '1' }));
  world.start();
  await world.after(minutes(2));
  const known = heard;
  const requests = world.requests('p1').length;
  const isWatchOn = ({ path }: { path: string }): boolean =>
    path.includes('watch=true') && path.includes('resourceVersion=') && !path.includes('sendInitialEvents');
  for (let minute = 0; minute < 60; minute++) {
    // The server's memory ends at the last bookmark.
    world.elsewhere(plane);
    await world.after(minutes(1));
    plane.bookmark();
    await world.after(seconds(1));
    plane.compact();
  }
  plane.endWatches();
  await world.after(minutes(1));
  expect(heard).toBe(known);
  const later = world.requests('p1').slice(requests);
  expect(later.length).toBeGreaterThan(5);
  expect(later.filter((call) => !isWatchOn(call))).toEqual([]);
  expect(plane.openWatches()).toBe(1);
});
