import { Connector, Gateway, HTTPProxy, Namespace, noIntent, truthNamespace } from '@lifeline/core';

import { Refusal } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { Edge, namespace } from './edge.fixture.ts';
import { edgeIndexRights } from './reads.ts';
import { nodeB } from './scene.fixture.ts';

const web = `${namespace}/web`;

const unavailable = (): Refusal => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'not now' });

/** An edge with one published service. */
async function scene(): Promise<Edge> {
  const edge = new Edge();
  edge.namespace();
  edge.connector('a');
  edge.proxy('web', 'a');
  edge.gateway('web');
  await edge.clock.settle();
  return edge;
}

describe('the feed', () => {
  it('has a synced index when every kind was listed, and follows what changes', async () => {
    await using edge = await scene();
    const { index } = edge.feed;
    expect(edge.feed.health()).toEqual({ ok: true });
    expect(index.gateway(web)).toMatchObject({ stampable: true, intent: index.intent(web) });
    expect(index.proxy(web)?.rules[0]?.backends[0]?.state).toBe('online');

    edge.connector('a', { ready: 'False' });
    await edge.clock.settle();
    expect(index.proxy(web)?.rules[0]?.backends[0]).toMatchObject({ state: 'offline', reason: 'NotReady' });

    edge.gateway('web', index.intent(web));
    await edge.clock.settle();
    expect(index.gateway(web)?.stamp).toBe(index.intent(web));

    edge.api.remove(Connector, { namespace, name: 'a' });
    await edge.clock.settle();
    expect(index.proxy(web)?.rules[0]?.backends[0]?.reason).toBe('ConnectorNotFound');

    edge.api.remove(HTTPProxy, { namespace, name: 'web' });
    edge.api.remove(Gateway, { namespace, name: 'web' });
    await edge.clock.settle();
    expect([index.intent(web), index.gateway(web)]).toEqual([noIntent, undefined]);
  });

  it.each([Connector, HTTPProxy, Gateway, Namespace])('says nothing until $kind was listed', async (kind) => {
    await using edge = new Edge();
    edge.api.refuse = (call) => (call.kind === kind ? unavailable() : undefined);
    edge.proxy('web', 'a');
    edge.gateway('web');
    await edge.clock.advance(1_000);
    expect(edge.feed.index.synced).toBe(false);
    expect(edge.feed.health()).toEqual({ ok: false, reason: `${kind.id} is syncing` });
    edge.api.refuse = () => undefined;
    await edge.clock.advance(60_000);
    expect(edge.feed.index.synced).toBe(true);
    expect(edge.feed.health()).toEqual({ ok: true });
    expect(edge.feed.index.proxy(web)?.rules[0]?.backends[0]?.reason).toBe('ConnectorNotFound');
  });

  it('does not need the watermark', async () => {
    await using edge = new Edge();
    edge.api.refuse = ({ namespace: where }) =>
      where === truthNamespace ? new Refusal({ code: 403, reason: 'Forbidden', message: 'no' }) : undefined;
    await edge.clock.advance(1_000);
    expect(edge.feed.health()).toEqual({ ok: true });
  });

  it('is not ready while a watch is silent, keeps its index, and recovers by itself', async () => {
    await using edge = await scene();
    edge.api.blackhole(true);
    edge.api.refuse = () => unavailable();
    await edge.clock.advance(200_000);
    expect(edge.feed.health()).toMatchObject({ ok: false });
    expect(edge.feed.index.synced).toBe(true);
    expect(edge.feed.index.proxy(web)?.rules[0]?.backends[0]?.state).toBe('online');
    edge.api.blackhole(false);
    edge.api.refuse = () => undefined;
    edge.connector('a', { nodeId: nodeB });
    await edge.clock.advance(120_000);
    expect(edge.feed.health()).toEqual({ ok: true });
    expect(edge.feed.index.proxy(web)?.rules[0]?.backends[0]?.nodeId).toBe(nodeB);
  });

  it('hears of a namespace that gets or loses its label', async () => {
    await using edge = await scene();
    edge.namespace(false);
    await edge.clock.settle();
    expect(edge.feed.index.gateway(web)?.stampable).toBe(false);
    edge.namespace(true);
    await edge.clock.settle();
    expect(edge.feed.index.gateway(web)?.stampable).toBe(true);
  });

  it('takes objects that their schemas refuse for what is left of them', async () => {
    await using edge = await scene();
    const { index } = edge.feed;
    const broken = (object: object | undefined) => ({ ...object, spec: 'odd' }) as never;
    // Its metadata is sound, and holds the truth.
    edge.api.put(Connector, broken(edge.api.get(Connector, { namespace, name: 'a' })));
    await edge.clock.settle();
    expect(index.proxy(web)?.rules[0]?.backends[0]?.state).toBe('online');
    edge.api.put(Gateway, broken(edge.api.get(Gateway, { namespace, name: 'web' })));
    await edge.clock.settle();
    expect(index.gateway(web)).toMatchObject({ className: '', stampable: false });
    edge.api.put(HTTPProxy, broken(edge.api.get(HTTPProxy, { namespace, name: 'web' })));
    await edge.clock.settle();
    expect(index.proxy(web)).toBeUndefined();
    for (const kind of [Connector, HTTPProxy, Gateway])
      for (const name of ['a', 'web']) edge.api.remove(kind, { namespace, name });
    await edge.clock.settle();
    expect(index.gateway(web)).toBeUndefined();
    edge.proxy('web', 'a');
    await edge.clock.settle();
    expect(index.proxy(web)?.rules[0]?.backends[0]?.reason).toBe('ConnectorNotFound');
  });
});

