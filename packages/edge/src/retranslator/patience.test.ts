import { type DurationMs, formatStamp, monotonicMs } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Caller } from './caller.ts';
import { Waiting } from './patience.ts';

const wanted = 'a'.repeat(16);
const other = 'b'.repeat(16);
const stamp = (attempt: number, intent = wanted): string => formatStamp({ intent, attempt });
const at = monotonicMs;
const look = (ms: DurationMs, text?: string) => ({ stamp: text, wanted, now: at(ms) });
const call = { replica: 'r', call: 1, group: 'g' };

describe('the patience with a Gateway that is behind', () => {
  it.each([
    { name: 'never stamped with what is wanted', stamp: stamp(7, other), ms: 3_000 },
    { name: 'stamped once', stamp: stamp(0), ms: 3_000 },
    { name: 'the first attempt', stamp: stamp(1), ms: 5_000 },
    { name: 'the second', stamp: stamp(2), ms: 10_000 },
    { name: 'the sixth', stamp: stamp(6), ms: 160_000 },
    { name: 'the tenth, and all later ones', stamp: stamp(10), ms: 300_000 },
  ])('$name: over after $ms ms', ({ stamp: text, ms }) => {
    const caller = new Caller('10.0.0.1', at(0));
    const waiting = new Waiting(at(0));
    expect(waiting.behind([caller], look(0, text))).toEqual({ at: 'waiting', ms });
    expect(waiting.behind([caller], look(ms - 1, text))).toEqual({ at: 'waiting', ms: 1 });
    expect(waiting.behind([caller], look(ms, text))).toEqual({ at: 'over' });
  });

  it('does not count while its caller has a call running, up to a minute', () => {
    const caller = new Caller('10.0.0.1', at(0));
    const waiting = new Waiting(at(0));
    waiting.behind([caller], look(0, stamp(0)));
    caller.began(call, at(1_000));
    expect(waiting.behind([caller], look(1_000, stamp(0)))).toEqual({ at: 'waiting', ms: 59_000 });
    expect(waiting.behind([caller], look(60_000, stamp(0)))).toEqual({ at: 'over' });
    caller.ended(call, at(50_000));
    const again = new Waiting(at(50_000));
    expect(again.behind([caller], look(50_000, stamp(0)))).toEqual({ at: 'waiting', ms: 3_000 });
  });

  it('is over when it is over with one of its callers', () => {
    const [idle, busy] = [new Caller('10.0.0.1', at(0)), new Caller('10.0.0.2', at(0))];
    const waiting = new Waiting(at(0));
    waiting.behind([idle, busy], look(0, stamp(0)));
    busy.began(call, at(0));
    expect(waiting.behind([idle, busy], look(3_000, stamp(0)))).toEqual({ at: 'over' });
  });
});

describe('the patience with a Gateway that nobody is asked about', () => {
  it.each([
    { name: 'without a stamp', text: undefined, ms: 3_000 },
    { name: 'stamped once', text: stamp(0), ms: 5_000 },
    { name: 'the first attempt', text: stamp(1), ms: 30_000 },
    { name: 'the second', text: stamp(2), ms: 300_000 },
  ])('$name: over after $ms ms', ({ text, ms }) => {
    const waiting = new Waiting(at(0));
    expect(waiting.unnamed(look(1, text))).toEqual({ at: 'waiting', ms: ms - 1 });
    expect(waiting.unnamed(look(ms, text))).toEqual({ at: 'over' });
  });

  it('ends after three', () => expect(new Waiting(at(0)).unnamed(look(1e9, stamp(3)))).toEqual({ at: 'unserved' }));
});
