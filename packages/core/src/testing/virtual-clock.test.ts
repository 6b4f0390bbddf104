import { describe, expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('VirtualClock', () => {
  it('fires timers by due time, equal ones by creation, and only when moved', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    clock.timer(20, () => seen.push('b'));
    clock.timer(10, () => seen.push('a'));
    clock.timer(20, () => seen.push('c'));
    await clock.advance(9);
    expect(seen).toEqual([]);
    await clock.advance(11);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(clock.monotonic()).toBe(20);
  });

  it('runs every microtask of a timer before the next timer, however deep', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    clock.timer(1, () => {
      void (async () => {
        for (let i = 0; i < 100; i++) await Promise.resolve();
        seen.push('deep');
      })();
    });
    clock.timer(1, () => seen.push('next'));
    await clock.advance(1);
    expect(seen).toEqual(['deep', 'next']);
  });

  it('sleep leaves neither timer nor listener behind when it is aborted', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal);
    expect(clock.pending).toBe(1);
    controller.abort(new Error('stop'));
    await expect(sleeping).rejects.toThrow('stop');
    expect(clock.pending).toBe(0);
    await expect(clock.sleep(1, controller.signal)).rejects.toThrow('stop');
    expect(clock.pending).toBe(0);
  });

  it('sleep removes its listener when it wakes', async () => {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => void listeners++;
    signal.removeEventListener = () => void listeners--;
    const sleeping = clock.sleep(10, signal);
    expect(listeners).toBe(1);
    await clock.advance(10);
    await sleeping;
    expect(listeners).toBe(0);
  });

  it('run says when nothing can wake the work', async () => {
    const clock = new VirtualClock();
    await expect(clock.run(new Promise(() => undefined))).rejects.toThrow('no timer is set');
    await expect(clock.run(clock.sleep(5000), 10)).rejects.toThrow('not done within 10 ms');
    await expect(clock.run(clock.sleep(5).then(() => 'done'))).resolves.toBe('done');
  });

  it('keeps order with thousands of random timers, some disposed', async () => {
    const random = seeded('timers');
    const clock = new VirtualClock();
    const fired: number[] = [];
    let live = 0;
    for (let i = 0; i < 3000; i++) {
      const ms = random.int(500);
      const timer = clock.timer(ms, () => fired.push(ms));
      if (random.int(3) === 0) timer[Symbol.dispose]();
      else live++;
    }
    expect(clock.pending).toBe(live);
    await clock.advance(500);
    expect(fired).toHaveLength(live);
    expect(fired).toEqual(fired.toSorted((a, b) => a - b));
    expect(clock.pending).toBe(0);
  });
});
