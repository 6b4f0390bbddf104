import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb, numberTextArb } from './arbitrary.ts';
import { canonicalJson } from './canonical.ts';
import { JsonError } from './error.ts';
import { parseJson, parseJsonBytes } from './parse.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './value.ts';

const n = (text: string): JsonNumber => new JsonNumber(text);

/** Another way to the same result: a reviver that sees the source of every number. Six times slower than ours. */
function reference(text: string): JsonValue {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: JsonValue, context: { source?: string }) => JsonValue,
  ) => JsonValue;
  return parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? n(source) : value,
  );
}

function errorOf(run: () => unknown): JsonError {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseJson', () => {
  const plain = [
    '0',
    '7',
    '-7',
    '0.1',
    '-1.5',
    '3.14159',
    '1e-7',
    '1e+21',
    '123456789012345',
    '9007199254740991',
    '5e-324',
    '-5e-324',
  ];
  const exact = [
    ...['-0', '1.0', '0.0', '-0.0', '1e21', '1E5', '1e5', '0.1e1', '0.10', '1e400', '-1e400', '1e-400', '1E+21'],
    ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '18446744073709551615', '9'.repeat(400)],
    ...['0.30000000000000001', '1e0', '100e-2', '4.9e-324', '2.2250738585072011e-308'],
  ];

  it.each(plain)('%s is a plain number, wherever it stands', (text) => {
    const value = Number(text);
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`[${text}]`)).toEqual([value]);
    expect(parseJson(`{"a": ${text} , "b":\n${text}}`)).toEqual({ a: value, b: value });
    expect(parseJson(`{"exact": 1.0, "a": [${text}]}`)).toEqual({ exact: n('1.0'), a: [value] });
  });

  it.each(exact)('%s keeps its text, wherever it stands', (text) => {
    const value = n(text);
    expect(parseJson(text)).toEqual(value);
    expect(parseJson(` ${text}\n`)).toEqual(value);
    expect(parseJson(`[${text}]`)).toEqual([value]);
    expect(parseJson(`[\t${text}\r\n,1,${text} ]`)).toEqual([value, 1, value]);
    expect(parseJson(`{"a":${text},"b": ${text}}`)).toEqual({ a: value, b: value });
    expect(parseJson(`{"a":{"b":[[{"c":${text}}]]}}`)).toEqual({ a: { b: [[{ c: value }]] } });
    expect(Object.isFrozen(parseJson(text))).toBe(true);
  });

  it('leaves numbers in strings and keys alone', () => {
    const strings = [
      '1.0',
      ':1.0,',
      '[1.0]',
      '"1.0"',
      '",1.0,"',
      '\\":1.0,',
      '\\\\',
      'a\\',
      '\\\\":-0}',
      '9007199254740993',
    ];
    for (const text of strings) {
      const value = { [text]: text, list: [text, { [text]: [text] }] };
      expect(parseJson(JSON.stringify(value))).toEqual(value);
      expect(parseJson(JSON.stringify([1.5, value, value]).replace('1.5', '1.0'))).toEqual([n('1.0'), value, value]);
    }
  });

  it('keeps keys as data: __proto__, constructor, integer-like ones', () => {
    for (const number of ['1', '1.0']) {
      const parsed = parseJson(
        `{"__proto__": {"x": ${number}}, "constructor": {"prototype": {"y": ${number}}}, "443": ${number}}`,
      ) as JsonObject;
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      expect(Object.keys(parsed)).toEqual(['443', '__proto__', 'constructor']);
      expect(canonicalJson(parsed)).toBe(
        `{"443":${number},"__proto__":{"x":${number}},"constructor":{"prototype":{"y":${number}}}}`,
      );
      expect(({} as JsonObject).x).toBeUndefined();
    }
    const direct = parseJson('{"__proto__": 1.0}');
    expect(Object.getOwnPropertyDescriptor(direct, '__proto__')?.value).toEqual(n('1.0'));
  });

  it.each(['\n', '"', '\\', '\ud800', 'a\nb', '\ue000', '\ue0000', '<'])(
    '%j is that key, whatever V8 has seen before',
    (key) => {
      const spelled = `"${Array.from({ length: key.length }, (_, at) => `\\u${key.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
      for (const written of [JSON.stringify(key), spelled]) {
        // What V8 remembers: a key that is as long as ours and is written as ours begins.
        const like = JSON.stringify(written.slice(1, 1 + key.length));
        JSON.parse(`{"first":[],${like}:0}`);
        for (const number of ['1', '1.0']) {
          const parsed = parseJson(`{"first":1,${written} : [${number}],"10":{${written}:2}}`) as JsonObject;
          expect(Object.entries(parsed)).toEqual([
            ['10', { [key]: 2 }],
            ['first', 1],
            [key, [number === '1' ? 1 : n('1.0')]],
          ]);
        }
      }
    },
  );

  it.each([
    ['{"\\u0061":1,"a":2,"\\u0061":3}', { a: 3 }],
    ['{"\\n":1,"b":2,"\\u000a":3}', { '\n': 3, b: 2 }],
    ['{"\ue000":1,"\\ue000":2,"\\n":3}', { '\ue000': 2, '\n': 3 }],
    ['{"\ue0000":1,"\\n":2}', { '\ue0000': 1, '\n': 2 }],
    ['{"\\u005f_proto__":{"\\n":1}}', { ['__proto__']: { '\n': 1 } }],
    ['{"a":"\\\\\\":\\n","\\t":"\\":"}', { a: '\\":\n', '\t': '":' }],
  ])('takes the last of keys that are spelled differently: %s', (text, want) => {
    expect(parseJson(text)).toEqual(want);
    expect(Object.keys(parseJson(text) as JsonObject)).toEqual(Object.keys(want));
  });

  it.each([
    ['{"a":1.0,"a":1}', { a: 1 }],
    ['{"a":1,"a":1.0}', { a: n('1.0') }],
    ['{"a":{"b":1.0},"a":{"b":2.0}}', { a: { b: n('2.0') } }],
    ['{"a":{"b":1.0},"a":{"c":1}}', { a: { c: 1 } }],
    ['{"a":5e-324,"a":2.0,"b":1e-323}', { a: n('2.0'), b: 1e-323 }],
  ])('takes the last of equal keys: %s', (text, want) => {
    expect(parseJson(text)).toEqual(want);
  });

  it('takes any depth', () => {
    for (const inner of ['1', '1.0']) {
      let value = parseJson('[{"a":'.repeat(50_000) + inner + '}]'.repeat(50_000));
      for (let i = 0; i < 50_000; i++) value = ((value as JsonObject[])[0] as JsonObject).a as JsonValue;
      expect(value).toEqual(inner === '1' ? 1 : n('1.0'));
    }
  });

  it('reads what was written', () => {
    fc.assert(
      fc.property(jsonArb, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(isDeepStrictEqual(parseJson(text), value)).toBe(true);
      }),
      { seed: 301, numRuns: 2000 },
    );
  });

  it('keeps the text of every number', () => {
    fc.assert(
      fc.property(fc.array(numberTextArb), fc.constantFrom('', ' ', '\n  '), (texts, space) => {
        const parsed = parseJson(`{"n":${space}[${space}${texts.join(`${space},${space}`)}${space}]}`) as {
          n: (number | JsonNumber)[];
        };
        expect(parsed.n.map(String)).toEqual(texts);
      }),
      { seed: 302, numRuns: 2000 },
    );
  });
});

