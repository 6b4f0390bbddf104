import { parseJson, stringifyJson } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { parseYaml, YamlError } from './yaml.ts';

const json = (text: string): string => stringifyJson(parseYaml(text).value);

describe('parseYaml', () => {
  it.each([
    ['', 'null'],
    ['# nothing\n', 'null'],
    ['---\na: 1\n---\nb: [', '{"a":1}'],
    ['a: 1\n...\nb: 2', '{"a":1}'],
    ['a:\nb: ~\nc: Null', '{"a":null,"b":null,"c":null}'],
    ['a: [1, [b], {c: d}]', '{"a":[1,["b"],{"c":"d"}]}'],
    ["{\"a\": \"\\u263a\\x41\", 'b': 'it''s'}", '{"a":"☺A","b":"it\'s"}'],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y\n', '{"a":"x\\ny\\n","b":"x y"}'],
    ['{yes: no, n: on, "yes": "no", T: TRUE}', '{"true":false,"false":true,"yes":"no","T":true}'],
    [
      '{o: 014, p: 0o14, h: 0x1F, b: 0b11, c: -0b11, u: 1_000, s: 1:30}',
      '{"o":12,"p":12,"h":31,"b":3,"c":-3,"u":1000,"s":"1:30"}',
    ],
    [
      '{e: 1e3, f: 1E-3, g: .5, h: 5., i: +5, j: 09.5, k: 08}',
      '{"e":1000,"f":0.001,"g":0.5,"h":5,"i":5,"j":9.5,"k":8}',
    ],
    [
      '{a: 0x, b: 0o8, c: 1e, d: 1.2.3, f: 1.e5, g: 0x1p4, h: 1e400, j: 0b2}',
      '{"a":"0x","b":"0o8","c":"1e","d":"1.2.3","f":100000,"g":"0x1p4","h":"1e400","j":"0b2"}',
    ],
    [
      '[9223372036854775807, 18446744073709551615, -9223372036854775808]',
      '[9223372036854775807,18446744073709551615,-9223372036854775808]',
    ],
    ['[18446744073709551616]', '[18446744073709552000]'],
    [
      '[2026-01-02, 2026-01-02T03:04:05Z, !!timestamp 2026-01-02]',
      '["2026-01-02","2026-01-02T03:04:05Z","2026-01-02"]',
    ],
    ['[!!str 5, !!int "5", !!float 5, !!binary aGk=, !foo x, !!bool yes]', '["5",5,5,"hi","x",true]'],
    ['{1: a, 1.5: b, -0x10: d, 1e3: e}', '{"1":"a","1.5":"b","-16":"d","1000":"e"}'],
    ['a: &q [1]\nb: *q', '{"a":[1],"b":[1]}'],
    ['{<<: {a: 1, b: 2}, a: 3}', '{"a":3,"b":2}'],
    ['{a: 3, <<: {a: 1, b: 2}}', '{"a":1,"b":2}'],
    ['{<<: [{a: 1}, {a: 2, b: 3}]}', '{"a":1,"b":3}'],
    ['{? a : b, c}', '{"a":"b","c":null}'],
    ['{__proto__: {x: 1}}', '{"__proto__":{"x":1}}'],
  ])('%j', (text, want) => {
    expect(parseJson(json(text))).toEqual(parseJson(want));
  });

  it.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: 1\nb: c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ['"x', 'yaml: found unexpected end of stream'],
    ["a: 'x", 'yaml: found unexpected end of stream'],
    ['@x', 'yaml: found character that cannot start any token'],
    ['a:\n\t- b', 'yaml: line 2: found character that cannot start any token'],
    ['a: "\\z"', 'yaml: found unknown escape character'],
    ['a: 1\nb: [1, 2\nc: 3', `yaml: line 2: did not find expected ',' or ']'`],
    ['a: *b', `yaml: unknown anchor 'b' referenced`],
    ['&a {x: 1, y: *a}', `yaml: anchor 'a' value contains itself`],
    ['{<<: 5}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['{~: a}', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'],
    ['{x: .nan}', 'json: unsupported value: NaN'],
    ['{x: -.INF}', 'json: unsupported value: -Inf'],
    ['{x: !!int a}', 'yaml: cannot decode !!str `a` as a !!int'],
  ])('%j is refused: %s', (text, want) => {
    const read = (): unknown => parseYaml(text);
    expect(read).toThrow(YamlError);
    expect(read).toThrow(want);
  });

  it('tells keys that stand twice, by line', () => {
    const { value, repeated } = parseYaml(
      'a: 1\nb:\n  x: 1\n  x:\n    2\na: 3\n{"c": 1, "c": 2}: 1'.split('\n').slice(0, 6).join('\n'),
    );
    expect(value).toEqual({ a: 3, b: { x: 2 } });
    expect(repeated).toEqual(['line 5: key "x" already set in map', 'line 6: key "a" already set in map']);
  });

  it.each([1500, 20_000])('refuses %i levels', (levels) => {
    expect(() => parseYaml('['.repeat(levels) + ']'.repeat(levels))).toThrow('yaml: exceeded max depth');
  });

  it('refuses a small text that blows up', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(',')}]`,
    );
    expect(() => parseYaml(`l0: &l0 [x,x,x,x,x,x,x,x,x]\n${levels.join('\n')}`)).toThrow('excessive aliasing');
  });
});
