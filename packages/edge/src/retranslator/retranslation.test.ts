/** The retranslator on a real client: what it writes, when, and what it does when it cannot. */
import {
  annotations,
  fieldManagers,
  Gateway,
  HTTPProxy,
  KubeEvent,
  labels,
  Namespace,
  type Transport,
} from '@lifeline/core';
import { Refusal } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { namespace } from '../index/edge.fixture.ts';
import { nodeB } from '../index/scene.fixture.ts';
import { indexWarnings } from '../settings.ts';
import { Stamping, web } from './stamping.fixture.ts';

const patched = (status = 200, name: string = web): string =>
  `PATCH /apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/${name} ${status}`;
const refusal = (code: number, reason: string, headers = {}): Refusal =>
  new Refusal({ code, reason, message: 'not now', headers });

/** Whatever is asked between two moments. */
async function asked(stamping: Stamping, ms: number): Promise<readonly string[]> {
  const { length } = stamping.asked;
  await stamping.after(ms);
  return stamping.asked.slice(length);
}

const neighbour = 'api';

const intentsOf = ({ edge, wanted }: Stamping): Readonly<Record<string, string>> => ({
  [web]: wanted,
  [neighbour]: edge.feed.index.intent(`${namespace}/${neighbour}`),
});

/** `web` and a neighbour share an Envoy. The connector of `web` went offline during a call, which answered with that; the stamp is as before. */
async function flippedByNeighbour(): Promise<Stamping> {
  const stamping = await Stamping.start();
  const { edge, wanted } = stamping;
  edge.connector('b');
  edge.proxy(neighbour, 'b');
  edge.gateway(neighbour);
  await stamping.after(1);
  for (const [name, intent] of Object.entries(intentsOf(stamping))) edge.gateway(name, intent);
  stamping.answered(intentsOf(stamping));
  await stamping.after(60_000);
  const call = stamping.began([web, neighbour]);
  edge.connector('a', { ready: 'False' });
  await stamping.after(50);
  stamping.answered(intentsOf(stamping), { call });
  await stamping.after(10_000);
  expect(stamping.stamp).toBe(wanted);
  return stamping;
}

