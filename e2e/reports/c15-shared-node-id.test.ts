/**
 * Two connectors share one key; one of them goes offline and is deleted, and takes what belongs to the other with it.
 * Source: datum-cloud/network-services-operator a0578ff (ownership of records that are named after a key).
 * Cause:  what was programmed was kept by node id, not by connector.
 * Guard:  programs are kept by connector; a node id is only counted, and refused to the younger project where a setting says so.
 */
import { Connector } from '@lifeline/core';
import { expect, it } from 'vitest';
import { EdgeWorld, nodeA, through } from '../edge/edge-world.ts';
import { seconds } from '../durations.ts';

const other = 'ns-b';

async function shared(options: { readonly sharedNodeIds?: 'allow' | 'refuse' } = {}): Promise<EdgeWorld> {
  const world = await EdgeWorld.start({ merged: true, ...options });
  await world.namespace(other);
  await world.connector('a', { nodeId: nodeA, project: 'cluster-org-a' });
  await world.after(seconds(2));
  await world.connector('b', { nodeId: nodeA, project: 'cluster-org-b', namespace: other });
  await world.publish('web', { rules: through('a') });
  await world.publish('shop', { rules: through('b') }, other);
  await world.after(seconds(20));
  return world;
}

/** All that Envoy runs for one proxy. */
function runs(world: EdgeWorld, name: string): unknown {
  const { clusters, routes } = world.envoy(name).program;
  return {
    clusters: clusters.filter((cluster) => cluster.name?.includes(`/${name}/`)),
    hosts: routes.flatMap(({ virtual_hosts = [] }) => virtual_hosts.filter((host) => host.name?.includes(`/${name}/`))),
  };
}

it('C15: one goes offline and away, and nothing of the other changes', async () => {
  await using world = await shared();
  expect([world.shows('web'), world.shows('shop')]).toEqual(['tunnel a', 'tunnel a']);
  const before = runs(world, 'shop');
  await world.connector('a', { ready: 'False' });
  await world.after(seconds(5));
  expect([world.shows('web'), runs(world, 'shop')]).toEqual(['503', before]);
  await world.delete(Connector, 'a');
  await world.after(seconds(20));
  expect([world.shows('web'), runs(world, 'shop')]).toEqual(['503', before]);
  const metrics = await world.world.processes.process('x1').metrics.text();
  expect(metrics).toContain('lifeline_shared_node_ids 0');
});

it('C15: where sharing is refused the younger is offline, and online when the elder is gone', async () => {
  await using world = await shared({ sharedNodeIds: 'refuse' });
  expect([world.shows('web'), world.shows('shop')]).toEqual(['tunnel a', '503']);
  await world.delete(Connector, 'a');
  await world.until('the other is let in', () => world.shows('shop') === 'tunnel a', seconds(2));
  expect(world.shows('web')).toBe('503');
});
