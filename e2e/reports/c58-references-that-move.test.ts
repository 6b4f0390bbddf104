/**
 * A connector is deleted, a proxy goes elsewhere, a Gateway comes late: the old program stays, since nothing tells the edge.
 * Source: datum-cloud/network-services-operator PR #255, #300, #136.
 * Cause:  only a connector's own change was a cause, and a Gateway that was not there yet was forgotten.
 * Guard:  whatever enters the intent is a cause; the index goes from connectors to the Gateways behind them, old and new.
 */
import { Connector, Gateway } from '@lifeline/core';
import { targetsOf, virtualHostsOf } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { edge, EdgeWorld, hostOf, namespace, nodeB, through } from '../edge/edge-world.ts';

it.each([{ merged: true }, { merged: false }])(
  'C58: a proxy moves from connector to connector to none (merged: $merged)',
  async ({ merged }) => {
    await using world = await EdgeWorld.start({ merged });
    await world.connector('a');
    await world.connector('b', { nodeId: nodeB });
    await world.publish('web', { rules: through('a') });
    const steps = [
      ['a', 'tunnel a'],
      ['b', 'tunnel b'],
      [undefined, 'direct'],
      ['a', 'tunnel a'],
    ] as const;
    for (const [connector, shown] of steps) {
      await world.publish('web', { rules: through(connector) });
      await world.until(shown, () => world.shows('web') === shown, seconds(10));
      await world.after(minutes(1));
      const { clusters, routes } = world.envoy('web').program;
      const named = virtualHostsOf({ routes }).flatMap((host) => (host.routes ?? []).flatMap(targetsOf));
      expect(clusters.map(({ name }) => name).toSorted()).toEqual(
        [...new Set(named.map(({ name }) => name))].toSorted(),
      );
      expect(world.unconverged).toBe(0);
      if (connector === undefined) continue;
      const nodeId = connector.repeat(64);
      await world.connector(connector, { nodeId, ready: 'False' });
      await world.until('it follows this one', () => world.shows('web') === '503', seconds(2));
      await world.connector(connector, { nodeId });
      await world.until('and back', () => world.shows('web') === shown, seconds(2));
    }
    const { mark } = world;
    await world.connector('b', { nodeId: nodeB, ready: 'False' });
    await world.after(minutes(1));
    expect(world.stamps(mark)).toEqual([]);
    await world.delete(Connector, 'a');
    await world.until('503', () => world.shows('web') === '503', seconds(2));
  },
);

it('C58: two proxies through one connector: each Gateway is stamped once', async () => {
  await using world = await EdgeWorld.start();
  await world.connector('a');
  for (const name of ['one', 'two']) await world.publish(name, { rules: through('a') });
  await world.until('both', () => ['one', 'two'].every((name) => world.shows(name) === 'tunnel a'));
  await world.after(seconds(20));
  const { mark } = world;
  await world.connector('a', { ready: 'False' });
  await world.until('both offline', () => ['one', 'two'].every((name) => world.shows(name) === '503'), seconds(2));
  await world.after(minutes(1));
  expect(
    world
      .stamps(mark)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['one', 'two']);
});

it('C58: a Gateway that comes 5 s after its connector changed', async () => {
  await using world = await EdgeWorld.start();
  await world.connector('a');
  await world.publish('web', { rules: through('a') });
  await world.until('the tunnel', () => world.shows('web') === 'tunnel a');
  const { spec } = world.get(Gateway, { namespace, name: 'web' }) ?? {};
  await world.delete(Gateway, 'web');
  await world.connector('a', { ready: 'False' });
  await world.after(seconds(5));
  await world.do(world.hands.create(edge, Gateway, { metadata: { namespace, name: 'web' }, spec } as never));
  await world.until('503', () => world.envoy('web').serve(hostOf('web')).status === 503, seconds(10));
  await world.after(minutes(1));
  expect(world.unconverged).toBe(0);
});
