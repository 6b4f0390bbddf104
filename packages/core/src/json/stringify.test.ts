import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb } from './arbitrary.ts';
import { deepEqual } from './equal.ts';
import { parseJson } from './parse.ts';
import { stringifyJson } from './stringify.ts';
import { JsonNumber } from './value.ts';

describe('stringifyJson', () => {
  it('keeps order and digits, leaves undefined members out', () => {
    const text = '{"kind":"Connector","apiVersion":"v1","spec":{"b":1.0,"a":-0,"c":[9223372036854775807,null]}}';
    expect(stringifyJson(parseJson(text))).toBe(text);
    expect(stringifyJson({ b: undefined, a: null })).toBe('{"a":null}');
  });

  it('parses back to the same content', () => {
    fc.assert(
      fc.property(jsonArb, (value) => {
        expect(deepEqual(parseJson(stringifyJson(value)), value)).toBe(true);
      }),
      { seed: 331, numRuns: 2000 },
    );
  });

  it('JSON.stringify alone keeps the digits too', () => {
    expect(JSON.stringify({ a: [new JsonNumber('1.0')] }, null, 1)).toBe('{\n "a": [\n  1.0\n ]\n}');
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['NaN', { spec: { replicas: NaN } }],
    ['an infinity', [1, [Infinity]]],
    ['undefined in an array', { a: [undefined] }],
    ['a function in an array', [() => 1]],
    ['a hole', [[new Array(1)]]],
    ['a bigint', { a: 1n }],
  ])('refuses %s, writes no null for it', (_, value) => {
    expect(() => stringifyJson(value)).toThrow(expect.objectContaining({ name: 'JsonError', code: 'unsupported' }));
  });

  it('refuses a cycle, and what is nested too deeply', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => stringifyJson(cycle)).toThrow(expect.objectContaining({ code: 'unsupported' }));
    const deep = parseJson('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => stringifyJson(deep)).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });
});
