import { ConfigMap, type DurationMs, Namespace, parseWatermark } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createClient, createLog } from '@lifeline/k8s';
import { createScriptedApi } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import type { Behind } from './behind.ts';
import { runWatermark } from './run-watermark.ts';

const name = { namespace: 'lifeline-truth', name: 'lifeline-watermark' };
const truth = {
  'lifeline.dev/installation': 'demo',
  'meta.datumapis.com/upstream-namespace': 'lifeline-truth',
};

function world() {
  const clock = new VirtualClock();
  const api = createScriptedApi({ clock, random: seeded('hub'), kinds: [ConfigMap, Namespace], latencyMs: 20 });
  const stop = new AbortController();
  const replica = (held: Map<number, DurationMs>, behind: readonly Behind[] = []) => {
    const lines: string[] = [];
    const running = runWatermark(
      {
        client: createClient({
          transport: api.transport,
          baseUrl: 'https://hub',
          clock,
          random: seeded('r'),
          userAgent: 'r',
        }),
        clock,
        log: createLog({ clock, write: (line) => lines.push(line) }),
        installation: 'demo',
        shards: { count: 4, certain: () => held },
        behind: () => behind,
        everyMs: 30_000,
      },
      stop.signal,
    );
    return { held, lines, running };
  };
  const entries = () => parseWatermark(api.get(ConfigMap, name)?.data);
  return { clock, api, stop, replica, entries };
}

describe('the watermark', () => {
  it('one write and one read a period for all shards of a replica, and the shards of others stay', async () => {
    const { clock, api, replica, entries } = world();
    replica(
      new Map([
        [0, 10_000],
        [1, 10_000],
      ]),
    );
    replica(
      new Map([
        [2, 10_000],
        [3, 10_000],
      ]),
    );
    await clock.advance(10_000);
    expect([...entries()].map(([shard, { beat }]) => [shard, beat])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    const before = api.requests.length;
    await clock.advance(90_000);
    expect([...entries().values()].map(({ beat }) => beat)).toEqual([4, 4, 4, 4]);
    expect(api.requests.length - before).toBe(2 * 3 * 2);
    const writes = api.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect(writes).toHaveLength(2 * 3);
  });

  it('it travels: it carries what propagation policies select by, and whose it is', async () => {
    const { clock, api, replica } = world();
    replica(new Map([[0, 10_000]]));
    await clock.advance(1_000);
    expect(api.get(ConfigMap, name)?.metadata.labels).toEqual(truth);
  });

  it.each([
    { name: 'edited', labels: { 'meta.datumapis.com/upstream-namespace': 'other', theirs: 'stays' } },
    { name: 'taken off', labels: { theirs: 'stays' } },
  ])('the labels of its Namespace come back when they are $name', async ({ labels }) => {
    const { clock, api, replica } = world();
    replica(new Map([[0, 10_000]]));
    await clock.advance(1_000);
    expect(api.get(Namespace, { name: 'lifeline-truth' })?.metadata.labels).toMatchObject(truth);
    api.put(Namespace, { metadata: { name: 'lifeline-truth', labels } });
    await clock.advance(30_000);
    expect(api.get(Namespace, { name: 'lifeline-truth' })?.metadata.labels).toMatchObject({
      ...truth,
      theirs: 'stays',
    });
  });

  it.each([
    { who: 'who holds a shard', left: [[0, 10_000] as const] },
    { who: 'who lost all of them with it', left: [] },
  ])('a Namespace that was deleted is made anew by $who', async ({ left }) => {
    const { clock, api, replica } = world();
    const { held } = replica(new Map([[0, 10_000]]));
    await clock.advance(1_000);
    api.remove(Namespace, { name: 'lifeline-truth' });
    held.clear();
    for (const [shard, certainMs] of left) held.set(shard, certainMs);
    await clock.advance(30_000);
    expect(api.get(Namespace, { name: 'lifeline-truth' })?.metadata.labels).toMatchObject(truth);
  });

  it('a shard that moves goes on from the beat it had: an edge sees it change', async () => {
    const { clock, replica, entries } = world();
    const first = replica(new Map([[0, 10_000]]));
    await clock.advance(95_000);
    expect(entries().get(0)?.beat).toBe(4);
    first.held.clear();
    replica(new Map([[0, 10_000]]));
    await clock.advance(1_000);
    expect(entries().get(0)?.beat).toBe(5);
  });

  it('says which projects of its shards are behind', async () => {
    const { clock, replica, entries } = world();
    const since = '2026-01-01T00:00:00Z';
    replica(
      new Map([0, 1, 2].map((shard) => [shard, 10_000])),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((project) => ({ project, since })),
    );
    await clock.advance(1_000);
    const named = [...entries()].flatMap(([, { behind }]) => behind.map(({ project }) => project));
    // c, d and e lie in shard 3, which is somebody else's.
    expect(named.sort()).toEqual(['a', 'b', 'f']);
  });

  it('a hold that ends soon ends the write; without a hold nothing is written', async () => {
    const { clock, api, replica } = world();
    const { held, lines } = replica(new Map([[0, 5]]));
    await clock.advance(1_000);
    const isBeat = ({ path }: { readonly path: string }): boolean => path.includes('/configmaps');
    expect(api.get(ConfigMap, name)).toBeUndefined();
    expect(lines.join()).toContain('watermark not written');
    held.clear();
    const before = api.requests.filter(isBeat).length;
    await clock.advance(120_000);
    expect(api.requests.filter(isBeat).length).toBe(before);
  });

  it('stops when it is told to', async () => {
    const { clock, stop, replica } = world();
    const { running } = replica(new Map([[0, 10_000]]));
    await clock.advance(1_000);
    stop.abort(new Error('stop'));
    await expect(clock.run(running)).resolves.toBeUndefined();
  });
});
