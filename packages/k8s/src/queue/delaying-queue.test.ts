import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { DelayingQueue } from './delaying-queue.ts';
import type { QueueItem } from './queue-item.ts';

const a: QueueItem = { cluster: 'p1', key: 'a' };
const b: QueueItem = { cluster: 'p1', key: 'b' };

function setUp(): { clock: VirtualClock; queue: DelayingQueue; seen: string[] } {
  const clock = new VirtualClock();
  return { clock, queue: new DelayingQueue({ clock }), seen: [] };
}

/** Takes items as they come, notes when, and is done with them at once. */
async function work(queue: DelayingQueue, clock: VirtualClock, seen: string[]): Promise<void> {
  for (;;) {
    const given = await queue.get();
    if (!given) return;
    seen.push(`${given.key}@${clock.monotonic()} ${given.lane}`);
    queue.done(given);
  }
}

describe('DelayingQueue', () => {
  it('the earliest time asked for wins, and one timer serves all', async () => {
    const { clock, queue, seen } = setUp();
    void work(queue, clock, seen);
    queue.addAfter(a, 50);
    queue.addAfter(a, 20);
    queue.addAfter(a, 80);
    queue.addAfter(b, 30);
    expect(queue.delayed).toBe(2);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(seen).toEqual(['a@20 fresh', 'b@30 fresh']);
    expect(clock.pending).toBe(0);
  });

  it('an add makes a delayed item wait no longer, and its hand-out serves both', async () => {
    const { clock, queue, seen } = setUp();
    void work(queue, clock, seen);
    queue.addAfter(a, 50);
    queue.add(a);
    expect(queue.delayed).toBe(0);
    await clock.advance(100);
    expect(seen).toEqual(['a@0 fresh']);
    expect(clock.pending).toBe(0);
  });

  it('an item that waits for a worker needs no later look', async () => {
    const { clock, queue } = setUp();
    queue.add(a);
    queue.addAfter(a, 50);
    expect(queue.delayed).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('a resync look neither replaces a fresh one that is due later nor makes up for it', async () => {
    const { clock, queue } = setUp();
    queue.addAfter(a, 50, 'fresh');
    queue.add(a, 'resync');
    expect([queue.depth, queue.delayed]).toEqual([1, 1]);
    await clock.advance(50);
    expect([queue.depth, queue.delayed]).toEqual([1, 0]);
    expect(await queue.get()).toMatchObject({ lane: 'fresh' });
    queue.done(a);

    queue.add(a, 'resync');
    queue.addAfter(a, 10, 'fresh');
    await clock.advance(10);
    expect(await queue.get()).toMatchObject({ lane: 'fresh' });
  });

  it('what comes due while its item is worked on comes after that', async () => {
    const { clock, queue } = setUp();
    queue.add(a);
    await queue.get();
    queue.addAfter(a, 10);
    await clock.advance(20);
    expect(queue.depth).toBe(0);
    queue.done(a);
    expect(queue.depth).toBe(1);
  });

  describe('retry', () => {
    it('comes after its delay, or after the hold when something is added meanwhile', async () => {
      const { clock, queue, seen } = setUp();
      void work(queue, clock, seen);
      queue.retry(a, { afterMs: 1000, holdMs: 100, lane: 'resync' });
      await clock.advance(10);
      queue.add(a);
      queue.add(a);
      await clock.advance(89);
      expect(seen).toEqual([]);
      await clock.advance(2000);
      expect(seen).toEqual(['a@100 fresh']);
      queue.retry(a, { afterMs: 1000, holdMs: 100, lane: 'resync' });
      await clock.advance(2000);
      expect(seen.slice(1)).toEqual(['a@3099 resync']);
    });

    it('holds off what was added while the failed try ran', async () => {
      const { clock, queue } = setUp();
      queue.add(a);
      await queue.get();
      queue.add(a);
      queue.retry(a, { afterMs: 1000, holdMs: 100, lane: 'fresh' });
      queue.done(a);
      expect(queue.depth).toBe(0);
      await clock.advance(100);
      expect(queue.depth).toBe(1);
    });

    it('a hold also keeps off an earlier delayed look; once it is over, adds go through at once', async () => {
      const { clock, queue } = setUp();
      queue.addAfter(a, 20);
      queue.retry(a, { afterMs: 500, holdMs: 100, lane: 'fresh' });
      queue.addAfter(a, 10);
      await clock.advance(99);
      expect(queue.depth).toBe(0);
      await clock.advance(1);
      expect(queue.depth).toBe(1);
      await queue.get();
      queue.done(a);
      queue.retry(a, { afterMs: 500, holdMs: 100, lane: 'fresh' });
      await clock.advance(100);
      queue.add(a);
      expect(queue.depth).toBe(1);
      expect(queue.delayed).toBe(0);
    });
  });

  it('dropping a cluster forgets what waits for its time', async () => {
    const { clock, queue } = setUp();
    queue.addAfter(a, 10);
    queue.addAfter({ cluster: 'p2', key: 'a' }, 20);
    queue.drop('p1');
    expect(queue.delayed).toBe(1);
    await clock.advance(30);
    expect(await queue.get()).toMatchObject({ cluster: 'p2' });
  });

  it.each(['drop', 'drain'] as const)(
    'shutdown (%s) leaves no timer, takes nothing and drops what is delayed',
    async (mode) => {
      const { clock, queue } = setUp();
      queue.add(b);
      queue.addAfter(a, 10);
      queue.shutdown(mode);
      queue.addAfter(a, 10);
      queue.retry(a, { afterMs: 10, holdMs: 10, lane: 'fresh' });
      expect(clock.pending).toBe(0);
      expect(queue.delayed).toBe(0);
      expect(queue.depth).toBe(mode === 'drain' ? 1 : 0);
    },
  );
});

describe('an item that rests', () => {
  const item = { cluster: 'c', key: 'k' };

  async function rested(): Promise<{ clock: VirtualClock; queue: DelayingQueue }> {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    queue.add(item);
    await queue.get();
    queue.rest(item, 100);
    queue.done(item);
    return { clock, queue };
  }

  it('does not come again by itself, and leaves nothing', async () => {
    const { clock, queue } = await rested();
    await clock.advance(1_000);
    expect([queue.depth, queue.delayed, clock.pending]).toEqual([0, 0, 0]);
  });

  it('comes when its rest is over, once, when it was added meanwhile', async () => {
    const { clock, queue } = await rested();
    queue.add(item);
    queue.add(item);
    await clock.advance(99);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  it('comes at once when it is added urgently, and not again when its rest is over', async () => {
    const { clock, queue } = await rested();
    queue.add(item);
    queue.add(item, 'urgent');
    expect(queue.depth).toBe(1);
    expect((await queue.get())?.lane).toBe('urgent');
    queue.done(item);
    await clock.advance(1_000);
    expect([queue.depth, queue.delayed, clock.pending]).toEqual([0, 0, 0]);
  });

  it('does not begin to rest when it was added urgently while it was worked on', async () => {
    const { queue } = await rested();
    queue.add(item, 'urgent');
    await queue.get();
    queue.add(item, 'urgent');
    queue.rest(item, 100);
    queue.done(item);
    expect(queue.depth).toBe(1);
  });

  it('urgent or not, what a failed try holds off is held off', async () => {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    queue.add(item, 'urgent');
    await queue.get();
    queue.retry(item, { afterMs: 50, holdMs: 100, lane: 'urgent' });
    queue.done(item);
    queue.add(item, 'urgent');
    await clock.advance(99);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect((await queue.get())?.lane).toBe('urgent');
  });

  it('comes at the time that was asked for, when that is later', async () => {
    const { clock, queue } = await rested();
    queue.addAfter(item, 500);
    await clock.advance(499);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  it('was added while it was worked on: comes when its rest is over', async () => {
    const clock = new VirtualClock();
    const queue = new DelayingQueue({ clock });
    queue.add(item);
    await queue.get();
    queue.add(item);
    queue.rest(item, 100);
    queue.done(item);
    await clock.advance(99);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });
});
