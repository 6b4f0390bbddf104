import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Polled } from './polled.ts';

function polled() {
  const clock = new VirtualClock();
  const state = { text: 'a', reads: 0 };
  const value = new Polled<{ text: string }>({
    clock,
    log: undefined,
    what: 'test',
    load: async () => {
      state.reads++;
      if (state.text === '') throw new Error('half-written');
      return { text: state.text };
    },
    same: (a, b) => a.text === b.text,
  });
  return { clock, state, value };
}

describe('Polled', () => {
  it('reads on use, at most once a minute, at once when told to', async () => {
    const { clock, state, value } = polled();
    await value.current();
    await clock.advance(3_600_000);
    expect(state.reads).toBe(1);
    state.text = 'b';
    expect(await value.current()).toEqual({ text: 'b' });
    await clock.advance(59_999);
    state.text = 'c';
    expect(value.current()).toEqual({ text: 'b' });
    expect(await value.refresh()).toEqual({ text: 'c' });
    await clock.advance(59_999);
    expect(value.current()).toEqual({ text: 'c' });
    expect(state.reads).toBe(3);
    expect(clock.pending).toBe(0);
  });

  it('shares a reading, and keeps the identity of what is the same', async () => {
    const { clock, state, value } = polled();
    const [a, b] = await Promise.all([value.current(), value.current()]);
    expect(a).toBe(b);
    await clock.advance(60_000);
    expect(await Promise.all([value.current(), value.refresh(), value.current()])).toEqual([a, a, a]);
    expect(await value.current()).toBe(a);
    expect(state.reads).toBe(2);
  });

  it('throws only while there is nothing to keep; a failed reading counts for the minute', async () => {
    const { clock, state, value } = polled();
    state.text = '';
    await expect(value.current()).rejects.toThrow('half-written');
    await expect(value.current()).rejects.toThrow('half-written');
    state.text = 'a';
    await value.current();
    state.text = '';
    await clock.advance(60_000);
    expect(await value.current()).toEqual({ text: 'a' });
    expect(value.current()).toEqual({ text: 'a' });
    expect(state.reads).toBe(4);
  });
});
