import type { ObjectKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import type { ReportMessage, ReportRow } from '../report/report.ts';
import { Programmed } from './programmed.ts';

const caller = '10.0.0.1';
const row: ReportRow = { namespace: 'ns', name: 'a', stamp: '', intent: 'X', outcome: 'programmed', reason: '' };
const call = (phase: 'started' | 'answered' | 'failed', rows: readonly ReportRow[] = []): ReportMessage => ({
  at: 'call',
  replica: 'r1',
  call: 1,
  caller,
  phase,
  group: 'a',
  indexRevision: 0,
  ageMs: 0,
  digestVersion: 1,
  rows,
});

describe('a process that nobody heard of for long', () => {
  it.each<{ name: string; message: ReportMessage }>([
    { name: 'calls again', message: call('started') },
    { name: 'was answered again, as it was before', message: call('answered') },
    { name: 'called again in vain', message: call('failed') },
    { name: 'is connected again', message: { at: 'caller', replica: 'r1', caller, connected: true } },
  ])('$name: all that it was told is looked at, whatever that says', async ({ message }) => {
    const clock = new VirtualClock();
    const looked: ObjectKey[] = [];
    using programmed = new Programmed({ clock, digestVersion: 1, changed: ({ keys }) => looked.push(...keys) });
    programmed.replayed('r1', [{ at: 'synced', replica: 'r1', digestVersion: 1 }]);
    programmed.take(call('answered', [row]));
    await clock.advance(60 * 60_000);
    expect(programmed.judge('ns/a', 'Y').at).toBe('idle');
    looked.length = 0;
    programmed.take(message);
    expect(looked).toContain('ns/a');
    expect(programmed.judge('ns/a', 'Y').at).toBe('behind');
    looked.length = 0;
    programmed.take(call('answered'));
    programmed.take(call('answered'));
    expect(looked.length).toBeLessThanOrEqual(1);
  });
});
