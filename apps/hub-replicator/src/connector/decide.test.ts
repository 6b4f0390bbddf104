import {
  type Condition,
  Connector,
  connectorMessages,
  deepEqual,
  epochMs,
  leaseFreshness,
  type LeaseObservation,
  monotonicMs,
  observeLease,
  unseenLease,
} from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type Seen, statusWrite, turnsFalse } from './decide.ts';

const t = monotonicMs;
const then = '2026-01-01T00:00:00Z';
const now = epochMs(Date.parse('2026-01-02T00:00:00Z'));

const condition = (type: string, status: string, message = 'as before'): Condition => ({
  type,
  status,
  reason: `${type}Was${status}`,
  message,
  lastTransitionTime: then,
  observedGeneration: 3,
});

const connector = ({ conditions = [] as Condition[], leaseRef = undefined as string | undefined } = {}): Connector => ({
  apiVersion: Connector.apiVersion,
  kind: 'Connector',
  metadata: { namespace: 'default', name: 'a', uid: 'u', resourceVersion: '7', generation: 3 },
  spec: { connectorClassName: 'tunnel' },
  status: { conditions, ...(leaseRef === undefined ? {} : { leaseRef: { name: leaseRef } }) },
});

/** What is known of a Lease that was seen as told, the last time at 0. */
function observation({
  present = true,
  renewTime = true,
  seconds = 30,
  renewed = false,
  gap = false,
}): LeaseObservation {
  if (gap) return unseenLease;
  const lease = (resourceVersion: string) => ({
    metadata: { uid: 'l', resourceVersion },
    spec: { leaseDurationSeconds: seconds, ...(renewTime ? { renewTime: then } : {}) },
  });
  if (!present) return observeLease(unseenLease, undefined, t(0));
  const first = observeLease(unseenLease, lease('1'), t(-1000));
  return renewed ? observeLease(first, lease('2'), t(0)) : observeLease(unseenLease, lease('1'), t(0));
}

const ready = condition('Ready', 'True');
const notReady = condition('Ready', 'False');
const m = connectorMessages;

describe('judge: Ready', () => {
  // What Ready says, by class, Lease, renewTime, duration, the age of what was observed, gaps, and what it said before.
  it.each([
    { name: 'renewed, young', lease: { renewed: true }, age: 29_999, before: notReady, want: ['True', m.ready] },
    { name: 'renewed, old', lease: { renewed: true }, age: 30_000, before: ready, want: ['False', m.leaseExpired] },
    {
      name: 'a long duration',
      lease: { renewed: true, seconds: 60 },
      age: 59_999,
      before: ready,
      want: ['True', m.ready],
    },
    {
      name: 'and its end',
      lease: { renewed: true, seconds: 60 },
      age: 60_000,
      before: ready,
      want: ['False', m.leaseExpired],
    },
    {
      name: 'a duration below 5 s',
      lease: { renewed: true, seconds: 1 },
      age: 4_999,
      before: ready,
      want: ['True', m.ready],
    },
    {
      name: 'and its end',
      lease: { renewed: true, seconds: 1 },
      age: 5_000,
      before: ready,
      want: ['False', m.leaseExpired],
    },
    {
      name: 'a duration above 1 h',
      lease: { renewed: true, seconds: 7200 },
      age: 3_600_000,
      before: ready,
      want: ['False', m.leaseExpired],
    },
    {
      name: 'no duration is 30 s',
      lease: { renewed: true, seconds: 0 },
      age: 29_999,
      before: ready,
      want: ['True', m.ready],
    },
    { name: 'first sight, ready before', lease: {}, age: 29_999, before: ready, want: ['True', 'as before'] },
    { name: 'first sight, not ready before', lease: {}, age: 29_999, before: notReady, want: ['False', 'as before'] },
    { name: 'first sight, nothing before', lease: {}, age: 0, before: undefined, want: ['False', m.leaseUnproven] },
    { name: 'first sight, a period ago', lease: {}, age: 30_000, before: ready, want: ['False', m.leaseExpired] },
    { name: 'never renewed', lease: { renewTime: false }, age: 0, before: ready, want: ['False', m.leaseNeverRenewed] },
    { name: 'gone', lease: { present: false }, age: 0, before: ready, leaseRef: 'a', want: ['False', m.leaseNotFound] },
    { name: 'not created', lease: { present: false }, age: 0, before: undefined, want: ['False', m.leaseNotCreated] },
    { name: 'a gap, ready before', lease: { gap: true }, age: 1e9, before: ready, want: ['True', 'as before'] },
    { name: 'a gap, not ready before', lease: { gap: true }, age: 1e9, before: notReady, want: ['False', 'as before'] },
    {
      name: 'no class, renewed',
      lease: { renewed: true },
      age: 0,
      before: ready,
      classExists: false,
      want: ['False', m.notAccepted],
    },
    {
      name: 'no class, a gap',
      lease: { gap: true },
      age: 0,
      before: ready,
      classExists: false,
      want: ['False', m.notAccepted],
    },
  ])('$name, $age ms ago → $want', ({ lease, age, before, leaseRef, classExists = true, want }) => {
    const verdict = judge({
      connector: connector({ conditions: before ? [before] : [], leaseRef }),
      classExists,
      freshness: leaseFreshness(observation(lease), t(age)),
    });
    expect([verdict.ready.status, verdict.ready.message]).toEqual(want);
    expect(verdict.ready.observedGeneration).toBe(3);
    expect(verdict.accepted).toMatchObject({ status: classExists ? 'True' : 'False', observedGeneration: 3 });
  });

  it('turnsFalse: only what says True now', () => {
    const desired = { type: 'Ready', status: 'False', reason: 'R', message: 'm' } as const;
    expect(turnsFalse(connector({ conditions: [ready] }), desired)).toBe(true);
    expect(turnsFalse(connector({ conditions: [notReady] }), desired)).toBe(false);
    expect(turnsFalse(connector(), desired)).toBe(false);
    expect(turnsFalse(connector({ conditions: [ready] }), { ...desired, status: 'True' })).toBe(false);
  });
});

