import { describe, expect, it } from 'vitest';
import type { ReportMessage } from './report.ts';
import { programmedService } from './service.ts';

const { responseSerialize: write, responseDeserialize: read, path } = programmedService.watch;

const messages: readonly ReportMessage[] = [
  {
    at: 'call',
    replica: 'r1',
    call: 2 ** 40,
    caller: '10.0.0.7',
    phase: 'answered',
    group: '0123456789abcdef',
    indexRevision: 7,
    ageMs: 0,
    digestVersion: 1,
    rows: [
      { namespace: 'ns-1', name: 'shop', stamp: '', intent: 'none', outcome: 'rolledBack', reason: 'DuplicateDomain' },
    ],
  },
  {
    at: 'call',
    replica: 'r1',
    call: 0,
    caller: 'unix',
    phase: 'started',
    group: '',
    indexRevision: 0,
    ageMs: 12,
    digestVersion: 1,
    rows: [],
  },
  { at: 'caller', replica: 'r1', caller: 'unix', connected: false },
  { at: 'synced', replica: 'r1', digestVersion: 1 },
];

describe('the reports on the wire', () => {
  it('have the path of the contract', () => expect(path).toBe('/lifeline.edge.v1.Programmed/Watch'));

  it.each(messages)('%j comes back as it went', (message) => expect(read(write(message))).toEqual(message));

  it('a message that only a later version knows says nothing', () =>
    expect(read(Buffer.from([0x7a, 0x00]))).toBeUndefined());

  it('a phase of a later version says nothing; an outcome of one does not converge', () => {
    const [answered] = messages as [ReportMessage & { at: 'call' }];
    const odd = (change: object): ReportMessage | undefined => read(write({ ...answered, ...change }));
    expect(odd({ phase: 'paused' })).toBeUndefined();
    expect(odd({ rows: [{ ...answered.rows[0], outcome: 'halfway' }] })).toMatchObject({
      rows: [{ outcome: 'failed' }],
    });
  });
});