describe('a stamp', () => {
  it('a flip that a neighbour’s call has answered leaves a stamp that says nothing of the flip back', async () => {
    await using stamping = await flippedByNeighbour();
    const { edge, stamp } = stamping;
    edge.connector('a');
    expect(await asked(stamping, 600)).toEqual([patched()]);
    expect(stamping.stamp).toBe(`${stamp}.1`);
    stamping.answered(intentsOf(stamping));
    expect(await asked(stamping, 600_000)).toEqual([]);
  });

  it('nor is it stamped when another retranslator has done so meanwhile', async () => {
    await using stamping = await flippedByNeighbour();
    const { edge, stamp } = stamping;
    // Its turn comes after the call that is under way.
    const call = stamping.began([web, neighbour]);
    edge.connector('a');
    await stamping.after(20);
    edge.gateway(web, `${stamp}.1`);
    expect(await asked(stamping, 1_000)).toEqual([]);
    stamping.answered(intentsOf(stamping), { call });
    expect(await asked(stamping, 600_000)).toEqual([]);
    expect(stamping.stamp).toBe(`${stamp}.1`);
  });

  it('is one merge patch of one annotation, with nothing read before, by our field manager', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    const gateway = edge.api.get(Gateway, { namespace, name: web });
    edge.api.put(Gateway, {
      ...gateway,
      metadata: {
        namespace,
        name: web,
        labels: { team: 'a' },
        annotations: { ...gateway?.metadata.annotations, note: 'kept' },
      },
      spec: { gatewayClassName: 'edge' },
    });
    await stamping.after(1);
    edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 100)).toEqual([patched()]);
    const last = edge.api.writes.at(-1);
    expect(last).toMatchObject({ verb: 'patch', who: fieldManagers.retranslator });
    expect(last?.object?.metadata).toMatchObject({
      labels: { team: 'a' },
      annotations: { note: 'kept', [annotations.intent]: stamping.wanted },
    });
  });

  it('meets no conflict: whoever changes the Gateway at the same time, both changes stand', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    for (let change = 0; change < 20; change++) {
      const { metadata } = edge.api.get(Gateway, { namespace, name: web }) ?? expect.fail('it is there');
      edge.connector('a', { ready: change % 2 === 0 ? 'False' : 'True' });
      edge.api.put(Gateway, {
        metadata: { ...metadata, labels: { change: String(change) } },
        spec: { gatewayClassName: 'edge' },
      });
      await stamping.after(1_500);
      expect(edge.api.get(Gateway, { namespace, name: web })?.metadata.labels).toEqual({ change: String(change) });
      expect(stamping.stamp).toBe(stamping.wanted);
      stamping.answered({ [web]: stamping.wanted });
    }
    expect(new Set(stamping.asked.filter((each) => each.startsWith('PATCH')))).toEqual(new Set([patched()]));
  });

  it('is not written for heartbeats', async () => {
    await using stamping = await Stamping.quiet();
    const { revision } = stamping.edge.feed.index;
    for (let beat = 0; beat < 100; beat++) {
      stamping.edge.connector('a', { beat: `https://relay-${beat}.example.com` });
      expect(await asked(stamping, 15_000)).toEqual([]);
    }
    expect(stamping.edge.feed.index.revision).toBe(revision);
  });

  it.each([
    { what: 'another node', change: ({ edge }: Stamping) => edge.connector('a', { nodeId: nodeB }) },
    { what: 'another connector', change: ({ edge }: Stamping) => edge.proxy(web, 'b') },
    { what: 'one connector more', change: ({ edge }: Stamping) => edge.proxy(web, 'a', 'b') },
    {
      what: 'no connector any more',
      change: ({ edge }: Stamping) => edge.api.remove(HTTPProxy, { namespace, name: web }),
    },
  ])('is written at once for $what, and once', async ({ change }) => {
    await using stamping = await Stamping.quiet();
    change(stamping);
    expect(await asked(stamping, 100)).toEqual([patched()]);
    expect(stamping.stamp).toBe(stamping.wanted === 'none' ? undefined : stamping.wanted);
    stamping.answered({ [web]: stamping.wanted });
    expect(await asked(stamping, 3_600_000)).toEqual([]);
  });

  it('only for the configured classes, in labelled namespaces: as they are now', async () => {
    await using stamping = await Stamping.start();
    const { edge } = stamping;
    const classed = (gatewayClassName: string): void =>
      void edge.api.put(Gateway, { metadata: { namespace, name: web }, spec: { gatewayClassName } });
    classed('other');
    expect(await asked(stamping, 60_000)).toEqual([]);
    edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 60_000)).toEqual([]);
    edge.namespace(false);
    classed('edge');
    expect(await asked(stamping, 60_000)).toEqual([]);
    edge.api.put(Namespace, { metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } } });
    expect(await asked(stamping, 3_000)).toEqual([patched()]);
    expect(stamping.stamp).toBe(stamping.wanted);
  });

  it('under a key of the settings; one that Envoy Gateway does not hear of draws a warning', async () => {
    const key = 'networking.datumapis.com/connector-ready-generation';
    await using stamping = await Stamping.start({ stampAnnotation: key });
    await stamping.after(3_000);
    const { metadata } = stamping.edge.api.get(Gateway, { namespace, name: web }) ?? {};
    expect(metadata?.annotations).toEqual({ [key]: stamping.wanted });
    expect(indexWarnings({ stampAnnotation: key })).toEqual([expect.stringContaining(key)]);
    expect(indexWarnings({ stampAnnotation: annotations.intent })).toEqual([]);
  });
});