describe('parseJson of what is no JSON', () => {
  it.each([
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['{"a":1.0', 8],
    ['{"a":"b', 5],
    ['[1,', 3],
    ['[1,]', 3],
    ['[,1]', 1],
    ['{,}', 1],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['{1.0:2}', 1],
    ['{"a" 1}', 5],
    ['{"a":1]', 6],
    ['[1.0}', 4],
    ['[1 2]', 3],
    ['{}{}', 2],
    ['[1.0] x', 6],
    ['[01.0]', 1],
    ['[1.]', 1],
    ['[.5]', 1],
    ['[+1.0]', 1],
    ['[-]', 1],
    ['[1e]', 1],
    ['[1.0.0]', 1],
    ['[1.0-1]', 1],
    ['[- 1.0]', 1],
    ['[NaN]', 1],
    ['[Infinity]', 1],
    ['nul', 0],
    ['truex', 0],
    ['["a\nb"]', 1],
    ['["\\x"]', 1],
    ['["\\u12g4"]', 1],
    ["['a']", 1],
    ['\ufeff{}', 0],
    ['\u00a0{}', 0],
    ['[1.0,\u00a02]', 5],
  ])('%j stops being JSON at %i', (text, offset) => {
    const error = errorOf(() => parseJson(text));
    expect({ code: error.code, offset: error.offset }).toEqual({ code: 'invalid', offset });
  });

  it('says where, and quotes one character at most', () => {
    expect(errorOf(() => parseJson('{"password": secret}')).message).toBe(
      'invalid: not JSON: unexpected "s" at offset 13 of 20',
    );
    expect(errorOf(() => parseJson('{"password": 1.0')).message).toBe(
      'invalid: not JSON: unexpected end at offset 16 of 16',
    );
    expect(errorOf(() => parseJson('{"password": secret}')).cause).toBeUndefined();
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const broken = fc.tuple(
      jsonArb,
      fc.nat(),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '0', '.', 'e', '-', ' ', '1.0'),
      fc.nat(2),
    );
    fc.assert(
      fc.property(broken, ([value, at, insert, cut]) => {
        const whole = canonicalJson(value);
        const from = at % (whole.length + 1);
        const text = whole.slice(0, from) + insert + whole.slice(from + cut);
        if (isJson(text)) {
          expect(isDeepStrictEqual(parseJson(text), reference(text))).toBe(true);
        } else {
          const { code, offset } = errorOf(() => parseJson(text));
          expect(code).toBe('invalid');
          // What stands before the offset is JSON, or ends too early and has no other fault.
          const before = text.slice(0, offset);
          if (!isJson(before)) expect(errorOf(() => parseJson(before)).offset).toBe(offset);
        }
      }),
      { seed: 303, numRuns: 3000 },
    );
  });

  it('ends with an error, not a full stack, on 100,000 open brackets', () => {
    expect(errorOf(() => parseJson('['.repeat(100_000))).offset).toBe(100_000);
    expect(errorOf(() => parseJson(`{"s":1.0,"t":"${'\\n'.repeat(1_000_000)}`)).offset).toBe(13);
  });
});

describe('parseJsonBytes', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('reads UTF-8, with or without a byte order mark', () => {
    expect(parseJsonBytes(bytes('{"é":[1.0,"\u{1f600}"]}'))).toEqual({ é: [n('1.0'), '\u{1f600}'] });
    expect(parseJsonBytes(bytes('\ufeff[1]'))).toEqual([1]);
  });

  it.each([
    ['a byte alone', [0x22, 0xff, 0x22]],
    ['half a character', [0x22, 0xc3, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('refuses %s instead of inventing characters', (_, list) => {
    expect(errorOf(() => parseJsonBytes(Uint8Array.from(list))).code).toBe('not-utf8');
  });
});