describe('what it shows', () => {
  it('counts connectors by state, and those that are missing apart', async () => {
    await using edge = await scene();
    edge.connector('b', { ready: 'False' });
    edge.proxy('shop', 'gone', 'b');
    await edge.clock.settle();
    expect(await edge.metric('lifeline_connectors{')).toEqual([
      'lifeline_connectors{state="online"} 1',
      'lifeline_connectors{state="offline"} 1',
      'lifeline_connectors{state="unknown"} 1',
    ]);
    expect(await edge.metric('lifeline_shared_node_ids ')).toEqual(['lifeline_shared_node_ids 0']);
  });

  it('measures how long a change of liveness travelled; no heartbeat and no list', async () => {
    await using edge = await scene();
    const count = async () => (await edge.metric('lifeline_liveness_propagation_seconds_count')).join();
    expect(await count()).toBe('lifeline_liveness_propagation_seconds_count 0');
    const observedAt = edge.clock.now() + 1_000;
    await edge.clock.advance(3_000);
    edge.connector('a', { ready: 'False', observedAt });
    await edge.clock.settle();
    expect(await count()).toBe('lifeline_liveness_propagation_seconds_count 1');
    expect(await edge.metric('lifeline_liveness_propagation_seconds_sum')).toEqual([
      'lifeline_liveness_propagation_seconds_sum 2',
    ]);
    edge.connector('a', { ready: 'False', beat: 'https://relay-2.example.com', observedAt });
    await edge.clock.settle();
    expect(await count()).toBe('lifeline_liveness_propagation_seconds_count 1');
  });

  it('tells the age of the truth by when a beat was seen to change', async () => {
    await using edge = new Edge();
    const ages = () => edge.metric('lifeline_truth_age_seconds{');
    edge.watermark(7, 7);
    await edge.clock.advance(1_000);
    expect(await ages()).toEqual([]);
    edge.watermark(8, 7);
    await edge.clock.advance(10_000);
    expect(await ages()).toEqual(['lifeline_truth_age_seconds{shard="0"} 10']);
    edge.watermark(8, 3);
    await edge.clock.advance(5_000);
    expect(await ages()).toEqual([
      'lifeline_truth_age_seconds{shard="0"} 15',
      'lifeline_truth_age_seconds{shard="1"} 5',
    ]);
  });
});

it('needs to follow four kinds, and the ConfigMaps of one namespace', () => {
  const verbs = ['list', 'watch'];
  expect(edgeIndexRights).toEqual({
    cluster: [
      { apiGroups: [''], resources: ['namespaces'], verbs },
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways'], verbs },
      { apiGroups: ['networking.datumapis.com'], resources: ['connectors', 'httpproxies'], verbs },
    ],
    truth: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
  });
});
