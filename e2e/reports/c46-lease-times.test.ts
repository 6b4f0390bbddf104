/**
 * Lease times with three digits are refused with 400; nobody is ever elected, and every pod looks healthy.
 * Source: kubernetes-client/javascript#828; kubernetes/kubernetes PR #141204; agentconnect-md/agentconnect PR #873.
 * Cause:  `toISOString()` is not what a `metav1.MicroTime` is parsed with; the election retried quietly.
 * Guard:  times are written with exactly six digits and read in every RFC 3339 form; a Lease that is refused for good shows as not ready.
 */
import { Lease } from '@lifeline/core';
import { Refusal, type ScriptedCall } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { electionLease, minutes, seconds, World } from './world.ts';

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** As an API server decodes a Lease. */
function strict({ kind, body }: ScriptedCall): Refusal | undefined {
  const { renewTime, acquireTime } = (kind === Lease && (body as Lease | undefined)?.spec) || {};
  const wrong = [renewTime, acquireTime].find((time) => time && !microTime.test(time));
  const message = `parsing time "${wrong}" as "2006-01-02T15:04:05.000000Z07:00"`;
  return wrong ? new Refusal({ code: 400, reason: 'BadRequest', message }) : undefined;
}

it('C46: a server that takes six digits and nothing else elects, and sees every renewal', async () => {
  await using world = new World();
  world.target.remove(Lease, electionLease);
  world.target.refuse = strict;
  world.edit('p1', 'a', { v: '1' });
  world.start('a');
  await world.after(seconds(20));
  world.start('b');
  await world.after(minutes(2));
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '1' } });
  const leases = world.calls.filter(({ path, method }) => path.includes('/leases') && method !== 'GET');
  expect(leases.length).toBeGreaterThan(40);
  expect(new Set(leases.map(({ status }) => status))).toEqual(new Set([200, 201]));
  expect(world.target.get(Lease, electionLease)?.spec?.leaseTransitions).toBe(0);
});

it.each([
  '2026-01-01T00:00:05.123456Z',
  '2026-01-01T00:00:05Z',
  '2026-01-01T00:00:05.123Z',
  '2026-01-01T00:00:05.123456789Z',
  '2026-01-01T02:00:05+02:00',
])('C46: a record renewed at %s is read, respected and taken over in time', async (renewTime) => {
  await using world = new World();
  const spec = { holderIdentity: 'gone', leaseDurationSeconds: 15, renewTime, leaseTransitions: 3 };
  world.target.put(Lease, { metadata: electionLease, spec });
  world.start();
  await world.after(seconds(14));
  expect(world.target.get(Lease, electionLease)?.spec?.holderIdentity).toBe('gone');
  await world.after(seconds(6));
  expect(world.target.get(Lease, electionLease)?.spec?.leaseTransitions).toBe(4);
});

it('C46: a renewal that moves the time by 400 µs is a renewal', async () => {
  await using world = new World();
  world.start();
  const renew = (micros: number): unknown =>
    world.target.put(Lease, {
      metadata: { ...electionLease, ...world.target.get(Lease, electionLease)?.metadata },
      spec: {
        holderIdentity: 'alive',
        leaseDurationSeconds: 15,
        renewTime: `2026-01-01T00:00:05.${String(micros).padStart(6, '0')}Z`,
      },
    });
  for (let renewal = 0; renewal < 12; renewal++) {
    renew(100 + 400 * renewal);
    await world.after(seconds(10));
    expect(world.target.get(Lease, electionLease)?.spec?.holderIdentity).toBe('alive');
  }
  await world.after(seconds(20));
  expect(world.target.get(Lease, electionLease)?.spec?.holderIdentity).not.toBe('alive');
});

it('C46: a Lease that the server will never take is loud, and leads on as soon as it is taken', async () => {
  await using world = new World();
  world.target.refuse = ({ kind, verb }) =>
    kind === Lease && verb !== 'get'
      ? new Refusal({ code: 400, reason: 'BadRequest', message: 'parsing time' })
      : undefined;
  world.edit('p1', 'a', { v: '1' });
  const { health } = world.start();
  await world.after(minutes(10));
  expect(health.readyz()).toMatchObject({ ok: false });
  expect(JSON.stringify(health.readyz())).toContain('parsing time');
  expect(world.sim.logLines.some((line) => line.includes('"level":"error"') && line.includes('parsing time'))).toBe(
    true,
  );
  expect(world.calls.filter(({ path, method }) => path.includes('/leases') && method !== 'GET').length).toBeLessThan(
    40,
  );
  expect(world.writes()).toEqual([]);
  world.target.refuse = () => undefined;
  await world.after(minutes(1));
  expect(health.readyz()).toMatchObject({ ok: true });
  expect(world.copies()).toEqual({ 'p1 default/a': { v: '1' } });
});
