/**
 * A watch from an expired revision ends at once, without a 410 or with one inside the stream; the client comes back with the same
 * revision for ever, tens of times a second. After an outage error handler and inner retry both start a watch.
 * Source: fabric8io/kubernetes-client#7896; kubernetes/kubernetes#137089; akash-network/console PR #3058; kubernetes-client/javascript#1933.
 * Cause:  only an HTTP 410 led to a list; a clean end meant "again, now"; the watch could be started from two places.
 * Guard:  the third empty watch in a row, and an expiry in any form, leads to a list; ends in a row are spaced out; one loop owns the stream.
 */
import { ConfigMap, type TransportInterceptor } from '@lifeline/core';
import { expect, it } from 'vitest';
import { answering, isWatch, unreachable } from './wires.ts';
import { type Call, configMap, minutes, seconds, World } from './world.ts';

const lists = ({ path }: Call): boolean => path.includes('sendInitialEvents');

async function running(): Promise<World> {
  const world = new World();
  world.source().put(ConfigMap, configMap('a', { v: '1' }));
  world.start();
  await world.after(minutes(3));
  return world;
}

function change(world: World): void {
  const { metadata } = world.source().get(ConfigMap, { namespace: 'default', name: 'a' }) as ConfigMap;
  world.source().put(ConfigMap, configMap('a', { v: '2' }, metadata));
}

it.each([
  { expiry: 'unsaid', watches: 3 },
  { expiry: 'event', watches: 1 },
  { expiry: 'status', watches: 1 },
] as const)('C36: an expired revision, told as "$expiry", is followed by a list', async ({ expiry, watches }) => {
  await using world = await running();
  const plane = world.source();
  plane.expiry = expiry;
  const before = world.requests('p1').length;
  plane.endWatches();
  change(world);
  plane.compact();
  await world.after(seconds(10));
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '2' } });
  const calls = world.requests('p1').slice(before);
  expect(calls.filter((call) => !lists(call))).toHaveLength(watches);
  expect(calls.filter(lists)).toHaveLength(1);
});

it.each([
  { name: 'ends at once', body: '' },
  {
    name: 'says ERROR 500',
    body: '{"type":"ERROR","object":{"apiVersion":"v1","kind":"Status","status":"Failure","code":500,"reason":"InternalError"}}\n',
  },
  {
    name: 'says ERROR 410',
    body: '{"type":"ERROR","object":{"apiVersion":"v1","kind":"Status","status":"Failure","code":410,"reason":"Expired"}}\n',
  },
])('C36: a server whose every watch $name is asked at a bounded rate, and caught up with', async ({ body }) => {
  await using world = await running();
  const plane = world.source();
  {
    using _broken = world.on(
      'p1',
      answering((request) => (isWatch(request) ? { status: 200, body } : undefined)),
    );
    plane.endWatches();
    const before = world.requests('p1').length;
    await world.after(minutes(1));
    change(world);
    await world.after(minutes(9));
    // Pages stand in for the streamed lists that break too.
    expect(world.copies()).toEqual({ 'p1 default/a': { v: '2' } });
    const sent = world.requests('p1').length - before;
    expect(sent).toBeGreaterThan(10);
    expect(sent).toBeLessThan(120);
  }
  await world.after(minutes(2));
  const settled = world.requests('p1').length;
  await world.after(minutes(20));
  expect(world.requests('p1').length - settled).toBeLessThan(8);
  expect(world.mostWatches.get('p1')).toBe(1);
});

it('C36: after an outage of a minute there is one stream again, and the usual pace', async () => {
  await using world = await running();
  const plane = world.source();
  const down: TransportInterceptor = unreachable;
  {
    using _down = world.on('p1', down);
    plane.endWatches({ error: new Error('connection reset') });
    const before = world.requests('p1').length;
    await world.after(minutes(1));
    expect(world.requests('p1').length - before).toBeLessThan(20);
    change(world);
  }
  await world.after(minutes(2));
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '2' } });
  expect(plane.openWatches()).toBe(1);
  const settled = world.requests('p1').length;
  await world.after(minutes(20));
  expect(world.requests('p1').length - settled).toBeLessThan(8);
  expect(world.mostWatches.get('p1')).toBe(1);
});
