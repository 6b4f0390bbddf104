import { monotonicMs } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import type { HeapNode } from './delay-heap.ts';
import { TimedHeap } from './timed-heap.ts';

interface Node extends HeapNode {
  readonly name: string;
}

const node = (name: string): Node => ({ name, due: monotonicMs(0), at: -1, order: 0 });

function setUp(due: (node: Node) => void = () => undefined): {
  clock: VirtualClock;
  heap: TimedHeap<Node>;
  told: string[];
} {
  const clock = new VirtualClock();
  const told: string[] = [];
  const heap = new TimedHeap<Node>({
    clock,
    due: (one) => {
      told.push(`${one.name} @${clock.monotonic()}`);
      due(one);
    },
  });
  return { clock, heap, told };
}

describe('TimedHeap', () => {
  it('tells of each when its time has come, with one timer; the last time that was set counts', async () => {
    const { clock, heap, told } = setUp();
    const [a, b, c] = [node('a'), node('b'), node('c')];
    heap.set(a, monotonicMs(30));
    heap.set(b, monotonicMs(10));
    heap.set(c, monotonicMs(20));
    heap.set(a, monotonicMs(5));
    heap.set(b, monotonicMs(40));
    expect(clock.pending).toBe(1);
    heap.remove(c, node('never'));
    await clock.advance(100);
    expect(told).toEqual(['a @5', 'b @40']);
    expect([heap.size, clock.pending]).toEqual([0, 0]);
  });

  it('one that is set again while it is told of waits anew; no timer is set in between', async () => {
    const { clock, heap, told } = setUp((one) => heap.set(one, monotonicMs(clock.monotonic() + 10)));
    heap.set(node('a'), monotonicMs(10));
    heap.set(node('b'), monotonicMs(10));
    await clock.advance(25);
    expect(told).toEqual(['a @10', 'b @10', 'a @20', 'b @20']);
    expect(clock.pending).toBe(1);
    heap.clear();
    expect([heap.size, clock.pending]).toEqual([0, 0]);
  });

  it('goes on after one that threw', async () => {
    const { clock, heap, told } = setUp(({ name }) => {
      if (name === 'bad') throw new Error('bad');
    });
    heap.set(node('bad'), monotonicMs(1));
    heap.set(node('a'), monotonicMs(1));
    await expect(clock.advance(1)).rejects.toThrow('bad');
    await clock.advance(1);
    expect(told).toEqual(['bad @1', 'a @1']);
  });
});
