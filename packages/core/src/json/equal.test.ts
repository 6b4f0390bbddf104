import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb, numberTextArb, reordered } from './arbitrary.ts';
import { canonicalJson } from './canonical.ts';
import { deepEqual } from './equal.ts';
import { sameValue } from './number.ts';
import { parseJson } from './parse.ts';
import { exactNumber, JsonNumber } from './value.ts';

const n = (text: string): JsonNumber => new JsonNumber(text);

describe('deepEqual', () => {
  it.each<[string, unknown, unknown]>([
    ['the order of keys', { a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }],
    ['absent and undefined', { a: 1, b: undefined }, { a: 1, c: undefined }],
    ['JsonNumbers of one text', [n('1.0')], [n('1.0')]],
    ['a JsonNumber and a number of one text', [n('7')], [7]],
    ['zeros that are written alike', [0], [-0]],
    ['own __proto__ members', parseJson('{"__proto__":{"a":1}}'), parseJson('{"__proto__":{"a":1}}')],
    ['with and without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('does not tell apart: %s', (_, a, b) => {
    expect(deepEqual(a, b)).toBe(true);
    expect(deepEqual(b, a)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['integers beyond 2^53', n('9007199254740993'), 9007199254740992],
    ['the last digit', n('9223372036854775807'), n('9223372036854775806')],
    ['1 and 1.0', 1, n('1.0')],
    ['0 and -0 as read', parseJson('0'), parseJson('-0')],
    ['1e21 and 1E21', n('1e21'), n('1E21')],
    ['a number and its text', 1, '1'],
    ['a JsonNumber and its text', n('1.0'), '1.0'],
    ['a JsonNumber and an object that looks like one', n('1.0'), { text: '1.0' }],
    ['null and absent', { a: null }, {}],
    ['null and an object', null, {}],
    ['an array and an object', [], {}],
    ['an array and an object with its items', ['x'], { 0: 'x' }],
    ['lengths', [1], [1, 1]],
    ['an inherited name', parseJson('{"__proto__":{}}'), {}],
    ['an inherited name and another own one', parseJson('{"__proto__":{}}'), { a: 1 }],
    ['an inherited name and an own one', { constructor: 'x' }, {}],
    ['own __proto__ members', parseJson('{"__proto__":{"a":1}}'), parseJson('{"__proto__":{"a":2}}')],
    ['same number of keys, other keys', { a: 1, b: undefined }, { b: 1, a: undefined }],
    ['deep leaves', { a: [{ b: [1, 2, { c: 'x' }] }] }, { a: [{ b: [1, 2, { c: 'y' }] }] }],
  ])('tells apart: %s', (_, a, b) => {
    expect(deepEqual(a, b)).toBe(false);
    expect(deepEqual(b, a)).toBe(false);
  });

  it('is equality of canonical texts', () => {
    const near = fc.tuple(jsonArb, fc.nat(9000)).map(([value, seed]) => [value, reordered(value, seed)] as const);
    const leaf = fc.tuple(
      fc.array(numberTextArb.map(exactNumber), { maxLength: 2 }),
      fc.array(numberTextArb.map(exactNumber), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.oneof(near, leaf, fc.tuple(jsonArb, jsonArb)), ([a, b]) => {
        expect(deepEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
      { seed: 321, numRuns: 3000 },
    );
  });

  it('takes any depth', () => {
    const deep = (leaf: string): unknown => parseJson('[{"a":'.repeat(50_000) + leaf + '}]'.repeat(50_000));
    expect(deepEqual(deep('1.0'), deep('1.0'))).toBe(true);
    expect(deepEqual(deep('1.0'), deep('1'))).toBe(false);
  });
});

describe('sameValue', () => {
  it.each([
    ['1', '1.0'],
    ['10e-1', '0.1e1'],
    ['100', '1e2'],
    ['-0', '0.00e5'],
    ['-1.50', '-15E-1'],
    ['1e400', '10e399'],
    ['9223372036854775807', '9223372036854775807.0'],
    ['1e99999999999999999999', '0.1e100000000000000000000'],
  ])('%s = %s', (a, b) => {
    expect(sameValue(exactNumber(a), exactNumber(b))).toBe(true);
  });

  it.each([
    ['1', '-1'],
    ['1', '10'],
    ['9007199254740993', '9007199254740992'],
    ['9007199254740993', '9007199254740993.1'],
    ['1e400', '1e401'],
    ['0.1', '0.10000000000000001'],
    ['101', '11'],
  ])('%s ≠ %s', (a, b) => {
    expect(sameValue(exactNumber(a), exactNumber(b))).toBe(false);
  });

  it('is quick with long runs of zeros', () => {
    const zeros = '0'.repeat(200_000);
    expect(sameValue(n(`1${zeros}1`), n(`1${zeros}1.0`))).toBe(true);
  });
});