describe('when programmed is not wanted', () => {
  it.each([
    { what: 'missing', stamp: undefined },
    { what: 'malformed', stamp: 'true/n1' },
    { what: 'malformed by a digit', stamp: `${'0'.repeat(16)}.0` },
  ])('a stamp that is $what is repaired after the grace, though all is programmed', async ({ stamp }) => {
    await using stamping = await Stamping.quiet();
    stamping.edge.gateway(web, stamp);
    expect(await asked(stamping, 2_999)).toEqual([]);
    expect(await asked(stamping, 1)).toEqual([patched()]);
    expect(stamping.stamp).toBe(stamping.wanted);
    expect(await asked(stamping, 600_000)).toEqual([]);
  });

  it('a stamp of another intent is left alone while the right one is programmed', async () => {
    await using stamping = await Stamping.quiet();
    stamping.edge.gateway(web, 'f'.repeat(16));
    expect(await asked(stamping, 600_000)).toEqual([]);
  });

  it("someone else's stamp restarts the grace, and the next attempt counts from it", async () => {
    await using stamping = await Stamping.quiet();
    stamping.answered({ [web]: 'f'.repeat(16) });
    await stamping.after(2_000);
    stamping.edge.gateway(web, `${stamping.wanted}.3`);
    // 5 s × 2².
    expect(await asked(stamping, 19_999)).toEqual([]);
    expect(await asked(stamping, 1)).toEqual([patched()]);
    expect(stamping.stamp).toBe(`${stamping.wanted}.4`);
  });

  it('attempts back off: 3 s, then 5 s × 2ⁿ up to 5 minutes', async () => {
    await using stamping = await Stamping.quiet();
    stamping.connected();
    stamping.answered({ [web]: 'f'.repeat(16) });
    for (const [attempt, seconds] of [3, 5, 10, 20, 40, 80, 160, 300, 300, 300].entries()) {
      expect(await asked(stamping, seconds * 1_000 - 1)).toEqual([]);
      expect(await asked(stamping, 1)).toEqual([patched()]);
      expect(stamping.stamp).toBe(`${stamping.wanted}.${attempt + 1}`);
    }
  });

  it.each(['contained', 'rolledBack', 'skew'] as const)('%s with the wanted intent is converged', async (outcome) => {
    await using stamping = await Stamping.quiet();
    stamping.answered({ [web]: stamping.wanted }, { outcome });
    expect(await asked(stamping, 600_000)).toEqual([]);
  });

  it.each(['failed', 'aborted'] as const)('%s is not', async (outcome) => {
    await using stamping = await Stamping.quiet();
    stamping.answered({ [web]: stamping.wanted }, { outcome });
    expect(await asked(stamping, 3_000)).toEqual([patched()]);
  });

  it('the grace counts only time in which the caller has no call running, for a minute at most', async () => {
    await using stamping = await Stamping.quiet();
    const call = stamping.began([web]);
    stamping.edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 100)).toEqual([patched()]);
    expect(await asked(stamping, 50_000)).toEqual([]);
    stamping.answered({ [web]: 'f'.repeat(16) }, { call });
    expect(await asked(stamping, 2_900)).toEqual([]);
    expect(await asked(stamping, 200)).toEqual([patched()]);
    stamping.began([web]);
    expect(await asked(stamping, 59_000)).toEqual([]);
    expect(await asked(stamping, 1_100)).toEqual([patched()]);
  });

  it('the grace goes on when the call ends, whatever it was about', async () => {
    await using stamping = await Stamping.quiet();
    const call = stamping.began(['other']);
    stamping.edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 100)).toEqual([patched()]);
    expect(await asked(stamping, 10_000)).toEqual([]);
    stamping.answered({ other: 'none' }, { call });
    expect(await asked(stamping, 2_900)).toEqual([]);
    expect(await asked(stamping, 200)).toEqual([patched()]);
  });

  it('a caller that is gone for fifteen minutes holds nobody up; one that is connected does', async () => {
    await using stamping = await Stamping.quiet();
    const other = '10.0.0.2';
    stamping.answered({ [web]: stamping.wanted }, { by: other });
    stamping.connected(other);
    stamping.edge.connector('a', { ready: 'False' });
    await stamping.after(100);
    stamping.answered({ [web]: stamping.wanted });
    await stamping.after(1_200_000);
    expect(stamping.stamp).toMatch(/\.[3-9]$/);
    stamping.connected(other, false);
    await stamping.after(70_000);
    expect(await stamping.metric('lifeline_unconverged_gateways')).toEqual(['lifeline_unconverged_gateways 0']);
    expect(await asked(stamping, 3_600_000)).toEqual([]);
  });
});

describe('a Gateway that no report names', () => {
  it('is stamped after the grace, three times more, and is unserved then', async () => {
    await using stamping = await Stamping.start();
    for (const [ms, attempt] of [
      [3_000, ''],
      [5_000, '.1'],
      [30_000, '.2'],
      [300_000, '.3'],
    ] as const) {
      expect(await asked(stamping, ms - 1)).toEqual([]);
      expect(await asked(stamping, 1)).toEqual([patched()]);
      expect(stamping.stamp).toBe(stamping.wanted + attempt);
    }
    expect(await asked(stamping, 24 * 3_600_000)).toEqual([]);
    expect(await stamping.metric('lifeline_unserved_gateways')).toEqual(['lifeline_unserved_gateways 1']);
    expect(await stamping.metric('lifeline_unconverged_gateways')).toEqual(['lifeline_unconverged_gateways 0']);
  });

  const unserved = async (): Promise<Stamping> => {
    const stamping = await Stamping.start();
    await stamping.after(600_000);
    expect(await stamping.metric('lifeline_unserved_gateways')).toEqual(['lifeline_unserved_gateways 1']);
    return stamping;
  };

  it('is back when a report names it', async () => {
    await using stamping = await unserved();
    stamping.edge.gateway(web, stamping.wanted);
    await stamping.after(600_000);
    const call = stamping.began([web], { isFirst: true });
    expect(await asked(stamping, 20_000)).toEqual([]);
    expect(await stamping.metric('lifeline_unserved_gateways')).toEqual(['lifeline_unserved_gateways 0']);
    stamping.answered({ [web]: 'f'.repeat(16) }, { call });
    expect((await asked(stamping, 60_000)).length).toBeGreaterThan(0);
    stamping.answered({ [web]: stamping.wanted });
    expect(await asked(stamping, 3_600_000)).toEqual([]);
  });

  it('is back when its inputs change', async () => {
    await using stamping = await unserved();
    stamping.edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 100)).toEqual([patched()]);
    expect(stamping.stamp).toBe(stamping.wanted);
    await stamping.after(600_000);
    expect(stamping.stamp).toBe(`${stamping.wanted}.3`);
  });

  it('is not given up while no stream has told everything', async () => {
    await using stamping = await Stamping.start();
    await stamping.after(3_000);
    expect(stamping.stamp).toBe(stamping.wanted);
  });
});

