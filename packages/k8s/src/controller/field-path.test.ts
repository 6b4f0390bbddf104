import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFieldPath, isWithin, parseFieldPath } from './field-path.ts';

describe('field paths', () => {
  it.each([
    ['*', []],
    ['data', ['data']],
    ['status.conditions', ['status', 'conditions']],
    [
      'metadata.annotations["networking.datumapis.com/upstream-status"]',
      ['metadata', 'annotations', 'networking.datumapis.com/upstream-status'],
    ],
    ['status.conditions["Ready"].message', ['status', 'conditions', 'Ready', 'message']],
    ['data["a.b"]["c"]', ['data', 'a.b', 'c']],
  ])('%s', (text, path) => {
    expect(parseFieldPath(text)).toEqual(path);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', '["a"]', 'a[b]', 'a["b]', 'a[""]', 'a b', 'a.*', 'a/b'])(
    '"%s" is no path',
    (text) => {
      expect(parseFieldPath(text)).toBeUndefined();
    },
  );

  it('what is formatted parses back', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('"'));
    const path = fc
      .tuple(fc.constantFrom('metadata', 'status', 'spec'), fc.array(name))
      .map(([root, rest]) => [root, ...rest]);
    fc.assert(
      fc.property(path, (names) => {
        expect(parseFieldPath(formatFieldPath(names))).toEqual(names);
      }),
      { seed: 6, numRuns: 500 },
    );
    expect(formatFieldPath([])).toBe('*');
  });

  it('a path is within itself, its ancestors and the whole object, and within nothing else', () => {
    const path = ['status', 'conditions'];
    for (const ancestor of [[], ['status'], ['status', 'conditions']]) expect(isWithin(path, ancestor)).toBe(true);
    for (const other of [['spec'], ['conditions'], ['status', 'conditions', 'Ready']])
      expect(isWithin(path, other)).toBe(false);
  });
});
