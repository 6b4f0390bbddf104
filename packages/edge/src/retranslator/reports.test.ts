/** Public reports that concern the retranslator, by id: what of each a loop without an API server can show. */
import { globSync, readFileSync } from 'node:fs';
import { Connector, Gateway } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { namespace } from '../index/edge.fixture.ts';
import { nodeB } from '../index/scene.fixture.ts';
import { Loop } from './loop.fixture.ts';
import { Stamping, web } from './stamping.fixture.ts';

const [g0, g1] = ['ns-0/g0', 'ns-1/g1'] as const;
const modes = [{ merged: true }, { merged: false }];
const minute = 60_000;

async function begun(options: ConstructorParameters<typeof Loop>[0]): Promise<Loop> {
  const loop = new Loop(options);
  await loop.begin();
  return loop;
}

it.each(['C45', 'C49', 'C53', 'C56', 'C58'])('%s has its test', (id) => {
  const folder = import.meta.dirname;
  const texts = globSync('*.test.ts', { cwd: folder }).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  expect(texts.some((text) => text.includes(`'${id}: `))).toBe(true);
});

/** Source: datum-cloud/network-services-operator PR #303; traefik/traefik#13743. */
describe.each(modes)('two writers of one annotation, merged: $merged', (mode) => {
  it('C45: two versions that want different things write at the rate of the backoff, never because of each other', async () => {
    const loop = await begun({ ...mode, callers: 1 });
    const [, behind] = loop.servers;
    // For a quarter of an hour one of them knows nothing of the flip: it wants what the other does not.
    behind?.cache.freeze('connectors');
    loop.flip(g0);
    await loop.clock.advance(15 * minute);
    const { length } = loop.stamps;
    expect(length).toBeLessThanOrEqual(2 * 9);
    // No answer to a stamp comes sooner than the grace.
    const at = loop.stamps.map(({ atMs }) => atMs);
    for (const [i, ms] of at.entries()) if (i > 0) expect(ms - (at[i - 1] ?? 0)).toBeGreaterThanOrEqual(2_900);
    behind?.cache.thaw();
    await loop.clock.advance(10 * minute);
    expect(loop.astray()).toEqual([]);
    loop.stamps.length = 0;
    await loop.clock.advance(60 * minute);
    expect(loop.stamps).toEqual([]);
  });

  it('C45: a stamp that is not taken for two seconds is written soon after, once', async () => {
    const loop = await begun({ ...mode, callers: 1, replicas: 1 });
    loop.refuses = true;
    loop.flip(g0);
    await loop.clock.advance(2_000);
    expect(loop.tries).toBeLessThanOrEqual(3);
    loop.refuses = false;
    await loop.clock.advance(2_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps).toHaveLength(1);
  });
});

/** Source: datum-cloud/app#189, #159; envoyproxy/envoy#35029. */
it.each([
  { merged: true, mostCalls: 2 * 60 },
  { merged: false, mostCalls: 60 * 30 },
])('C49: connectors that flap: gathered, paced, and the last state wins (merged: $merged)', async (mode) => {
  const loop = await begun({ ...mode, gateways: 30, callers: 1 });
  const before = loop.callers[0]?.calls ?? 0;
  const changes = new Map(loop.keys.map((key) => [key, 0]));
  for (let second = 0; second < 60; second++) {
    for (const key of loop.keys) {
      loop.flip(key);
      changes.set(key, (changes.get(key) ?? 0) + 1);
    }
    await loop.clock.advance(1_000);
  }
  const calls = (loop.callers[0]?.calls ?? 0) - before;
  expect(calls).toBeLessThanOrEqual(mode.mostCalls);
  for (const key of loop.keys)
    expect(loop.stamps.filter((stamp) => stamp.key === key).length).toBeLessThanOrEqual((changes.get(key) ?? 0) + 3);
  // The queue has not grown: what is wanted now is there within the delay of one more batch.
  await loop.clock.advance(mode.merged ? 1_000 : 4_000);
  expect(loop.astray()).toEqual([]);
  const { length } = loop.stamps;
  await loop.clock.advance(10 * minute);
  expect(loop.stamps.length - length).toBeLessThanOrEqual(loop.keys.length);
});

