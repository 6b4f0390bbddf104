import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb, keyArb, objectOf } from '../json/arbitrary.ts';
import { canonicalJson } from '../json/canonical.ts';
import { deepEqual } from '../json/equal.ts';
import { deepFreeze } from '../json/freeze.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { applyJsonPatch, type JsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';
import { lookup } from './location.ts';
import { jsonPointer, pointerTokens } from './pointer.ts';

/** Both inputs are frozen: whoever writes to one throws. */
const apply = (document: unknown, patch: unknown): JsonValue =>
  applyJsonPatch(deepFreeze(document), deepFreeze(patch) as JsonPatch);

function failure(document: unknown, patch: unknown): { code: string; index: number } {
  try {
    apply(document, patch);
  } catch (error) {
    if (error instanceof JsonPatchError) return { code: error.code, index: error.index };
    throw error;
  }
  throw new Error('the patch was applied');
}

describe('applyJsonPatch on the examples of RFC 6902, appendix A', () => {
  it.each<{ name: string; document: string; patch: string; want: string }>([
    {
      name: 'A.1 adding an object member',
      document: '{"foo":"bar"}',
      patch: '[{"op":"add","path":"/baz","value":"qux"}]',
      want: '{"baz":"qux","foo":"bar"}',
    },
    {
      name: 'A.2 adding an array element',
      document: '{"foo":["bar","baz"]}',
      patch: '[{"op":"add","path":"/foo/1","value":"qux"}]',
      want: '{"foo":["bar","qux","baz"]}',
    },
    {
      name: 'A.3 removing an object member',
      document: '{"baz":"qux","foo":"bar"}',
      patch: '[{"op":"remove","path":"/baz"}]',
      want: '{"foo":"bar"}',
    },
    {
      name: 'A.4 removing an array element',
      document: '{"foo":["bar","qux","baz"]}',
      patch: '[{"op":"remove","path":"/foo/1"}]',
      want: '{"foo":["bar","baz"]}',
    },
    {
      name: 'A.5 replacing a value',
      document: '{"baz":"qux","foo":"bar"}',
      patch: '[{"op":"replace","path":"/baz","value":"boo"}]',
      want: '{"baz":"boo","foo":"bar"}',
    },
    {
      name: 'A.6 moving a value',
      document: '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
      patch: '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
      want: '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
    },
    {
      name: 'A.7 moving an array element',
      document: '{"foo":["all","grass","cows","eat"]}',
      patch: '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
      want: '{"foo":["all","cows","eat","grass"]}',
    },
    {
      name: 'A.8 testing a value: success',
      document: '{"baz":"qux","foo":["a",2,"c"]}',
      patch: '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
      want: '{"baz":"qux","foo":["a",2,"c"]}',
    },
    {
      name: 'A.10 adding a nested member object',
      document: '{"foo":"bar"}',
      patch: '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
      want: '{"child":{"grandchild":{}},"foo":"bar"}',
    },
    {
      name: 'A.11 ignoring unrecognized elements',
      document: '{"foo":"bar"}',
      patch: '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
      want: '{"baz":"qux","foo":"bar"}',
    },
    {
      name: 'A.14 ~ escape ordering',
      document: '{"/":9,"~1":10}',
      patch: '[{"op":"test","path":"/~01","value":10}]',
      want: '{"/":9,"~1":10}',
    },
    {
      name: 'A.16 adding an array value',
      document: '{"foo":["bar"]}',
      patch: '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
      want: '{"foo":["bar",["abc","def"]]}',
    },
  ])('$name', ({ document, patch, want }) => {
    expect(canonicalJson(apply(parseJson(document), parseJson(patch)))).toBe(want);
  });

  it.each<{ name: string; document: string; patch: string; want: object }>([
    {
      name: 'A.9 testing a value: error',
      document: '{"baz":"qux"}',
      patch: '[{"op":"test","path":"/baz","value":"bar"}]',
      want: { code: 'test-failed', index: 0 },
    },
    {
      name: 'A.12 adding to a nonexistent target',
      document: '{"foo":"bar"}',
      patch: '[{"op":"add","path":"/baz/bat","value":"qux"}]',
      want: { code: 'missing', index: 0 },
    },
    {
      // The example has "op" twice; which of the two a parser keeps is its own choice. The last: as in JSON.parse.
      name: 'A.13 invalid JSON patch document',
      document: '{"foo":"bar"}',
      patch: '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]',
      want: { code: 'missing', index: 0 },
    },
    {
      name: 'A.15 comparing strings and numbers',
      document: '{"/":9,"~1":10}',
      patch: '[{"op":"test","path":"/~01","value":"10"}]',
      want: { code: 'test-failed', index: 0 },
    },
  ])('$name', ({ document, patch, want }) => {
    expect(failure(parseJson(document), parseJson(patch))).toEqual(want);
  });
});

