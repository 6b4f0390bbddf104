/** What Envoy Gateway 1.9.1 was seen to do, and the stub does: calls, bursts, failures, bad answers. */
import { describe, expect, it } from 'vitest';
import { Edge, namespace, stampKey } from './edge.fixture.ts';
import type { XdsSnapshot } from './xds.ts';

const key = (name: string): string => `${namespace}/${name}`;

async function settled({ merged = false, gateways = ['a'] } = {}): Promise<Edge> {
  const edge = new Edge({ merged });
  for (const name of gateways) await edge.serve(name);
  await edge.after(5_000);
  edge.asked.length = 0;
  return edge;
}

describe('what makes it ask', () => {
  it.each([
    { name: 'a new stamp', annotation: stampKey, calls: [1, 1, 0] },
    {
      name: 'an annotation of another prefix',
      annotation: 'networking.datumapis.com/connector-ready-generation',
      calls: [0, 0, 0],
    },
  ])('$name: $calls', async ({ annotation, calls }) => {
    using edge = await settled();
    const seen: number[] = [];
    for (const value of ['one', 'two', 'two']) {
      await edge.annotate('a', { [annotation]: value });
      seen.push((await edge.after(20_000)).length);
    }
    expect(seen).toEqual(calls);
  });

  it('labels do not', async () => {
    using edge = await settled();
    await edge.label('a', { x: 'y' });
    expect(await edge.after(20_000)).toEqual([]);
  });

  it('the stamp is in the metadata of the virtual host, without its prefix', async () => {
    using edge = await settled();
    await edge.stamp('a', 'abc.1');
    expect((await edge.after(1_000)).map(({ stamps }) => stamps)).toEqual([{ a: 'abc.1' }]);
  });
});

describe('bursts', () => {
  it('one call a Gateway when they are not merged', async () => {
    const gateways = Array.from({ length: 20 }, (_, i) => `g${i}`);
    using edge = await settled({ gateways });
    for (const name of gateways) await edge.stamp(name, 'x');
    expect(await edge.after(2_000)).toHaveLength(20);
  });

  it('a class in one call when they are', async () => {
    const gateways = Array.from({ length: 20 }, (_, i) => `g${i}`);
    using edge = await settled({ merged: true, gateways });
    const calls = [];
    for (const name of gateways) {
      await edge.stamp(name, 'x');
      calls.push(...(await edge.after(15)));
    }
    calls.push(...(await edge.after(2_000)));
    expect(calls.length).toBeGreaterThanOrEqual(5);
    expect(calls.length).toBeLessThanOrEqual(19);
    expect(Object.keys(calls.at(-1)?.stamps ?? {})).toHaveLength(20);
  });

  it('20 stamps of one Gateway in 0.4 s: about 11 calls; 2 when a call takes half a second, the first and the last', async () => {
    for (const [takesMs, least, most] of [
      [0, 8, 14],
      [500, 2, 2],
    ] as const) {
      using edge = await settled();
      edge.takesMs = takesMs;
      const calls = [];
      for (let i = 1; i <= 20; i++) {
        await edge.stamp('a', `${i}`);
        calls.push(...(await edge.after(20)));
      }
      calls.push(...(await edge.after(3_000)));
      expect(calls.length).toBeGreaterThanOrEqual(least);
      expect(calls.length).toBeLessThanOrEqual(most);
      expect(calls.at(-1)?.stamps).toEqual({ a: '20' });
    }
  });

  it('strictly one after the other, over all keys', async () => {
    const gateways = Array.from({ length: 10 }, (_, i) => `g${i}`);
    using edge = await settled({ gateways });
    edge.takesMs = 500;
    for (const name of gateways) await edge.stamp(name, 'x');
    const calls = await edge.after(6_000);
    const times = calls.map(({ at }) => at);
    expect(calls).toHaveLength(10);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBe(500);
  });
});

