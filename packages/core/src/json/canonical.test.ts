import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb, reordered, stringArb } from './arbitrary.ts';
import { canonicalJson } from './canonical.ts';
import { deepEqual } from './equal.ts';
import { maxDepth } from './depth.ts';
import { parseJson } from './parse.ts';
import { JsonNumber } from './value.ts';

const nested = (levels: number): unknown => {
  let value: unknown = {};
  for (let i = 1; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
};

/** `JSON.stringify` would write this one wrongly, so all of it takes the long way. */
const outOfOrder = (value: unknown): unknown => ({ z: 0, a: value });

describe('canonicalJson', () => {
  it.each<{ name: string; value: unknown; want: string }>([
    { name: 'scalars', value: [null, true, false, 0, -1.5, 'a'], want: '[null,true,false,0,-1.5,"a"]' },
    { name: 'empty containers', value: { a: {}, b: [] }, want: '{"a":{},"b":[]}' },
    {
      name: 'keys in order, at every level',
      value: { b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] },
      want: '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    },
    {
      name: 'integer-like keys as text',
      value: { 443: 1, 80: 2, 8080: 3, a: 4, '': 5 },
      want: '{"":5,"443":1,"80":2,"8080":3,"a":4}',
    },
    {
      name: '__proto__ and its kin',
      value: parseJson('{"constructor":1,"__proto__":{"b":1,"a":2}}'),
      want: '{"__proto__":{"a":2,"b":1},"constructor":1}',
    },
    {
      name: 'undefined members left out',
      value: { b: undefined, a: 1, c: [{ d: undefined }] },
      want: '{"a":1,"c":[{}]}',
    },
    {
      name: 'numbers as written',
      value: parseJson('[1.0,1e21,-0,9007199254740993,1E400,5,0.1]'),
      want: '[1.0,1e21,-0,9007199254740993,1E400,5,0.1]',
    },
    {
      name: 'plain numbers as ECMAScript prints them',
      value: [1e21, 1e-7, 2 ** 53, -0, 100],
      want: '[1e+21,1e-7,9007199254740992,0,100]',
    },
    {
      name: 'lone surrogates as escapes',
      value: { '\udc00': 'a\ud800b', x: '\u{1f600}' },
      want: '{"x":"\u{1f600}","\\udc00":"a\\ud800b"}',
    },
    { name: 'no prototype', value: Object.assign(Object.create(null), { b: 1, a: 2 }), want: '{"a":2,"b":1}' },
    // RFC 8785 section 3.2.3
    {
      name: 'the order of RFC 8785: UTF-16 code units, not code points',
      value: parseJson(
        '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      ),
      want: '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    },
    // RFC 8785 section 3.2.2, its numbers aside
    {
      name: 'the escapes of RFC 8785',
      value: parseJson(
        '{"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      ),
      want: '{"literals":[null,true,false],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    },
    {
      name: 'every control character',
      value: '\u0000\b\t\n\u000b\f\r\u001f\u007f\u2028',
      want: '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u007f\u2028"',
    },
  ])('$name', ({ value, want }) => {
    expect(canonicalJson(value)).toBe(want);
    expect(canonicalJson(outOfOrder(value))).toBe(`{"a":${want},"z":0}`);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['NaN', { a: NaN }],
    ['an infinity', [{ b: 1, a: -Infinity }]],
    ['undefined in an array', [1, undefined]],
    ['a hole in an array', new Array(2)],
    ['a function', { a: () => 1 }],
    ['a symbol', [Symbol('x')]],
    ['a bigint', { a: 1n }],
    ['a Date', { at: new Date(0) }],
    ['a Map', { b: new Map(), a: 1 }],
  ])('refuses %s', (_, value) => {
    const refusal = expect.objectContaining({ name: 'JsonError', code: 'unsupported' });
    expect(() => canonicalJson(value)).toThrow(refusal);
    expect(() => canonicalJson(outOfOrder([value]))).toThrow(refusal);
  });

  it('writes 1000 levels and refuses more, in order or not, and cycles', () => {
    for (const sibling of [{}, { b: 1, a: 2 }]) {
      expect(canonicalJson([sibling, nested(maxDepth)])).toHaveLength(
        canonicalJson(sibling).length + canonicalJson(nested(maxDepth)).length + 3,
      );
      expect(() => canonicalJson([sibling, nested(maxDepth + 1)])).toThrow(
        expect.objectContaining({ code: 'too-deep' }),
      );
      const cycle: unknown[] = [sibling];
      cycle.push(cycle);
      expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ code: 'too-deep' }));
    }
  });

  it('parses back to the same content, and is its own canonical text', () => {
    fc.assert(
      fc.property(jsonArb, (value) => {
        const text = canonicalJson(value);
        const parsed = parseJson(text);
        expect(deepEqual(parsed, value)).toBe(true);
        expect(canonicalJson(parsed)).toBe(text);
      }),
      { seed: 311, numRuns: 2000 },
    );
  });

  it('equal content is equal text, whatever the order of keys', () => {
    fc.assert(
      fc.property(jsonArb, fc.nat(9000), (value, seed) => {
        expect(canonicalJson(reordered(value, seed))).toBe(canonicalJson(value));
      }),
      { seed: 312, numRuns: 2000 },
    );
  });

  it('keeps every string, well-formed or not, in pure UTF-8', () => {
    fc.assert(
      fc.property(stringArb, (string) => {
        for (const value of [{ [string]: string }, outOfOrder({ [string]: string })]) {
          const text = canonicalJson(value);
          expect(text.isWellFormed()).toBe(true);
          expect(parseJson(text)).toEqual(value);
        }
      }),
      { seed: 313, numRuns: 1000 },
    );
  });

  it('shows a change of the last digit', () => {
    const text = (bytesIn: string): string => canonicalJson({ bytesIn: new JsonNumber(bytesIn) });
    expect(text('9223372036854775807')).not.toBe(text('9223372036854775806'));
  });
});