describe('applyJsonPatch', () => {
  const document = { a: [1, 2, 3], b: { c: null }, '': 'empty' };

  it.each<[string, JsonPatchOperation, unknown]>([
    ['add replaces a member', { op: 'add', path: '/b', value: 1 }, { ...document, b: 1 }],
    ['add at the index past the end', { op: 'add', path: '/a/3', value: 4 }, { ...document, a: [1, 2, 3, 4] }],
    ['add before the first', { op: 'add', path: '/a/0', value: 0 }, { ...document, a: [0, 1, 2, 3] }],
    ['add takes null', { op: 'add', path: '/a/-', value: null }, { ...document, a: [1, 2, 3, null] }],
    ['add replaces the whole', { op: 'add', path: '', value: [1] }, [1]],
    ['replace the whole', { op: 'replace', path: '', value: null }, null],
    ['replace null', { op: 'replace', path: '/b/c', value: 1 }, { ...document, b: { c: 1 } }],
    ['replace in an array', { op: 'replace', path: '/a/2', value: 9 }, { ...document, a: [1, 2, 9] }],
    ['the empty key', { op: 'replace', path: '/', value: 1 }, { ...document, '': 1 }],
    ['remove null', { op: 'remove', path: '/b/c' }, { ...document, b: {} }],
    ['test null', { op: 'test', path: '/b/c', value: null }, document],
    ['test the whole', { op: 'test', path: '', value: document }, document],
    ['copy', { op: 'copy', from: '/a', path: '/b/c' }, { ...document, b: { c: [1, 2, 3] } }],
    ['copy into itself', { op: 'copy', from: '', path: '/b/c' }, { ...document, b: { c: document } }],
    [
      'move inside an array: the index counts after the removal',
      { op: 'move', from: '/a/0', path: '/a/2' },
      { ...document, a: [2, 3, 1] },
    ],
    ['move to the end', { op: 'move', from: '/a/0', path: '/a/-' }, { ...document, a: [2, 3, 1] }],
    ['move onto itself', { op: 'move', from: '/a', path: '/a' }, document],
    ['move up', { op: 'move', from: '/b/c', path: '/b' }, { ...document, b: null }],
    ['move to a longer name', { op: 'move', from: '/a', path: '/aa' }, { b: document.b, '': 'empty', aa: [1, 2, 3] }],
  ])('%s', (_, operation, want) => {
    expect(apply(document, [operation])).toEqual(want);
  });

  it.each<[string, string, unknown]>([
    ['no such member to remove', 'missing', { op: 'remove', path: '/x' }],
    ['no such member to replace', 'missing', { op: 'replace', path: '/x', value: 1 }],
    ['no such member to test', 'missing', { op: 'test', path: '/x', value: null }],
    ['no such member to copy', 'missing', { op: 'copy', from: '/x', path: '/y' }],
    ['no such member to move', 'missing', { op: 'move', from: '/x', path: '/x' }],
    ['no parent', 'missing', { op: 'add', path: '/x/y', value: 1 }],
    ['a scalar on the way', 'missing', { op: 'add', path: '/a/0/y', value: 1 }],
    ['null as parent', 'missing', { op: 'add', path: '/b/c/d', value: 1 }],
    ['an index past the end', 'missing', { op: 'add', path: '/a/4', value: 1 }],
    ['an index past the last', 'missing', { op: 'replace', path: '/a/3', value: 1 }],
    ['- where an item must be', 'missing', { op: 'remove', path: '/a/-' }],
    ['a leading zero', 'missing', { op: 'replace', path: '/a/01', value: 1 }],
    ['a negative index', 'missing', { op: 'replace', path: '/a/-1', value: 1 }],
    ['an exponent', 'missing', { op: 'replace', path: '/a/1e0', value: 1 }],
    ['a property of arrays', 'missing', { op: 'test', path: '/a/length', value: 3 }],
    ['an inherited member', 'missing', { op: 'test', path: '/constructor/name', value: 'Object' }],
    ['the prototype', 'missing', { op: 'add', path: '/__proto__/polluted', value: 1 }],
    ['a move below itself', 'invalid', { op: 'move', from: '/b', path: '/b/c' }],
    ['a move of the whole', 'invalid', { op: 'move', from: '', path: '/b' }],
    ['removing the whole', 'invalid', { op: 'remove', path: '' }],
    ['an unknown op', 'invalid', { op: 'merge', path: '/b', value: 1 }],
    ['an op in a list', 'invalid', { op: ['add'], path: '/b', value: 1 }],
    ['no op', 'invalid', { path: '/b' }],
    ['no path', 'invalid', { op: 'remove' }],
    ['a path that is no text', 'invalid', { op: 'remove', path: ['b'] }],
    ['a path that is no pointer', 'invalid', { op: 'remove', path: 'b' }],
    ['a bad escape', 'invalid', { op: 'remove', path: '/b~' }],
    ['no value', 'invalid', { op: 'add', path: '/b' }],
    ['no from', 'invalid', { op: 'copy', path: '/b' }],
    ['no object', 'invalid', null],
    ['a list', 'invalid', []],
  ])('refuses %s: %s', (_, code, operation) => {
    const harmless = { op: 'test', path: '/a/0', value: 1 };
    expect(failure(document, [harmless, operation, harmless])).toEqual({ code, index: 1 });
  });

  it('refuses what is no list of operations', () => {
    expect(failure(document, { op: 'remove', path: '/a' })).toEqual({ code: 'invalid', index: -1 });
  });

  it('says what failed, and no value', () => {
    const patch: JsonPatch = [{ op: 'test', path: '/data/pass~1word', value: 'guess' }];
    expect(() => applyJsonPatch({ data: { 'pass/word': 'secret' } }, patch)).toThrow(
      /^test-failed: operation 0: another value at "\/data\/pass~1word"$/,
    );
  });

  it('test compares numbers by value, and exactly', () => {
    const numbers = parseJson('{"one":1.0,"big":9007199254740993}');
    expect(
      apply(numbers, [{ op: 'test', path: '', value: { big: new JsonNumber('9007199254740993.0'), one: 1 } }]),
    ).toBe(numbers);
    expect(failure(numbers, [{ op: 'test', path: '/big', value: 9007199254740992 }]).code).toBe('test-failed');
  });

  it('shares what a patch does not touch', () => {
    const before = { spec: { a: 1 }, status: { conditions: [{ type: 'Ready' }] } };
    const after = apply(before, [{ op: 'add', path: '/spec/b', value: 2 }]) as typeof before;
    expect(after).toEqual({ spec: { a: 1, b: 2 }, status: before.status });
    expect(after.status).toBe(before.status);
    expect(apply(before, [])).toBe(before);
  });

  it('__proto__ and constructor are members like others', () => {
    const patch = parseJson(`[
      {"op":"add","path":"/__proto__","value":{"polluted":1.0}},
      {"op":"add","path":"/__proto__/more","value":[]},
      {"op":"copy","from":"/__proto__","path":"/a"},
      {"op":"add","path":"/constructor","value":{"prototype":{}}},
      {"op":"add","path":"/constructor/prototype/polluted","value":1}
    ]`);
    const after = apply({}, patch);
    expect(canonicalJson(after)).toBe(
      '{"__proto__":{"more":[],"polluted":1.0},"a":{"more":[],"polluted":1.0},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
    expect(({} as JsonObject).polluted).toBeUndefined();
    expect(canonicalJson(apply(after, [{ op: 'remove', path: '/__proto__' }]))).not.toContain('__proto__');
  });

  it('takes any depth', () => {
    const deep = parseJson('['.repeat(20_000) + ']'.repeat(20_000));
    const after = apply(deep, [{ op: 'add', path: '/0'.repeat(19_999) + '/-', value: 1 }]);
    expect(apply(after, [{ op: 'remove', path: '/0'.repeat(20_000) }])).toSatisfy((value) => deepEqual(value, deep));
  });

  /** The pointers of every location in a document but the whole. */
  const pointersIn = (value: JsonValue, above: readonly (string | number)[] = []): string[] => {
    const below = (token: string | number, child: JsonValue | undefined): string[] => [
      jsonPointer(...above, token),
      ...(child === undefined ? [] : pointersIn(child, [...above, token])),
    ];
    if (isJsonArray(value)) return value.flatMap((item, index) => below(index, item));
    return isJsonObject(value) ? Object.keys(value).flatMap((key) => below(key, value[key])) : [];
  };
  const containerArb = fc
    .oneof(fc.array(jsonArb, { minLength: 1 }), fc.array(fc.tuple(keyArb, jsonArb), { minLength: 1 }).map(objectOf))
    .map((container) => deepFreeze(container));

  it('what is removed, replaced, copied or moved anywhere can be put back, and the rest has not changed', () => {
    fc.assert(
      fc.property(containerArb, fc.nat(), jsonArb, (document, choice, value) => {
        const pointers = pointersIn(document);
        const path = pointers[choice % pointers.length] as string;
        const text = canonicalJson(document);
        const old = lookup(document, pointerTokens(path) ?? []);

        expect(
          failure(apply(document, [{ op: 'replace', path, value: [value] }]), [{ op: 'test', path, value }]).code,
        ).toBe('test-failed');
        const roundTrips: JsonPatch[] = [
          [{ op: 'test', path, value: old }],
          [
            { op: 'remove', path },
            { op: 'add', path, value: old },
          ],
          [
            { op: 'replace', path, value },
            { op: 'test', path, value },
            { op: 'replace', path, value: old },
          ],
          [
            { op: 'copy', from: path, path: '' },
            { op: 'test', path: '', value: old },
            { op: 'add', path: '', value: document },
          ],
          [
            { op: 'add', path: '', value: { was: document } },
            { op: 'move', from: `/was${path}`, path: '/kept' },
            { op: 'move', from: '/kept', path: `/was${path}` },
            { op: 'move', from: '/was', path: '' },
          ],
        ];
        for (const patch of roundTrips) expect(canonicalJson(apply(document, patch))).toBe(text);
        expect(canonicalJson(document)).toBe(text);
      }),
      { seed: 411, numRuns: 1000 },
    );
  });
});
