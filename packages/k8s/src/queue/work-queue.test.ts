import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import type { Lane, QueueItem } from './queue-item.ts';
import { type WorkItem, WorkQueue } from './work-queue.ts';

const item = (key: string, cluster = 'p1'): QueueItem => ({ cluster, key });
const names = (work: readonly (WorkItem | undefined)[]): (string | undefined)[] =>
  work.map((given) => given && `${given.cluster}/${given.key}`);

function setUp(laterShare?: number): {
  clock: VirtualClock;
  queue: WorkQueue;
  take: (count: number) => Promise<(string | undefined)[]>;
} {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, laterShare });
  const take = async (count: number): Promise<(string | undefined)[]> => {
    const taken: (WorkItem | undefined)[] = [];
    for (let i = 0; i < count && queue.depth > 0; i++) taken.push(await queue.get());
    return names(taken);
  };
  return { clock, queue, take };
}

describe('WorkQueue', () => {
  it('hands out an item once, however often it was added', async () => {
    const { queue, take } = setUp();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(item(key));
    expect(queue.depth).toBe(2);
    expect(await take(9)).toEqual(['p1/a', 'p1/b']);
  });

  it('C24: an item with a worker waits until that worker is done, then comes once more', async () => {
    const { clock, queue } = setUp();
    queue.add(item('a'));
    await queue.get();
    queue.add(item('a'));
    queue.add(item('a'));
    expect(queue.depth).toBe(0);
    const second = queue.get();
    let given: WorkItem | undefined;
    void second.then((work) => (given = work));
    await clock.settle();
    expect(given).toBeUndefined();
    queue.done(item('a'));
    expect(names([await second])).toEqual(['p1/a']);
    queue.done(item('a'));
    expect(queue.depth).toBe(0);
  });

  it('knows no other name for an item than its cluster and its key', async () => {
    const { queue, take } = setUp();
    queue.add(item('b/c', 'a'));
    queue.add(item('c', 'a/b'));
    queue.add(item('__proto__', '__proto__'));
    expect(await take(9)).toHaveLength(3);
  });

  it('C30: a single item of a quiet cluster waits for one turn, not for 10,000', async () => {
    const { queue, take } = setUp();
    for (let i = 0; i < 10_000; i++) queue.add(item(`bulk-${i}`, 'busy'));
    for (let i = 0; i < 10_000; i++) queue.add(item(`bulk-${i}`, 'busier'));
    await take(3);
    queue.add(item('new', 'quiet'));
    expect(await take(3)).toContain('quiet/new');
  });

  it('C30: fresh items go before resync ones; a resync one that turns fresh goes with them', async () => {
    const { queue, take } = setUp();
    for (const key of ['r1', 'r2', 'r3']) queue.add(item(key), 'resync');
    queue.add(item('f1'));
    queue.add(item('r3'), 'fresh');
    queue.add(item('f1'), 'resync');
    expect(await take(9)).toEqual(['p1/f1', 'p1/r3', 'p1/r1', 'p1/r2']);
  });

  it('urgent items go before all others; one that turns urgent goes with them', async () => {
    const { queue, take } = setUp();
    queue.add(item('r1'), 'resync');
    for (const key of ['f1', 'f2']) queue.add(item(key));
    queue.add(item('u1'), 'urgent');
    queue.add(item('f2'), 'urgent');
    queue.add(item('u1'));
    expect(queue.depth).toBe(4);
    expect(await take(9)).toEqual(['p1/u1', 'p1/f2', 'p1/f1', 'p1/r1']);
  });

  it('each later lane keeps its share, however much comes in the earlier ones', async () => {
    const { queue } = setUp(4);
    for (let i = 0; i < 100; i++) {
      for (const lane of ['urgent', 'fresh', 'resync'] as const) queue.add(item(`${lane}${i}`), lane);
    }
    const lanes: (Lane | undefined)[] = [];
    for (let i = 0; i < 80; i++) lanes.push((await queue.get())?.lane);
    for (let i = 0; i + 5 <= lanes.length; i++) {
      for (const lane of ['urgent', 'fresh', 'resync']) expect(lanes.slice(i, i + 5)).toContain(lane);
    }
    expect(lanes.filter((lane) => lane === 'urgent').length).toBeGreaterThanOrEqual(40);
  });

  it('at least one hand-out in laterShare is a resync one while any wait', async () => {
    const { queue } = setUp(4);
    for (let i = 0; i < 100; i++) {
      queue.add(item(`f${i}`));
      queue.add(item(`r${i}`), 'resync');
    }
    const lanes: Lane[] = [];
    for (let i = 0; i < 80; i++) lanes.push((await queue.get())?.lane ?? 'fresh');
    for (let i = 0; i + 4 <= lanes.length; i++) expect(lanes.slice(i, i + 4)).toContain('resync');
    expect(lanes.filter((lane) => lane === 'fresh')).toHaveLength(60);
  });

  it('an item added again while worked on waits in the earlier of the lanes it was added in', async () => {
    const { queue } = setUp();
    queue.add(item('a'));
    await queue.get();
    queue.add(item('a'), 'resync');
    expect(queue.laneOf(item('a'))).toBe('resync');
    queue.add(item('a'), 'fresh');
    queue.add(item('a'), 'resync');
    queue.done(item('a'));
    expect(await queue.get()).toMatchObject({ key: 'a', lane: 'fresh' });
    expect(queue.laneOf(item('a'))).toBeUndefined();
  });

  it('serves waiting workers in the order that they came', async () => {
    const { queue } = setUp();
    const waiting = [queue.get(), queue.get()];
    queue.add(item('a'));
    queue.add(item('b'));
    expect(names(await Promise.all(waiting))).toEqual(['p1/a', 'p1/b']);
  });

  it('a worker that stops waiting takes nothing with it, and leaves no listener', async () => {
    const { queue, take } = setUp();
    const stop = new AbortController();
    const waiting = queue.get(stop.signal);
    stop.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(queue.get(stop.signal)).rejects.toThrow('stop');
    queue.add(item('a'));
    expect(await take(1)).toEqual(['p1/a']);

    const life = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = life.signal;
    life.signal.addEventListener = (...call: Parameters<typeof addEventListener>) => (
      listeners++,
      addEventListener.apply(life.signal, call)
    );
    life.signal.removeEventListener = (...call: Parameters<typeof removeEventListener>) => (
      listeners--,
      removeEventListener.apply(life.signal, call)
    );
    const served = queue.get(life.signal);
    expect(listeners).toBe(1);
    queue.add(item('b'));
    await served;
    expect(listeners).toBe(0);
  });

  it('refuses a done for what no worker has', async () => {
    const { queue } = setUp();
    queue.add(item('a'));
    expect(() => queue.done(item('a'))).toThrow('with no worker');
    await queue.get();
    queue.done(item('a'));
    expect(() => queue.done(item('a'))).toThrow('with no worker');
  });

  it('withdraw takes back what was added since the hand-out', async () => {
    const { queue } = setUp();
    expect(queue.withdraw(item('a'))).toBeUndefined();
    queue.add(item('a'), 'resync');
    expect(queue.withdraw(item('a'))).toBe('resync');
    expect(queue.depth).toBe(0);
    queue.add(item('a'));
    await queue.get();
    expect(queue.withdraw(item('a'))).toBeUndefined();
    queue.add(item('a'));
    expect(queue.withdraw(item('a'))).toBe('fresh');
    queue.done(item('a'));
    expect(queue.depth).toBe(0);
  });

  it('drops a cluster: nothing of it waits any more, in no lane, not even after its worker is done', async () => {
    const { queue, take } = setUp();
    queue.add(item('a'));
    await queue.get();
    queue.add(item('a'));
    queue.add(item('b'));
    queue.add(item('c'), 'resync');
    queue.add(item('d', 'p2'));
    queue.drop('p1');
    queue.done(item('a'));
    expect(queue.depth).toBe(1);
    expect(await take(9)).toEqual(['p2/d']);
  });

  describe('shutdown', () => {
    it('drop: workers that wait and that come get nothing; what they hold they finish', async () => {
      const { queue } = setUp();
      queue.add(item('a'));
      queue.add(item('b'));
      await queue.get();
      queue.add(item('a'));
      queue.shutdown();
      queue.add(item('c'));
      expect(queue.depth).toBe(0);
      expect(await queue.get()).toBeUndefined();
      queue.done(item('a'));
      expect(await queue.get()).toBeUndefined();
    });

    it('drain: what waits is handed out, what comes is not', async () => {
      const { clock, queue } = setUp();
      queue.add(item('a'));
      await queue.get();
      queue.add(item('a'));
      queue.add(item('b'));
      queue.shutdown('drain');
      queue.add(item('c'));
      expect(names([await queue.get()])).toEqual(['p1/b']);
      queue.done(item('b'));
      const last = [queue.get(), queue.get()];
      await clock.settle();
      queue.done(item('a'));
      expect(names([await (last[0] as Promise<WorkItem>)])).toEqual(['p1/a']);
      queue.done(item('a'));
      expect(await queue.get()).toBeUndefined();
      expect(await last[1]).toBeUndefined();
    });
  });
});
