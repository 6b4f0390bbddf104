import { JsonNumber, parseJson, stringifyJson } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSyntaxError, membersOf } from './go-json.ts';

const encoder = new TextEncoder();
const errorOf = (text: string): string | undefined => jsonSyntaxError(encoder.encode(text));

describe('jsonSyntaxError', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['   ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['{"a":1,}', `invalid character '}' looking for beginning of object key string`],
    ['{a:1}', `invalid character 'a' looking for beginning of object key string`],
    ['{"a" 1}', `invalid character '1' after object key`],
    ['{"a":tru}', `invalid character '}' in literal true (expecting 'e')`],
    ['{"a":01}', `invalid character '1' after object key:value pair`],
    ['{"a":"\u0001"}', String.raw`invalid character '\x01' in string literal`],
    ['{"a":"\n"}', String.raw`invalid character '\n' in string literal`],
    ['{"a":1}}', `invalid character '}' after top-level value`],
    ['{"a":1} x', `invalid character 'x' after top-level value`],
    ['nul', `invalid character ' ' in literal null (expecting 'l')`],
    [String.raw`{"a":"\x"}`, `invalid character 'x' in string escape code`],
    [String.raw`{"a":"\u12g"}`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['[1 2]', `invalid character '2' after array element`],
    ['[1,]', `invalid character ']' looking for beginning of value`],
    ['{"a":-}', `invalid character '}' in numeric literal`],
    ['-', `invalid character ' ' in numeric literal`],
    ['{"a":1.}', `invalid character '}' after decimal point in numeric literal`],
    ['{"a":1e}', `invalid character '}' in exponent of numeric literal`],
    ['\ufeff{}', `invalid character 'ï' looking for beginning of value`],
    [`{'a':1}`, String.raw`invalid character '\'' looking for beginning of object key string`],
    ['[1"', `invalid character '"' after array element`],
  ])('%j: %s', (text, want) => {
    expect(errorOf(text)).toBe(want);
  });

  it('refuses what is nested too deeply', () => {
    expect(errorOf('['.repeat(2000))).toBe("invalid character '[' exceeded max depth");
    expect(errorOf('['.repeat(1000) + ']'.repeat(1000))).toBeUndefined();
  });

  it('takes every JSON text, and refuses what JSON.parse refuses', () => {
    const valid = fc.json().chain((text) => fc.constantFrom(text, ` ${text}\n`));
    fc.assert(
      fc.property(
        valid,
        fc.nat(),
        fc.constantFrom('', '"', '{', ']', ',', '\\', '0', '-', 'e', '\t'),
        (text, at, insert) => {
          expect(errorOf(text)).toBeUndefined();
          const position = at % (text.length + 1);
          const other = text.slice(0, position) + insert + text.slice(position);
          expect(errorOf(other) === undefined).toBe(isJson(other));
          expect(errorOf(text.slice(0, position)) === undefined).toBe(isJson(text.slice(0, position)));
        },
      ),
      { seed: 411, numRuns: 300 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('membersOf', () => {
  const repeated = (text: string): string[] =>
    membersOf(encoder.encode(text)).flatMap(({ path, repeated }) => (repeated ? [path] : []));

  it.each<[string, string[]]>([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a', 'a']],
    ['{"m":{"n":1,"n":2},"s":{"f":{"a":[{"b":1,"b":2}]}},"s":{"x":3},"m":1}', ['m.n', 's.f.a[0].b', 's', 'm']],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['[{"op":1,"op":2}]', ['[0].op']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    [String.raw`{"k\\":1,"k\\":2}`, ['k\\']],
  ])('%s', (text, want) => {
    expect(repeated(text)).toEqual(want);
  });

  it('finds as many members as there are', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(membersOf(encoder.encode(text))).toHaveLength(count(parseJson(text)));
      }),
      { seed: 411, numRuns: 200 },
    );
  });

  it('is not confused by numbers and white space', () => {
    expect(repeated(stringifyJson({ a: new JsonNumber('1.50e+3') }).replace(':', ' : '))).toEqual([]);
  });
});

const count = (value: unknown): number =>
  typeof value !== 'object' || value === null || value instanceof JsonNumber
    ? 0
    : Object.values(value).reduce<number>(
        (sum, item) => sum + count(item),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      );