describe('after the last connector backend', () => {
  it('the stamp is removed; none.1 follows when the answer still holds a connector, and goes when it does not', async () => {
    await using stamping = await Stamping.quiet();
    const before = stamping.wanted;
    stamping.edge.proxy(web);
    expect(await asked(stamping, 100)).toEqual([patched()]);
    expect(stamping.stamp).toBeUndefined();
    stamping.answered({ [web]: before });
    await stamping.after(3_100);
    expect(stamping.stamp).toBe('none.1');
    stamping.answered({ [web]: before });
    await stamping.after(5_100);
    expect(stamping.stamp).toBe('none.2');
    stamping.answered({ [web]: 'none' });
    await stamping.after(6_100);
    expect(stamping.stamp).toBeUndefined();
    expect(await asked(stamping, 3_600_000)).toEqual([]);
  });

  it('one that never had a stamp is not touched', async () => {
    await using stamping = await Stamping.start();
    stamping.edge.proxy('plain');
    stamping.edge.gateway('plain');
    stamping.answered({ plain: 'none' });
    await stamping.after(600_000);
    expect(stamping.asked.filter((each) => each.includes('gateways/plain'))).toEqual([]);
  });
});

describe('an API server that does not take it', () => {
  it.each([
    { what: '429', refused: () => refusal(429, 'TooManyRequests', { 'retry-after': '2' }) },
    { what: '503', refused: () => refusal(503, 'ServiceUnavailable') },
    { what: '500', refused: () => refusal(500, 'InternalError') },
    { what: '403', refused: () => refusal(403, 'Forbidden') },
  ])('$what: tries again, less often each time, and stamps what is wanted then', async ({ what, refused }) => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    edge.api.refuse = ({ verb }) => (verb === 'patch' ? refused() : undefined);
    edge.connector('a', { ready: 'False' });
    const tries = await asked(stamping, 120_000);
    expect(tries.length).toBeGreaterThanOrEqual(3);
    expect(tries.length).toBeLessThanOrEqual(16);
    expect(new Set(tries)).toEqual(new Set([patched(Number(what))]));
    expect(await stamping.metric('lifeline_stamps_total')).toEqual([]);
    edge.connector('a', { ready: 'False', nodeId: nodeB });
    edge.api.refuse = () => undefined;
    await stamping.after(60_000);
    expect(stamping.stamp?.slice(0, 16)).toBe(stamping.wanted);
  });

  it('one 503: the change is written a second later', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    let once = true;
    edge.api.refuse = ({ verb }) => {
      if (verb !== 'patch' || !once) return undefined;
      once = false;
      return refusal(500, 'InternalError');
    };
    edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 1_500)).toEqual([patched(500), patched()]);
    expect(stamping.stamp).toBe(stamping.wanted);
    expect(await stamping.metric('lifeline_stamps_total')).toEqual([
      'lifeline_stamps_total{reason="intent-changed"} 1',
    ]);
  });

  it('silence: is given up after ten seconds, and tried again', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    let silent = true;
    edge.around = (next) => async (request, options) => {
      if (silent && request.method === 'PATCH') await edge.clock.sleep(3_600_000, options.signal);
      return next(request, options);
    };
    edge.connector('a', { ready: 'False' });
    await stamping.after(10_500);
    expect(edge.lines.filter((line) => line.includes('stamp not written')).length).toBe(1);
    silent = false;
    await stamping.after(1_500);
    expect(stamping.stamp).toBe(stamping.wanted);
  });

  it('a Gateway that is gone in the meantime is no error and no stamp; one that comes again is stamped', async () => {
    await using stamping = await Stamping.quiet();
    const { edge } = stamping;
    edge.api.dropEvents(({ type }, kind) => type === 'DELETED' && kind === Gateway);
    edge.api.remove(Gateway, { namespace, name: web });
    edge.connector('a', { ready: 'False' });
    expect(await asked(stamping, 100)).toEqual([patched(404)]);
    expect(await stamping.metric('lifeline_stamps_total')).toEqual([]);
    expect(edge.lines.filter((line) => line.includes('stamp'))).toEqual([]);
    edge.gateway(web);
    await stamping.after(3_500);
    expect(stamping.stamp).toBe(stamping.wanted);
  });

  it('a Gateway that is deleted is forgotten, whatever was still to be done for it', async () => {
    await using stamping = await Stamping.quiet();
    stamping.answered({ [web]: 'f'.repeat(16) });
    await stamping.after(2_000);
    stamping.edge.api.remove(Gateway, { namespace, name: web });
    expect(await asked(stamping, 3_600_000)).toEqual([]);
    expect(await stamping.metric('lifeline_unconverged_gateways')).toEqual(['lifeline_unconverged_gateways 0']);
  });
});

