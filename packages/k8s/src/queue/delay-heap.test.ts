import { monotonicMs } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayHeap, type HeapNode } from './delay-heap.ts';

describe('DelayHeap', () => {
  it('keeps the soonest first, equal ones by arrival, however members move and leave', () => {
    const op = fc.oneof(
      fc.record({ type: fc.constant('push' as const), due: fc.nat(20) }),
      fc.record({ type: fc.constant('move' as const), which: fc.nat(), due: fc.nat(20) }),
      fc.record({ type: fc.constant('remove' as const), which: fc.nat() }),
      fc.constant({ type: 'pop' as const }),
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 80, size: 'max' }), (ops) => {
        const heap = new DelayHeap<HeapNode>();
        const model: HeapNode[] = [];
        const soonest = (): HeapNode | undefined => model.toSorted((a, b) => a.due - b.due || a.order - b.order)[0];
        const leave = (node: HeapNode): void => {
          heap.remove(node);
          model.splice(model.indexOf(node), 1);
        };
        for (const step of ops) {
          const member = 'which' in step ? model[step.which % Math.max(1, model.length)] : undefined;
          if (step.type === 'push') {
            const node: HeapNode = { due: monotonicMs(step.due), at: -1, order: -1 };
            heap.push(node);
            model.push(node);
          } else if (step.type === 'move' && member) {
            heap.move(member, monotonicMs(step.due));
          } else if (step.type === 'remove' && member) {
            leave(member);
          } else if (step.type === 'pop') {
            const head = heap.peek();
            if (head) leave(head);
          }
          expect(heap.peek()).toBe(soonest());
          expect(heap.size).toBe(model.length);
        }
      }),
      { seed: 2, numRuns: 400 },
    );
  });
});
