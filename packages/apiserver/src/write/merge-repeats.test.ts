import { parseJson, stringifyJson } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf } from './go-json.ts';
import { mergeRepeats } from './merge-repeats.ts';

function merged(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return stringifyJson(mergeRepeats(bytes, membersOf(bytes)));
}

describe('a member that stands again', () => {
  it.each([
    ['{"a":{"x":1},"a":{"y":2}}', '{"a":{"x":1,"y":2}}'],
    ['{"a":{"x":1},"a":{"x":2}}', '{"a":{"x":2}}'],
    ['{"a":1,"a":{"x":1},"a":{"y":{"z":1}},"a":{"y":{"w":2}}}', '{"a":{"x":1,"y":{"z":1,"w":2}}}'],
    ['{"a":{"x":1},"a":null}', '{"a":null}'],
    ['{"a":{"b":1,"b":2},"a":{"c":3,"c":4}}', '{"a":{"b":2,"c":4}}'],
    ['{"a":[{"x":1},{"x":2}],"a":[{"y":3}]}', '{"a":[{"x":1,"y":3}]}'],
    ['{"a":[{"x":1}],"a":[{"y":2},{"y":3}]}', '{"a":[{"x":1,"y":2},{"y":3}]}'],
    ['[{"a":1,"a":2}]', '[{"a":2}]'],
    ['{"__proto__":{"x":1},"__proto__":{"y":2}}', '{"__proto__":{"x":1,"y":2}}'],
    [String.raw`{"é\"":1,"\u00e9\"":2}`, String.raw`{"é\"":2}`],
    ['{"a":1,"a":2,"a#again0":3}', '{"a":2,"a#again0":3}'],
    ['{"1":1,"0":2,"1":3}', '{"0":2,"1":3}'],
    ['{"a":9007199254740993,"a":9007199254740995}', '{"a":9007199254740995}'],
  ])('is read on top of what stood there: %s', (text, want) => {
    expect(merged(text)).toBe(want);
  });

  it('is all that is looked at', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(merged(text))).toEqual(parseJson(text));
      }),
      { seed: 415, numRuns: 300 },
    );
  });
});
