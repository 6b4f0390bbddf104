import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fifo, type FifoNode } from './fifo.ts';

interface Node extends FifoNode<Node> {
  readonly id: number;
}

const node = (id: number): Node => ({ id, previous: undefined, next: undefined });

describe('Fifo', () => {
  it('behaves as an array that members may leave from the middle', () => {
    const op = fc.oneof(
      fc.constant({ type: 'push' as const }),
      fc.constant({ type: 'shift' as const }),
      fc.record({ type: fc.constant('remove' as const), which: fc.nat() }),
      fc.record({ type: fc.constant('requeue' as const), which: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 60, size: 'max' }), (ops) => {
        const fifo = new Fifo<Node>();
        const model: Node[] = [];
        let ids = 0;
        for (const step of ops) {
          switch (step.type) {
            case 'push': {
              const added = node(ids++);
              fifo.push(added);
              model.push(added);
              break;
            }
            case 'shift':
              expect(fifo.shift()).toBe(model.shift());
              break;
            case 'remove':
            case 'requeue': {
              const [member] = model.splice(step.which % Math.max(1, model.length), 1);
              if (!member) break;
              fifo.remove(member);
              if (step.type === 'remove') break;
              fifo.push(member);
              model.push(member);
              break;
            }
          }
          expect(fifo.size).toBe(model.length);
        }
        const rest: Node[] = [];
        for (let next = fifo.shift(); next; next = fifo.shift()) rest.push(next);
        expect(rest).toEqual(model);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