describe('failures', () => {
  it('UNAVAILABLE: four attempts at +0, +111, +273 and +726 ms, then nothing until the next stamp', async () => {
    using edge = await settled();
    edge.failures.push(...Array.from({ length: 4 }, () => 'UNAVAILABLE' as const));
    await edge.stamp('a', 'one');
    const times = (await edge.after(30_000)).map(({ at }) => at);
    expect(times.map((at) => Math.round(at - (times[0] ?? 0)))).toEqual([0, 111, 273, 726]);
    expect(edge.gateway.skipped).toBe(1);
    await edge.stamp('a', 'two');
    expect(await edge.after(1_000)).toHaveLength(1);
  });

  it('above 256 KiB: one attempt', async () => {
    using edge = await settled();
    await edge.annotate('a', { 'gateway.envoyproxy.io/padding': 'x'.repeat(200_000) });
    await edge.hosts('a', ['a.example.com', 'b.example.com']);
    await edge.after(1_000);
    edge.failures.push('UNAVAILABLE', 'UNAVAILABLE');
    await edge.stamp('a', 'one');
    const calls = await edge.after(30_000);
    expect(calls[0]?.bytes).toBeGreaterThan(256 * 1024);
    expect(calls).toHaveLength(1);
  });

  it.each(['INTERNAL', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED'] as const)(
    '%s: one attempt, and Envoy keeps what it runs',
    async (code) => {
      using edge = await settled();
      const before = edge.gateway.envoy(key('a')).program;
      edge.failures.push(code);
      await edge.stamp('a', 'one');
      expect(await edge.after(30_000)).toHaveLength(1);
      expect(edge.gateway.envoy(key('a')).program).toEqual(before);
    },
  );

  it('nobody listens: it waits, and goes on by itself with the last value', async () => {
    using edge = await settled();
    edge.listens = false;
    for (const value of ['one', 'two', 'three']) {
      await edge.stamp('a', value);
      expect(await edge.after(5_000)).toEqual([]);
    }
    edge.listens = true;
    expect((await edge.after(20_000)).map(({ stamps }) => stamps)).toEqual([{ a: 'three' }]);
  });

  it('a call that breaks off is said again; above 256 KiB it is lost', async () => {
    using edge = await settled();
    edge.failures.push('EOF');
    await edge.stamp('a', 'one');
    expect(await edge.after(10_000)).toHaveLength(2);
    await edge.annotate('a', { 'gateway.envoyproxy.io/padding': 'x'.repeat(200_000) });
    await edge.hosts('a', ['a.example.com', 'b.example.com']);
    await edge.after(10_000);
    edge.failures.push('EOF');
    await edge.stamp('a', 'two');
    expect(await edge.after(60_000)).toHaveLength(1);
  });

  it('a hang blocks every key', async () => {
    using edge = await settled({ gateways: ['a', 'b'] });
    edge.takesMs = 60_000;
    await edge.stamp('a', 'one');
    await edge.after(1_000);
    await edge.stamp('b', 'one');
    expect(await edge.after(55_000)).toEqual([]);
    edge.takesMs = 0;
    expect((await edge.after(10_000)).map(({ stamps }) => stamps)).toEqual([{ b: 'one' }]);
  });
});

describe('bad answers', () => {
  const withDuplicate = (snapshot: XdsSnapshot): XdsSnapshot => ({
    ...snapshot,
    routes: snapshot.routes.map((route) => {
      const { virtual_hosts = [] } = route;
      const [first] = virtual_hosts;
      return first ? { ...route, virtual_hosts: [...virtual_hosts, { ...first, name: 'again' }] } : route;
    }),
  });

  it('a duplicate domain freezes the routes of all merged Gateways; clusters go on; the next good answer heals', async () => {
    using edge = await settled({ merged: true, gateways: ['a', 'b'] });
    const envoy = edge.gateway.envoy('eg');
    edge.answer = (snapshot) => ({ ...withDuplicate(snapshot), clusters: snapshot.clusters.slice(0, 1) });
    await edge.hosts('b', ['new.example.com']);
    await edge.after(1_000);
    expect(envoy.rejected).toBe(1);
    expect(envoy.program.clusters).toHaveLength(1);
    expect(envoy.serve('new.example.com')).toEqual({ status: 404 });
    expect(envoy.serve('b.example.com')).toEqual({ status: 503 });
    expect(envoy.serve('a.example.com').status).toBe(200);
    edge.answer = (snapshot) => snapshot;
    await edge.stamp('a', 'heal');
    await edge.after(1_000);
    expect(envoy.serve('new.example.com').status).toBe(200);
  });

  it('an Envoy that restarts over it has no last good one: 404 for every host', async () => {
    using edge = await settled({ merged: true, gateways: ['a', 'b'] });
    edge.answer = withDuplicate;
    await edge.stamp('a', 'x');
    await edge.after(1_000);
    const envoy = edge.gateway.envoy('eg');
    expect(envoy.serve('a.example.com').status).toBe(200);
    envoy.restart();
    expect(envoy.serve('a.example.com')).toEqual({ status: 404 });
  });

  it('a cluster without a name: nothing of the answer arrives', async () => {
    using edge = await settled();
    edge.answer = (snapshot) => ({
      ...snapshot,
      clusters: snapshot.clusters.map((cluster) => ({ ...cluster, name: '' })),
    });
    await edge.stamp('a', 'x');
    await edge.after(1_000);
    expect(edge.gateway.envoy(key('a')).serve('a.example.com').status).toBe(200);
    expect(edge.gateway.skipped).toBe(1);
  });

  it('no clusters at all: 503', async () => {
    using edge = await settled();
    edge.answer = (snapshot) => ({ ...snapshot, clusters: [] });
    await edge.stamp('a', 'x');
    await edge.after(1_000);
    expect(edge.gateway.envoy(key('a')).serve('a.example.com')).toEqual({ status: 503 });
  });
});

it('names: of clusters, routes, virtual hosts and listeners', async () => {
  using edge = await settled({ merged: true, gateways: ['a', 'b'] });
  const { listeners, routes, clusters } = edge.gateway.envoy('eg').program;
  expect(listeners.map(({ name, address }) => [name, address?.socket_address?.port_value])).toEqual([
    ['default/a/http', 10080],
  ]);
  expect(
    routes.map(({ name, virtual_hosts }) => [name, virtual_hosts?.map((host) => [host.name, host.domains])]),
  ).toEqual([
    [
      'default/a/http',
      [
        ['default/a/http/a_example_com', ['a.example.com']],
        ['default/b/http/b_example_com', ['b.example.com']],
      ],
    ],
  ]);
  expect(routes[0]?.virtual_hosts?.[0]?.routes?.map(({ name }) => name)).toEqual([
    'httproute/default/a/rule/0/match/0/a_example_com',
  ]);
  expect(clusters.map(({ name }) => name)).toEqual(['httproute/default/a/rule/0', 'httproute/default/b/rule/0']);
  expect(routes[0]?.virtual_hosts?.[1]?.metadata).toEqual({
    filter_metadata: {
      'envoy-gateway': { resources: [{ kind: 'Gateway', namespace: 'default', name: 'b', sectionName: 'http' }] },
    },
  });
});