describe('Gateways that are answered in one call', () => {
  const names = Array.from({ length: 120 }, (_, i) => `web-${String(i).padStart(3, '0')}`);
  /** All of them as wanted. */
  async function group(count: number, isStamped: boolean): Promise<Stamping> {
    const stamping = await Stamping.quiet();
    const { edge } = stamping;
    for (const name of names.slice(0, count)) {
      edge.proxy(name, 'a');
      edge.gateway(name, isStamped ? stamping.wanted : undefined);
    }
    stamping.connected();
    stamping.answered(programs(stamping, count));
    await edge.clock.settle();
    return stamping;
  }
  const programs = (stamping: Stamping, count: number): Record<string, string> =>
    Object.fromEntries([web, ...names.slice(0, count)].map((name) => [name, stamping.wanted]));

  it.each([10, 120])('one stamp settles a call about %i that was lost', async (count) => {
    await using stamping = await group(count, true);
    expect(await asked(stamping, 60_000)).toEqual([]);
    for (let time = 0; time < 3; time++) {
      stamping.ended('failed', [web, ...names.slice(0, count)]);
      expect(await asked(stamping, 3_500)).toHaveLength(1);
      stamping.answered(programs(stamping, count));
      expect(await asked(stamping, 600_000)).toEqual([]);
    }
    // Those that are not answered then follow, each with its own backoff.
    stamping.ended('failed', [web, ...names.slice(0, count)]);
    const { length } = [...new Set(await asked(stamping, 20_000))];
    expect(length).toBeGreaterThanOrEqual(count > 50 ? 1 : count);
  });

  it('none of many stamps that are missing waits for another one', async () => {
    await using stamping = await group(120, false);
    expect(new Set(await asked(stamping, 10_000))).toEqual(new Set(names.map((name) => patched(200, name))));
    expect(names.map((name) => stamping.stampOf(name))).toEqual(names.map(() => stamping.wanted));
    expect(await asked(stamping, 600_000)).toEqual([]);
  });
});

describe('what Envoy Gateway did not take', () => {
  const url = 'http://10.0.0.1:19001/metrics';
  const metrics = (failures: number): string =>
    `watchable_subscribe_total{runner="xds",status="failure"} ${failures}\n`;

  it('is asked for again, with an event that says whose refusal it was', async () => {
    let text = metrics(1);
    const server: Transport = () =>
      Promise.resolve({ status: 200, headers: {}, body: ReadableStream.from([new TextEncoder().encode(text)]) });
    await using stamping = await Stamping.start({
      reports: { envoyGatewayMetrics: [url] },
      servers: { [url]: server },
    });
    const { edge } = stamping;
    stamping.connected();
    edge.gateway(web, stamping.wanted);
    stamping.answered({ [web]: stamping.wanted });
    expect(await asked(stamping, 60_000)).toEqual([]);
    text = metrics(2);
    expect(await asked(stamping, 9_000)).toContain(patched());
    expect(stamping.stamp).toBe(`${stamping.wanted}.1`);
    expect(edge.api.objects(KubeEvent)).toEqual([
      expect.objectContaining({
        reason: 'AnswerRefused',
        type: 'Warning',
        note: expect.stringContaining(url) as string,
      }),
    ]);
    stamping.answered({ [web]: stamping.wanted });
    expect(await asked(stamping, 600_000)).toEqual([]);
  });
});
