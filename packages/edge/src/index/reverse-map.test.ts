import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReverseMap } from './reverse-map.ts';

it('holds exactly the keys whose last word named a target', () => {
  const name = fc.constantFrom('a', 'b', '__proto__');
  const step = fc.tuple(name, fc.uniqueArray(name, { maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12, size: 'max' }), (steps) => {
      const map = new ReverseMap();
      for (const [key, targets] of steps) map.set(key, targets);
      const last = new Map(steps);
      const pointed = new Set([...last.values()].flat());
      expect(new Set(map.keys())).toEqual(pointed);
      for (const target of ['a', 'b', '__proto__']) {
        const want = [...last].filter(([, targets]) => targets.some((named) => named === target)).map(([key]) => key);
        expect(new Set(map.of(target))).toEqual(new Set(want));
      }
    }),
    { numRuns: 200, seed: 62 },
  );
});
