import { type Clock, monotonicMs } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** A clock that moves when it is told to, over an event loop that turns when it is told to. */
class Loop {
  ms = 0;
  #due: (() => void)[] = [];
  readonly clock: Clock = {
    now: () => {
      throw new TypeError('nobody asks');
    },
    timer: () => {
      throw new TypeError('nobody waits');
    },
    sleep: () => Promise.reject(new TypeError('nobody sleeps')),
    monotonic: () => monotonicMs(this.ms),
    turn: (begin) => void this.#due.push(begin),
  };

  /** As immediates: those that come meanwhile are for the turn after. */
  async turn(): Promise<void> {
    for (const begin of this.#due.splice(0)) begin();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  get idle(): boolean {
    return this.#due.length === 0;
  }
}

describe('Turns', () => {
  it('reading goes on for 20 ms in a turn of the loop, and for as long in the next', async () => {
    const loop = new Loop();
    const turns = new Turns(loop.clock);
    for (const ms of [0, 10, 19]) {
      loop.ms = ms;
      expect(turns.take()).toBeUndefined();
    }
    await loop.turn();
    loop.ms = 1000;
    expect(turns.take()).toBeUndefined();
    loop.ms = 1019;
    expect(turns.take()).toBeUndefined();
    loop.ms = 1020;
    expect(turns.take()).toBeInstanceOf(Promise);
  });

  it('who comes later waits, and is let on in order, sixteen in each turn, and before who comes then', async () => {
    const loop = new Loop();
    const turns = new Turns(loop.clock);
    const read: string[] = [];
    const reader = async (_: unknown, who: number): Promise<void> => {
      for (let part = 1; part <= 2; part++) {
        const turn = turns.take();
        if (turn) await turn;
        read.push(`${who}.${part}`);
        loop.ms += 30;
      }
    };
    const all = Promise.all(Array.from({ length: 20 }, reader));
    const seen: string[][] = [];
    for (let turn = 0; turn < 4; turn++) {
      seen.push(read.splice(0));
      await loop.turn();
    }
    await all;
    const first = Array.from({ length: 19 }, (_, i) => `${i + 1}.1`);
    const second = Array.from({ length: 19 }, (_, i) => `${i + 1}.2`);
    expect(seen).toEqual([
      ['0.1'],
      ['0.2', ...first.slice(0, 15)],
      [...first.slice(15), ...second.slice(0, 12)],
      second.slice(12),
    ]);
    for (let turn = 0; turn < 3; turn++) await loop.turn();
    expect(loop.idle).toBe(true);
  });

  it('all who read in one process share its turns', () => {
    const { clock } = new Loop();
    expect(Turns.of(clock)).toBe(Turns.of(clock));
    expect(Turns.of(new Loop().clock)).not.toBe(Turns.of(clock));
  });

  it('where computing takes no time, nobody waits', async () => {
    const clock = new VirtualClock();
    const turns = new Turns(clock);
    expect(turns.take()).toBeUndefined();
    await clock.advance(60_000);
    expect(turns.take()).toBeUndefined();
  });
});
