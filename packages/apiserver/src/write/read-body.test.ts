import { JsonNumber, type JsonValue, parseJson, stringifyJson } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asGoStores } from './body-value.ts';
import { DecodeError } from './decode-error.ts';
import { duplicateFlaws, readJsonBody, readYamlBody } from './read-body.ts';

const encoder = new TextEncoder();
const read = (text: string) => readJsonBody(encoder.encode(text));

describe('readJsonBody', () => {
  it.each([
    ['{"a":1}', []],
    ['{"a":"\\":","b":{"c\\\\":1}}', []],
    ['{"a" : 1, "b" :2}', []],
    ['{"a":{"b":1,"b":2},"a":3}', ['duplicate field "a.b"', 'duplicate field "a"']],
    ['{"a":"{\\"x\\":1,\\"x\\":2}"}', []],
    ['{"k\\\\":1,"k\\\\":2}', ['duplicate field "k\\"']],
  ])('repeated keys of %s', (text, want) => {
    expect(duplicateFlaws(read(text))).toEqual(want);
  });

  it('never takes a text without repeats for one with, nor looks at one closely without need', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(read(text).members).toBeUndefined();
      }),
      { seed: 411, numRuns: 300 },
    );
  });

  it('takes what is no UTF-8 with replacement characters, and no byte order mark', () => {
    expect(readJsonBody(new Uint8Array([0x22, 0xff, 0x22])).value).toBe('\ufffd');
    expect(() => read('\ufeff{}')).toThrow("invalid character 'ï' looking for beginning of value");
  });

  it.each([
    [String.raw`"\ud800"`, '\ufffd'],
    [String.raw`"a\uDC00b"`, 'a\ufffdb'],
    [String.raw`"\ud83d\ude00"`, '😀'],
    [String.raw`"\ud800\ud800\udc00\udc00"`, '\ufffd𐀀\ufffd'],
    [String.raw`"\\ud800"`, String.raw`\ud800`],
    [String.raw`"\\\ud800\u0041"`, '\\\ufffdA'],
  ])('halves of surrogate pairs: %s', (text, want) => {
    expect(read(text).value).toBe(want);
  });

  it('refuses what is nested too deeply', () => {
    expect(read('['.repeat(1000) + ']'.repeat(1000)).value).toHaveLength(1);
    expect(() => read('['.repeat(1002) + ']'.repeat(1002))).toThrow(DecodeError);
  });
});

describe('readYamlBody', () => {
  it('tells repeated keys as one flaw of several lines', () => {
    expect(readYamlBody(encoder.encode('a: 1\nb: 2\na: 3\nb: 4')).yamlFlaw).toBe(
      'yaml: unmarshal errors:\n  line 3: key "a" already set in map\n  line 4: key "b" already set in map',
    );
    expect(() => readYamlBody(encoder.encode('a: b: c'))).toThrow(DecodeError);
  });
});

describe('readYamlBody of JSON', () => {
  it('is what YAML makes of it', () => {
    const yaml = (text: string) => readYamlBody(encoder.encode(text));
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (json) => {
        const text = `{"a":${json}}`;
        // A blank in front takes it past the short cut.
        expect(asGoStores(yaml(text).value)).toEqual(asGoStores(yaml(` ${text}`).value));
      }),
      { seed: 411, numRuns: 300 },
    );
    expect(yaml('{"a":1e400}').value).toEqual({ a: '1e400' });
    expect(yaml('{"a":1,"a":2}').yamlFlaw).toContain('key "a" already set in map');
    expect(yaml('{a: yes}').value).toEqual({ a: true });
  });
});

describe('asGoStores', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9223372036854775808', '9223372036854776000'],
    ['18446744073709551615', '18446744073709552000'],
    ['123456789012345678901234567890', '1.2345678901234568e+29'],
    ['1e2', '100'],
    ['2.0', '2'],
    ['1E3', '1000'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0.10', '0.1'],
    ['1e21', '1e+21'],
    ['1e20', '100000000000000000000'],
    ['1e-7', '1e-7'],
    ['0.0000001', '1e-7'],
    ['0.000001', '0.000001'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ])('%s is written %s', (sent, stored) => {
    const deep = parseJson(`{"a":[${sent}],"b":${sent}}`);
    expect(stringifyJson(asGoStores(deep))).toBe(`{"a":[${stored}],"b":${stored}}`);
  });

  it('refuses what no double holds', () => {
    expect(() => asGoStores(parseJson('[1e400]'))).toThrow(
      'json: cannot unmarshal number 1e400 into Go value of type float64',
    );
  });

  it('is done after once, keeps what it need not change, and __proto__', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.bigInt({ max: 2n ** 70n }).map(String),
    );
    fc.assert(
      fc.property(fc.array(number), (texts) => {
        const value = parseJson(`{"__proto__":[${texts.join(',')}],"same":{"x":[]}}`) as Record<string, JsonValue>;
        const stored = asGoStores(value) as Record<string, JsonValue>;
        expect(asGoStores(parseJson(stringifyJson(stored)))).toEqual(stored);
        expect(stored['same']).toBe(value['same']);
        expect(Object.keys(stored)).toEqual(['__proto__', 'same']);
      }),
      { seed: 411, numRuns: 200 },
    );
    const plain = { a: [1, 'x', null, { b: 1.5 }] };
    expect(asGoStores(plain)).toBe(plain);
    expect(asGoStores(new JsonNumber('9007199254740993'))).toEqual(new JsonNumber('9007199254740993'));
  });
});
