import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testPlane, widget } from '../plane.fixture.ts';
import { Follower } from './follower.fixture.ts';

const path = '/apis/example.com/v1/widgets';
const selectors = ['', 'fieldSelector=spec.color%3Dred', 'labelSelector=warm', 'fieldSelector=metadata.name%3Da'];

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constant('put'), fc.constantFrom('a', 'b', 'c'), fc.constantFrom('red', 'blue')),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('remove'), fc.constantFrom('a', 'b', 'c')) },
  { weight: 2, arbitrary: fc.constantFrom(['compact'], ['freeze'], ['thaw'], ['cut']) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('catch up'), fc.nat({ max: 3 })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('begin'), fc.nat({ max: 3 }), fc.boolean()) },
);

describe('list and watch', () => {
  /**
   * 1. What is added was unknown, what is modified or deleted was known, and no object goes back in time: whenever a client looks.
   * 2. When all is quiet, every copy is what its selector selects.
   */
  it('keep copies that are true, through compactions, lagging caches and cut connections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), async (steps) => {
        const plane = testPlane();
        const { store, view } = plane.server;
        const followers = selectors.map((selector) => new Follower(plane, path, selector));
        for (const follower of followers) await follower.begin(false);
        for (const [what, ...args] of steps) {
          const [name, color] = args as string[];
          if (what === 'put') {
            plane.put(
              widget,
              { name: name ?? '', labels: color === 'red' ? { warm: '' } : {} },
              { spec: { color: color ?? '' } },
            );
          } else if (what === 'remove') {
            if (store.get(widget.id, { namespace: 'default', name: name ?? '' })) plane.remove(widget, name ?? '');
          } else if (what === 'compact') store.compact();
          else if (what === 'freeze') view.freeze(widget.id);
          else if (what === 'thaw') view.thaw();
          else if (what === 'cut') view.watches.end(undefined, new Error('cut'));
          else if (what === 'catch up') await followers[args[0] as number]?.catchUp();
          else await followers[args[0] as number]?.begin(args[1] as boolean);
        }
        view.thaw();
        for (const [index, follower] of followers.entries()) {
          // Twice: the first may find that it has to begin anew.
          await follower.catchUp();
          await follower.catchUp();
          const { body } = await plane.ask(`${path}?${selectors[index]}`);
          const items = body.items as { metadata: { name: string; resourceVersion: string } }[];
          expect(follower.complaints).toEqual([]);
          expect([...follower.copy].sort()).toEqual(
            items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
          );
          await follower.stop();
        }
        expect([plane.clock.pending, view.watches.size]).toEqual([0, 0]);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
