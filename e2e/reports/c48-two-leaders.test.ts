/**
 * Two leaders: the old one does not notice that it lost, and a follower counts by its own lease duration instead of the record's.
 * Source: kubernetes/kubernetes#23731, #67651; fabric8io/kubernetes-client PR #7258.
 * Cause:  leadership was a flag that a callback would clear; a process that stalls, or whose renewals fail, wakes up with it set.
 * Guard:  leadership is a time that runs out by itself, asked at the moment a write leaves; followers wait for what the record says.
 *
 * Every world checks that nobody writes without holding the Lease (`World`); these tests bring about the ways to do so.
 */
import { Lease, type TransportInterceptor } from '@lifeline/core';
import { expect, it } from 'vitest';
import { answering, noAnswer, slow, type Wanted } from './wires.ts';
import { electionLease, minutes, seconds, World } from './world.ts';

const leads = (world: World, replica: string): Promise<number> =>
  world.metric(replica, 'leader_election_master_status');

async function leaderAndFollower(): Promise<World> {
  const world = new World();
  world.start('a');
  await world.after(seconds(10));
  world.start('b');
  await world.after(seconds(20));
  expect([await leads(world, 'a'), await leads(world, 'b')]).toEqual([1, 0]);
  return world;
}

const isRead: Wanted = ({ method, url }) => method === 'GET' && url.includes('/configmaps/');
const isRenewal: Wanted = ({ url }) => url.includes('/leases/');

it('C48: a leader that stood still for 40 s with writes in its hands sends none of them', async () => {
  await using world = await leaderAndFollower();
  // The answer to the read that precedes the first write comes while the process stands still.
  const slowRead = world.on('target', slow(world.clock, 1_000, isRead), 'a');
  world.edit('p1', 'conn-a', { v: '1' });
  await world.after(500);
  expect(world.writes()).toEqual([]);
  world.sim.process('a').pause();
  await world.after(seconds(40));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
  slowRead[Symbol.dispose]();

  // It wakes, and hears of something to do before it hears that another one leads.
  using _late = world.on('target', slow(world.clock, 500, isRenewal), 'a');
  world.edit('p1', 'conn-b', { v: '1' });
  world.sim.process('a').resume();
  await world.after(minutes(1));
  expect(new Set(world.writes().map(({ replica }) => replica))).toEqual(new Set(['b']));
  expect([await leads(world, 'a'), await leads(world, 'b')]).toEqual([0, 1]);
  expect(world.differences()).toEqual([]);
});

const error500 = answering(() => ({ status: 500, body: 'no' }));

it.each([
  { name: 'an error', broken: error500 },
  { name: 'no answer at all', broken: noAnswer },
])('C48: a leader whose renewals get $name for 20 s stops before another can begin', async ({ broken }) => {
  await using world = await leaderAndFollower();
  const onLeases: TransportInterceptor = (next) => (request, options) =>
    (request.url.includes('/leases') ? broken(next) : next)(request, options);
  const lastRenewal = world.clock.monotonic();
  let edits = 0;
  {
    using _broken = world.on('target', onLeases, 'a');
    for (; edits < 20; edits++) {
      world.edit('p1', 'conn-a', { v: String(edits) });
      await world.after(seconds(1));
    }
  }
  for (; edits < 30; edits++) {
    world.edit('p1', 'conn-a', { v: String(edits) });
    await world.after(seconds(1));
  }
  const timesOf = (replica: string): number[] => world.writes((call) => call.replica === replica).map(({ at }) => at);
  const [last, first] = [Math.max(...timesOf('a')), Math.min(...timesOf('b'))];
  expect(last - lastRenewal).toBeGreaterThan(seconds(5));
  expect(last - lastRenewal).toBeLessThanOrEqual(seconds(10));
  // The last renewal is at most a renewal's pace before the trouble began.
  expect(first - lastRenewal).toBeGreaterThanOrEqual(seconds(12));
  expect(first).toBeGreaterThan(last);
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '29' } });
});

it('C48: a follower configured with 15 s waits the 60 s of the record', async () => {
  await using world = new World();
  world.target.put(Lease, {
    metadata: electionLease,
    spec: { holderIdentity: 'silent', leaseDurationSeconds: 60, renewTime: '2026-01-01T00:00:00.000000Z' },
  });
  world.edit('p1', 'conn-a', { v: '1' });
  world.start();
  await world.after(seconds(59));
  expect(world.target.get(Lease, electionLease)?.spec?.holderIdentity).toBe('silent');
  expect(world.writes()).toEqual([]);
  await world.after(seconds(10));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
});