/** Source: envoyproxy/gateway#5595, #5465, PR #5540. */
it.each(modes)('C53: calls that failed for minutes: all of it comes back by itself (merged: $merged)', async (mode) => {
  const loop = await begun({ ...mode, gateways: 6, callers: 1 });
  for (const key of loop.keys) loop.flip(key);
  loop.fates.push(...Array.from({ length: 20 }, () => 'failed' as const));
  await loop.clock.advance(2_000);
  expect(loop.astray()).toHaveLength(6);
  // No object changes from here.
  await loop.clock.advance(30 * minute);
  expect(loop.fates).toEqual([]);
  expect(loop.astray()).toEqual([]);
});

/** Source: datum-cloud/network-services-operator PR #335 (issue #266). */
it.each(modes)(
  'C56: what changed while nobody ran is programmed, without another change (merged: $merged)',
  async (mode) => {
    const loop = await begun({ ...mode, gateways: 4, callers: 1 });
    for (const server of loop.servers) server.restart();
    for (const key of [g0, g1]) loop.flip(key);
    await loop.clock.advance(500);
    expect(loop.stamps).toEqual([]);
    await loop.clock.advance(10 * minute);
    expect(loop.astray()).toEqual([]);
    for (const key of loop.keys)
      expect(loop.stamps.filter((stamp) => stamp.key === key).length, key).toBeLessThanOrEqual(3);
    loop.stamps.length = 0;
    await loop.clock.advance(60 * minute);
    expect(loop.stamps).toEqual([]);
  },
);

/** Source: datum-cloud/network-services-operator PR #255, #300, #136. */
describe('references that move', () => {
  const stamps = ({ edge }: Stamping): readonly string[] =>
    edge.api.writes.filter(({ kind, verb }) => kind === Gateway && verb === 'patch').map(({ key }) => key);

  it('C58: a proxy that goes from connector to connector to none and back is stamped once each time', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    edge.connector('b', { nodeId: nodeB });
    for (const connectors of [['b'], [], ['a'], ['gone'], ['a']]) {
      const { length } = stamps(stamping);
      edge.proxy(web, ...connectors);
      await stamping.after(100);
      stamping.answered({ [web]: stamping.wanted });
      await stamping.after(minute);
      expect(stamps(stamping).slice(length), connectors.join()).toEqual([`${namespace}/${web}`]);
      expect(stamping.stamp ?? 'none').toBe(stamping.wanted);
    }
    // Nothing of b's is a cause any more.
    const { length } = stamps(stamping);
    edge.connector('b', { ready: 'False' });
    await stamping.after(minute);
    expect(stamps(stamping)).toHaveLength(length);
  });

  it('C58: a connector that is deleted is a cause for each Gateway behind it, and for no other', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    edge.connector('c');
    const others = { shop: 'a', blog: 'c' } as const;
    for (const [name, connector] of Object.entries(others)) {
      edge.proxy(name, connector);
      edge.gateway(name);
    }
    await stamping.after(5_000);
    for (const name of Object.keys(others))
      stamping.answered({ [name]: edge.feed.index.intent(`${namespace}/${name}`) });
    await stamping.after(minute);
    const { length } = stamps(stamping);
    edge.api.remove(Connector, { namespace, name: 'a' });
    await stamping.after(500);
    expect(stamps(stamping).slice(length).toSorted()).toEqual([`${namespace}/shop`, `${namespace}/${web}`]);
  });

  it('C58: a Gateway that comes 5 s after its connector changed is stamped then', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    edge.api.remove(Gateway, { namespace, name: web });
    edge.connector('a', { ready: 'False' });
    await stamping.after(5_000);
    edge.gateway(web);
    await stamping.after(3_500);
    expect(stamping.stamp).toBe(stamping.wanted);
  });
});
