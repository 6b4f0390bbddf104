/**
 * After a restart idle Gateways keep their old program; and a call on an empty cache says that everything is offline.
 * Source: datum-cloud/network-services-operator PR #335 (issue #266).
 * Cause:  the server listened before it had listed, and nothing compared what is programmed with what is wanted.
 * Guard:  the port opens after the first full sync; then all Gateways that are not known to run what is wanted are stamped.
 */
import { Connector } from '@lifeline/core';
import { expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, through } from '../edge/edge-world.ts';

const names = ['one', 'two', 'three', 'four'];

/** All published, and online. */
async function atRest(merged: boolean): Promise<EdgeWorld> {
  const world = await EdgeWorld.start({ merged });
  for (const name of names) {
    await world.connector(name);
    await world.publish(name, { rules: through(name) });
  }
  await world.until('all tunnels', () => names.every((name) => world.shows(name) === 'tunnel a'));
  await world.after(minutes(1));
  return world;
}

it.each([{ merged: true }, { merged: false }])('C56: merged: $merged', async ({ merged }) => {
  await using world = await atRest(merged);
  for (const replica of world.replicas) world.world.processes.kill(replica);
  const [first = '', second = '', third = '', untouched = ''] = names;
  for (const name of [first, second, third]) await world.connector(name, { ready: 'False' });
  await world.after(seconds(5));
  const held = world.replicas.map((replica) => world.holdBack(replica, Connector));
  const { mark, calls } = world;
  world.startServers();
  // Envoy Gateway would call now, and the cache is not there for four seconds.
  world.gateway().restart();
  await world.after(seconds(4));
  expect(world.calls).toBe(calls);
  expect(world.stamps(mark)).toEqual([]);
  expect(names.map((name) => world.shows(name))).toEqual(names.map(() => 'tunnel a'));
  for (const each of held) each[Symbol.dispose]();

  const wanted = ['503', '503', '503', 'tunnel a'].join();
  await world.until('the truth', () => names.map((name) => world.shows(name)).join() === wanted, minutes(3));
  await world.after(minutes(10));
  expect(world.shows(untouched)).toBe('tunnel a');
  for (const name of names)
    expect(world.stamps(mark).filter((stamp) => stamp.name === name).length, name).toBeLessThanOrEqual(3);
  expect(world.unconverged).toBe(0);
});

it('C56: no call comes, and no object changes: the stamps alone bring it about', async () => {
  await using world = await atRest(false);
  for (const replica of world.replicas) world.world.processes.kill(replica);
  for (const name of names) await world.connector(name, { ready: 'False' });
  await world.after(seconds(30));
  world.startServers();
  await world.until('the truth', () => names.every((name) => world.shows(name) === '503'), minutes(3));
});

it('C56: one of two Envoy Gateways asks first and is answered as wanted; the other, whom nobody knows any more, follows', async () => {
  const callers = ['10.0.0.1', '10.0.0.2'];
  await using world = await EdgeWorld.start({ merged: true, callers });
  await world.connector('a');
  await world.publish('web', { rules: through('a') });
  await world.until('the tunnel', () => world.everywhere('web', 'tunnel a'));
  await world.after(minutes(1));
  for (const replica of world.replicas) world.world.processes.kill(replica);
  await world.connector('a', { ready: 'False' });
  await world.after(seconds(5));
  world.gateway('10.0.0.2').restart();
  const { mark } = world;
  world.startServers();
  await world.until('503 everywhere', () => world.everywhere('web', '503'), minutes(1));
  await world.after(minutes(5));
  expect(world.stamps(mark)).toHaveLength(1);
});