describe('statusWrite', () => {
  const fresh = leaseFreshness(observation({ renewed: true }), t(0));
  const verdict = judge({ connector: connector(), classExists: true, freshness: fresh });
  const statusOf = (from: Connector, over: Partial<Parameters<typeof statusWrite>[1]> = {}) => {
    const write = statusWrite(from, { ...verdict, leaseExists: true, ...over }, now);
    if (write?.verb !== 'apply') return undefined;
    expect(write).toMatchObject({ subresource: 'status', force: true });
    expect(write.object.metadata).toEqual({ namespace: 'default', name: 'a', uid: 'u', resourceVersion: '7' });
    return write.object['status'] as NonNullable<Connector['status']>;
  };

  it('has both conditions and the Lease, and nothing of others', () => {
    const others = [condition('IrohDNSPublished', 'True')];
    expect(statusOf(connector({ conditions: others }))).toEqual({
      conditions: [
        { ...verdict.accepted, lastTransitionTime: '2026-01-02T00:00:00Z' },
        { ...verdict.ready, lastTransitionTime: '2026-01-02T00:00:00Z' },
      ],
      leaseRef: { name: 'a' },
    });
  });

  it('keeps the time of a condition that does not flip', () => {
    const from = connector({ conditions: [condition('Accepted', 'True'), condition('Ready', 'False')] });
    expect(statusOf(from)?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      then,
      '2026-01-02T00:00:00Z',
    ]);
  });

  it('keeps a recorded Lease that is gone, and records none that never was', () => {
    expect(statusOf(connector({ leaseRef: 'a' }), { leaseExists: false })?.leaseRef).toEqual({ name: 'a' });
    expect(statusOf(connector(), { leaseExists: false })).not.toHaveProperty('leaseRef');
    expect(statusOf(connector({ leaseRef: 'another' }))?.leaseRef).toEqual({ name: 'a' });
  });

  it('carried out, leaves nothing to write; whatever was there before', () => {
    const entry = fc.record({
      type: fc.constantFrom('Accepted', 'Ready', 'Other'),
      status: fc.constantFrom('True', 'False', 'Unknown'),
      reason: fc.constantFrom('ConnectorReady', 'R'),
      message: fc.constantFrom('', 'm'),
      lastTransitionTime: fc.constantFrom(then, null, 'never', '1970-01-01T00:00:00Z'),
      observedGeneration: fc.constantFrom(2, 3, null),
    });
    const conditions = fc.uniqueArray(entry, { selector: ({ type }) => type });
    const seen = fc.record({
      conditions,
      leaseRef: fc.constantFrom(undefined, 'a', ''),
      classExists: fc.boolean(),
      leaseExists: fc.boolean(),
      lease: fc.record({ present: fc.boolean(), renewTime: fc.boolean(), renewed: fc.boolean(), gap: fc.boolean() }),
      age: fc.nat(60_000),
    });
    fc.assert(
      fc.property(seen, ({ conditions, leaseRef, classExists, leaseExists, lease, age }) => {
        const freshness = leaseFreshness(observation(lease), t(age));
        const decide = (from: Connector, at: number) => {
          const inputs: Seen = { connector: from, classExists, freshness };
          return statusWrite(from, { ...judge(inputs), leaseExists }, epochMs(now + at));
        };
        const before = connector({ conditions, leaseRef });
        const write = decide(before, 0);
        if (write?.verb !== 'apply') return expect(write).toBeUndefined();
        const written = write.object['status'] as NonNullable<Connector['status']>;
        const types = new Set(written.conditions?.map(({ type }) => type));
        const kept = conditions.filter(({ type }) => !types.has(type));
        const after = {
          ...before,
          status: { ...before.status, ...written, conditions: [...kept, ...(written.conditions ?? [])] },
        };
        for (const each of written.conditions ?? []) {
          const old = conditions.find(({ type }) => type === each.type);
          const moved = each.lastTransitionTime === '2026-01-02T00:00:00Z';
          const hadTime = old?.lastTransitionTime === then || old?.lastTransitionTime?.startsWith('1970');
          expect(moved).toBe(old?.status !== each.status || !hadTime);
        }
        // The second look may find a Lease recorded that was not: "not created" becomes "gone", once.
        const second = decide(after, 1000);
        if (second?.verb === 'apply') {
          expect(deepEqual(second.object['status'], written)).toBe(false);
          expect([freshness.state, leaseExists, Boolean(leaseRef)]).toEqual(['absent', true, false]);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
