/**
 * A domain stands on two virtual hosts: Envoy refuses the whole table of routes, and updates freeze for everybody.
 * Source: datum-cloud/network-services-operator PR #214; beclab/Olares PR #3671; istio/istio PR #24455.
 * Cause:  the hook added a domain for each connector's target, and targets are alike (`localhost`).
 * Guard:  no domain is ever added; of one that came twice the younger Gateway loses it, and that is reported.
 */
import { Gateway } from '@lifeline/core';
import { virtualHostsOf } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { edge, EdgeWorld, hostOf, namespace, through } from '../edge/edge-world.ts';

const domains = (world: EdgeWorld): string[] =>
  virtualHostsOf(world.envoy('one').program).flatMap((host) => host.domains ?? []);

it('C50: three tunnels to localhost, and a tenant whose host is localhost', async () => {
  await using world = await EdgeWorld.start({ merged: true });
  for (const name of ['one', 'two', 'three']) {
    await world.connector(name);
    await world.publish(name, { rules: through(name, 'http://localhost:8080') });
  }
  await world.publish('local', { hostnames: ['localhost'], rules: through('one') });
  await world.until('all of them', () => ['one', 'two', 'three'].every((name) => world.shows(name) === 'tunnel a'));
  await world.after(seconds(10));
  expect(domains(world).toSorted()).toEqual([...['one', 'three', 'two'].map(hostOf), 'localhost'].toSorted());
  expect(world.envoy('local').serve('localhost')).toMatchObject({ tunnel: { target: 'localhost:8080' } });
  expect(world.envoy('one').rejected).toBe(0);
});

it('C50: a domain that came twice: the younger loses it, the others are served on, and both are reported', async () => {
  await using world = await EdgeWorld.start({ merged: true });
  await world.connector('a');
  await world.publish('one', { rules: through('a') });
  await world.after(seconds(2));
  await world.publish('thief', {
    hostnames: [hostOf('one'), 'own.example.com'],
    rules: through('nobody'),
  });
  await world.publish('two', { rules: through('a') });
  await world.until('the other', () => world.shows('two') === 'tunnel a', seconds(20));
  expect(world.shows('one')).toBe('tunnel a');
  expect(world.envoy('thief').serve('own.example.com')).toMatchObject({ status: 503 });
  expect(domains(world).filter((domain) => domain === hostOf('one'))).toHaveLength(1);
  expect(world.envoy('one').rejected).toBe(0);

  const told = world.servers.find('x1')?.reports.callers.get(world.callers[0] ?? '');
  const rows = [...(told?.groups.values() ?? [])].flatMap((group) => [...group.rows.values()]);
  expect(rows.find(({ name }) => name === 'thief')).toMatchObject({ outcome: 'contained' });
  expect(rows.find(({ name }) => name === 'one')).toMatchObject({ outcome: 'programmed' });
  // The elder goes: the other has it back with the next translation, which that brings about.
  await world.do(world.hands.delete(edge, Gateway, { namespace, name: 'one' }));
  await world.after(seconds(5));
  expect(world.shows('one')).toBe('503');
});
