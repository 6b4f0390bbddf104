import { describe, expect, it } from 'vitest';
import type { Condition } from '../meta/conditions.ts';
import { monotonicMs } from '../time.ts';
import type { LeaseFreshness } from './lease-freshness.ts';
import { readyByLease } from './lease-ready.ts';

const freshness = (state: LeaseFreshness['state']): LeaseFreshness => ({
  state,
  recheckAt: monotonicMs(1),
  durationMs: 30_000,
});
const isTrue: Condition = { type: 'Ready', status: 'True', reason: 'ConnectorReady', message: 'as before' };
const isFalse: Condition = { type: 'Ready', status: 'False', reason: 'ConnectorNotReady', message: 'as before' };

describe('readyByLease', () => {
  it.each([
    { name: 'fresh', state: 'fresh', current: undefined, want: ['True', 'ConnectorReady', /renews/] },
    { name: 'expired', state: 'expired', current: isTrue, want: ['False', 'ConnectorNotReady', /stopped/] },
    { name: 'never renewed', state: 'never-renewed', current: isTrue, want: ['False', 'ConnectorNotReady', /never/] },
    {
      name: 'unproven, ready before',
      state: 'unproven',
      current: isTrue,
      want: ['True', 'ConnectorReady', /^as before$/],
    },
    {
      name: 'unproven, not ready before',
      state: 'unproven',
      current: isFalse,
      want: ['False', 'ConnectorNotReady', /^as before$/],
    },
    {
      name: 'unproven, absent before',
      state: 'unproven',
      current: undefined,
      want: ['False', 'ConnectorNotReady', /observed/],
    },
    {
      name: 'unproven, unknown before',
      state: 'unproven',
      current: { ...isTrue, status: 'Unknown' },
      want: ['False', 'ConnectorNotReady', /observed/],
    },
  ] as const)('$name', ({ state, current, want: [status, reason, message] }) => {
    const ready = readyByLease({ freshness: freshness(state), current, leaseRecorded: true });
    expect(ready).toMatchObject({ type: 'Ready', status, reason });
    expect(ready.message).toMatch(message);
  });

  it('tells "not created yet", "gone", "never renewed" and "expired" apart', () => {
    const said = (state: LeaseFreshness['state'], leaseRecorded: boolean) =>
      readyByLease({ freshness: freshness(state), current: undefined, leaseRecorded }).message;
    const messages = [said('absent', false), said('absent', true), said('never-renewed', true), said('expired', true)];
    expect(new Set(messages).size).toBe(4);
  });
});
