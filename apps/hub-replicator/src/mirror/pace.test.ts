import { epochMs, later, monotonicMs, upstreamKey } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace, type Times } from './pace.ts';

const at = (ms: number): Times => ({ now: later(epochMs(1_000_000), ms), monotonic: monotonicMs(ms) });
const calm = (text: string): { text: string; urgent: boolean } => ({ text, urgent: false });

describe('Pace', () => {
  it('the first change goes at once, the next one 30 s after it', () => {
    const pace = new Pace(30_000);
    expect(pace.judge('a', calm('1'), at(0))).toEqual({ seenAt: 1_000_000, waitMs: 0 });
    pace.went('a', at(10));
    expect(pace.judge('a', calm('2'), at(1_000))).toEqual({ seenAt: 1_001_000, waitMs: 29_010 });
    expect(pace.judge('a', calm('2'), at(30_009)).waitMs).toBe(1);
    expect(pace.judge('a', calm('2'), at(30_010))).toEqual({ seenAt: 1_001_000, waitMs: 0 });
    expect(pace.judge('b', calm('2'), at(1_000)).waitMs).toBe(0);
  });

  it('what is urgent never waits', () => {
    const pace = new Pace(30_000);
    pace.went('a', at(0));
    expect(pace.judge('a', { text: '2', urgent: true }, at(1)).waitMs).toBe(0);
  });

  it('holds nothing of a project that is not looked after here any more', () => {
    const pace = new Pace(30_000);
    const key = (cluster: string, name: string): string =>
      upstreamKey({ cluster, group: '', kind: 'ConfigMap', namespace: 'default', name });
    for (const cluster of ['p', 'p1', 'q']) {
      pace.judge(key(cluster, 'waits'), calm('1'), at(0));
      pace.went(key(cluster, 'went'), at(0));
    }
    pace.drop('p');
    expect(pace.size).toBe(4);
    expect(pace.judge(key('p', 'went'), calm('2'), at(1)).waitMs).toBe(0);
    expect(pace.judge(key('p1', 'went'), calm('2'), at(1)).waitMs).toBeGreaterThan(0);
  });

  it('keeps when a text was first seen, through retries; another text begins anew, and so does one that comes back', () => {
    const pace = new Pace(30_000);
    pace.judge('a', calm('1'), at(0));
    expect(pace.judge('a', calm('1'), at(500)).seenAt).toBe(1_000_000);
    expect(pace.judge('a', calm('2'), at(600)).seenAt).toBe(1_000_600);
    expect(pace.judge('a', calm('1'), at(700)).seenAt).toBe(1_000_700);
    pace.settled('a');
    expect(pace.judge('a', calm('1'), at(800)).seenAt).toBe(1_000_800);
    expect(pace.judge('b', { text: undefined, urgent: false }, at(1)).seenAt).toBe(1_000_001);
    expect(pace.judge('b', { text: undefined, urgent: false }, at(2)).seenAt).toBe(1_000_001);
  });

  it('holds nothing of objects at rest', () => {
    const pace = new Pace(30_000);
    for (let index = 0; index < 100; index++) {
      pace.judge(`${index}`, calm('x'), at(index));
      pace.went(`${index}`, at(index));
    }
    expect(pace.size).toBe(100);
    pace.went('last', at(30_050));
    expect(pace.size).toBe(50);
    pace.forget('99');
    expect(pace.size).toBe(49);
  });

  it('calm changes of one object never go closer than the pace, however they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { minLength: 1, maxLength: 40, size: 'max' }), (gaps) => {
        const pace = new Pace(30_000);
        const gone: number[] = [];
        let now = 0;
        for (const [index, gap] of gaps.entries()) {
          now += gap;
          if (pace.judge('a', calm(String(index)), at(now)).waitMs > 0) continue;
          pace.went('a', at(now));
          gone.push(now);
        }
        for (let index = 1; index < gone.length; index++) {
          expect((gone[index] ?? 0) - (gone[index - 1] ?? 0)).toBeGreaterThanOrEqual(30_000);
        }
      }),
      { seed: 5 },
    );
  });
});
