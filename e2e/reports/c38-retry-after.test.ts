/**
 * A server that says "too many requests, come back in 7 s" is asked again at once, by everybody who talks to it.
 * Source: kubernetes/kubernetes#34938, #26871; kubernetes/client-go#222; nolar/kopf PR #1229.
 * Cause:  `Retry-After` was not read, or by the one request that got it; retries went past the rate limit; the text body broke parsing.
 * Guard:  one budget for all clients of an app: after a 429 nobody asks that plane, after a 503 with a time nobody asks that origin;
 *         the longer of the server's and our own pause counts; a time that makes no sense is bounded.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap, defineKind, type KubeObject, objectMetaSchema } from '@lifeline/core';
import { type Controller, defineController, self, watch } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { appWith, type Planes } from './test-app.ts';
import { answering, isWatch, Tap } from './wires.ts';
import { type Call, configMap, minutes, seconds, World, type WorldOptions } from './world.ts';

const kinds = Array.from({ length: 50 }, (_, index) =>
  defineKind<KubeObject>({
    group: 'example.dev',
    version: 'v1',
    kind: `Thing${index}`,
    plural: `thing${index}s`,
    scope: 'Namespaced',
    statusSubresource: false,
    schema: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema }),
  }),
);

/** Fifty informers in every plane. */
const watcher = ({ sources }: Planes): Controller =>
  defineController({
    name: 'watcher',
    watches: kinds.map((kind) => watch(sources, kind, { mapper: self })),
    writes: [],
    reconcile: async () => ({}),
  });

const app = appWith((planes) => [mirror({ ...planes, namespace: 'mirrors' }), watcher(planes)]);

const originEach = (plane: string): string => `https://${plane}.test`;
const underPaths = (plane: string): string =>
  plane === 'target' ? 'https://target.test' : `https://host.test/planes/${plane}`;

async function busyWorld(options: WorldOptions): Promise<World> {
  const world = new World({ app, kinds, sources: ['p1', 'p2'], ...options });
  world.start();
  await world.after(seconds(30));
  for (const plane of ['p1', 'p2']) expect(world.source(plane).openWatches()).toBe(51);
  return world;
}

function endThings(world: World, plane: string): void {
  for (const kind of kinds) world.source(plane).endWatches({ kind });
}

it.each([
  { layout: 'an origin each', server: originEach, status: 429, alsoPaused: false },
  { layout: 'an origin each', server: originEach, status: 503, alsoPaused: false },
  { layout: 'paths of one origin', server: underPaths, status: 429, alsoPaused: false },
  { layout: 'paths of one origin', server: underPaths, status: 503, alsoPaused: true },
])('C38: planes with $layout: after $status nobody asks before the time, writers included', async (row) => {
  await using world = await busyWorld({ server: row.server });
  const start = world.clock.monotonic();
  const date = new Date(world.clock.now() + seconds(7)).toUTCString();
  const headers = { 'content-type': 'text/plain', 'retry-after': row.status === 429 ? '7' : date };
  const answer = { status: row.status, headers, body: 'Too many requests' };
  using _busy = world.on(
    'p1',
    answering(() => (world.clock.monotonic() < start + seconds(7) ? answer : undefined)),
  );
  endThings(world, 'p1');
  await world.after(seconds(1));
  // The watches of ConfigMaps are still there: both planes have something to write.
  for (const plane of ['p1', 'p2']) world.edit(plane, 'conn-a', { v: '1' });
  endThings(world, 'p2');
  await world.after(seconds(5.9));

  const since = (plane: string, from: number) => world.requests(plane, ({ at }) => at > from);
  expect(since('p1', start)).toEqual([]);
  if (row.alsoPaused) expect(since('p2', start)).toEqual([]);
  else expect(since('p2', start).filter(({ path }) => path.includes('thing'))).toHaveLength(50);

  await world.after(seconds(5));
  const later = since('p1', start);
  expect(Math.min(...later.map(({ at }) => at))).toBeGreaterThanOrEqual(start + seconds(7));
  expect(later.filter(({ status }) => status !== 200)).toEqual([]);
  expect(later.filter(({ path }) => path.includes('thing'))).toHaveLength(50);
  expect(Object.keys(world.copies()).toSorted()).toEqual(['p1 default/conn-a', 'p2 default/conn-a']);
  for (const plane of ['p1', 'p2']) expect(world.source(plane).openWatches()).toBe(51);
  expect(world.differences()).toEqual([]);
});

