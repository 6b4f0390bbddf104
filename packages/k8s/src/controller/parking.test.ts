import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { ClusterNotReadyError } from '../fleet/cluster.ts';
import type { QueueItem } from '../queue/queue-item.ts';
import { Parking } from './parking.ts';

const item = (key: string, cluster = 'p1'): QueueItem => ({ cluster, key });

function setUp(limit?: number): {
  clock: VirtualClock;
  parking: Parking<QueueItem>;
  replayed: string[];
  waiting: Set<() => void>;
  notReady: ClusterNotReadyError;
} {
  const clock = new VirtualClock();
  const replayed: string[] = [];
  const waiting = new Set<() => void>();
  const parking = new Parking<QueueItem>({
    clock,
    limit,
    replay: ({ key }, since) => replayed.push(`${key}@${since}`),
  });
  const notReady = new ClusterNotReadyError('not ready', (wake) => {
    waiting.add(wake);
    return { [Symbol.dispose]: () => void waiting.delete(wake) };
  });
  return { clock, parking, replayed, waiting, notReady };
}

describe('Parking', () => {
  it('replays a request once when it is told, and then waits for nothing', () => {
    const { parking, replayed, waiting, notReady } = setUp();
    parking.park(item('a'), notReady);
    parking.park(item('a'), notReady);
    parking.park(item('b'), notReady);
    expect([parking.size, waiting.size]).toEqual([2, 2]);
    for (const wake of [...waiting]) wake();
    expect(replayed).toEqual(['a@0', 'b@0']);
    expect([parking.size, waiting.size]).toEqual([0, 0]);
  });

  it('takes a call-back from within whenReady', () => {
    const { parking, replayed } = setUp();
    let disposed = 0;
    const atOnce = new ClusterNotReadyError('not ready', (wake) => {
      wake();
      wake();
      return {
        [Symbol.dispose]: () => {
          disposed++;
        },
      };
    });
    expect(parking.park(item('a'), atOnce)).toBe(true);
    expect(replayed).toEqual(['a@0']);
    expect([parking.size, disposed]).toEqual([0, 1]);
  });

  it.each<{ name: string; act: (parking: Parking<QueueItem>, clock: VirtualClock) => void; left: number }>([
    { name: 'leaving', act: (parking) => parking.leave(item('a')), left: 2 },
    { name: 'dropping a cluster', act: (parking) => parking.drop('p1'), left: 1 },
    { name: 'disposing', act: (parking) => parking[Symbol.dispose](), left: 0 },
  ])('$name takes the subscription along', ({ act, left }) => {
    const { clock, parking, waiting, notReady } = setUp();
    for (const parked of [item('a'), item('b'), item('a', 'p2')]) parking.park(parked, notReady);
    act(parking, clock);
    expect([parking.size, waiting.size]).toEqual([left, left]);
  });

  it('forgets what nobody has asked for during that time, and only that', async () => {
    const { clock, parking, waiting, notReady } = setUp();
    parking.park(item('a'), notReady);
    parking.park(item('b'), notReady);
    await clock.advance(60);
    parking.park(item('b'), notReady);
    await clock.advance(50);
    parking.expire(100);
    expect([parking.size, waiting.size]).toEqual([1, 1]);
  });

  it('turns away what it has no room for, and takes back what it had', () => {
    const { parking, waiting, notReady } = setUp(2);
    expect(['a', 'b', 'c'].map((key) => parking.park(item(key), notReady))).toEqual([true, true, false]);
    expect(parking.park(item('b'), notReady)).toBe(true);
    expect([parking.size, waiting.size]).toEqual([2, 2]);
  });
});
