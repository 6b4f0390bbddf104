import type { JsonValue } from '@lifeline/core';
import { parseJson } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { absent, containing, exactly, mismatches, type Pattern, present } from './pattern.ts';

type Row = readonly [what: string, value: JsonValue | undefined, pattern: Pattern, faults: string[]];

const rows = (of: readonly Row[]) => of.map(([what, value, pattern, faults]) => ({ what, value, pattern, faults }));

describe('mismatches', () => {
  it.each(
    rows([
      ['equal values', { a: 1 }, { a: 1 }, []],
      ['more members', { a: 1, b: 2 }, { a: 1 }, []],
      ['a missing member', {}, { a: 1 }, ['a: expected 1, got nothing']],
      ['another value, with its path', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a[0].b: expected 2, got 1']],
      ['a longer list', { a: [1, 2] }, { a: [1] }, ['a: expected [1], got [1,2]']],
      ['a regular expression', 'abc', /^b/, ['expected /^b/, got "abc"']],
      ['a number for a string', 5, /5/, ['expected /5/, got 5']],
      ['absent, and it is there', { a: null }, { a: absent }, ['a: expected nothing, got null']],
      ['absent, and it is not', {}, { a: absent, b: undefined }, []],
      ['present, and it is not', {}, { a: present }, ['a: expected something, got nothing']],
      ['a key of a prototype', {}, { constructor: present }, ['constructor: expected something, got nothing']],
      ['exactly, in another order', { a: { c: 1, b: 2 } }, { a: exactly({ b: 2, c: 1 }) }, []],
      [
        'exactly, with more',
        { a: { b: 2, c: 1 } },
        { a: exactly({ b: 2 }) },
        ['a: expected exactly {"b":2}, got {"b":2,"c":1}'],
      ],
      ['containing', [1, 2, 3], containing(3, 1), []],
      ['containing, but not', [{ a: 1 }], containing({ a: 2 }), ['no item {"a":2} (nearest: a: expected 2, got 1)']],
    ]),
  )('$what', ({ value, pattern, faults }) => {
    expect(mismatches(value, pattern)).toEqual(faults);
  });

  it('compares numbers as they are written', () => {
    expect(mismatches(parseJson('1.0'), 1)).toHaveLength(1);
    expect(mismatches(parseJson('9007199254740993'), parseJson('9007199254740993'))).toEqual([]);
    expect(mismatches(parseJson('9007199254740993'), parseJson('9007199254740992'))).toHaveLength(1);
  });
});