it.each([
  { layout: 'an origin each', server: originEach },
  { layout: 'paths of one origin', server: underPaths },
])('C38: planes with $layout: a write that gets 429 keeps everybody off', async ({ server }) => {
  await using world = await busyWorld({ server });
  let refused = 0;
  const busy = answering(({ method, url }) =>
    method === 'PATCH' && url.includes('/configmaps/') && refused++ === 0
      ? { status: 429, headers: { 'retry-after': '7' }, body: 'Too many requests' }
      : undefined,
  );
  using _busy = world.on('target', busy);
  world.edit('p1', 'conn-a', { v: '1' });
  await world.after(10);
  expect(refused).toBe(1);
  const start = world.clock.monotonic();
  const toTarget = (): Call[] => world.calls.filter(({ plane, at }) => plane === 'target' && at >= start);
  await world.after(seconds(6.9));
  expect(toTarget()).toEqual([]);
  await world.after(seconds(3));
  expect(toTarget().map(({ status }) => status)).not.toContain(429);
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
});

it('C38: a watch that is told 429 in mid-stream goes on where it was, after the time', async () => {
  await using world = new World();
  const tap = new Tap();
  using _tap = world.on('p1', tap.interceptor);
  world.edit('p1', 'conn-a', { v: '1' });
  world.start();
  await world.after(minutes(5));
  const start = world.clock.monotonic();
  const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 429, reason: 'TooManyRequests' };
  tap.say({ type: 'ERROR', object: { ...status, details: { retryAfterSeconds: 7 } } });
  world.edit('p1', 'conn-a', { v: '2' });
  await world.after(seconds(20));
  const [next, ...more] = world.requests('p1', ({ at }) => at >= start);
  expect(next?.at).toBeGreaterThanOrEqual(start + seconds(7));
  expect(next?.at).toBeLessThan(start + seconds(10));
  expect(next?.path).toMatch(/resourceVersion=\d+/);
  expect(next?.path).not.toContain('sendInitialEvents');
  expect(more).toEqual([]);
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '2' } });
});

it('C38: our own pauses grow past a hint that stays short', async () => {
  await using world = new World();
  world.start();
  await world.after(minutes(3));
  const answer = { status: 429, headers: { 'retry-after': '1' }, body: 'Too many requests' };
  using busy = world.on(
    'p1',
    answering(() => answer),
  );
  world.source().endWatches();
  const start = world.clock.monotonic();
  await world.after(minutes(10));
  const times = world.requests('p1', ({ at }) => at >= start).map(({ at }) => at);
  expect(times.length).toBeLessThan(60);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(seconds(1));
  expect(Math.max(...gaps)).toBeGreaterThan(seconds(20));
  busy[Symbol.dispose]();
  world.edit('p1', 'conn-a', { v: '1' });
  await world.after(minutes(2));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
});

it.each(['-1', '1e9', '999999999999', 'soon', '', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'C38: "Retry-After: %s" means between a second and a minute',
  async (hint) => {
    await using world = new World();
    world.start();
    await world.after(minutes(3));
    let refused = 0;
    const busy = answering((request) =>
      isWatch(request) && refused++ === 0 ? { status: 429, headers: { 'retry-after': hint } } : undefined,
    );
    using _busy = world.on('p1', busy);
    world.source().endWatches();
    const start = world.clock.monotonic();
    await world.after(1);
    world.source().put(ConfigMap, configMap('conn-a', { v: '1' }));
    await world.after(minutes(1.5));
    const [, next] = world.requests('p1', ({ at }) => at >= start);
    expect(next?.at).toBeGreaterThanOrEqual(start + seconds(1));
    expect(next?.at).toBeLessThanOrEqual(start + seconds(61));
    expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
  },
);
