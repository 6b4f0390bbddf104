import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonArb } from '../json/arbitrary.ts';
import { canonicalJson } from '../json/canonical.ts';
import { deepEqual } from '../json/equal.ts';
import { maxDepth } from '../json/depth.ts';
import { deepFreeze } from '../json/freeze.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { mergePatchDiff } from './diff.ts';
import { applyMergePatch } from './merge-patch.ts';

/** Both inputs are frozen: whoever writes to one throws. */
const apply = (target: unknown, patch: unknown): JsonValue => applyMergePatch(deepFreeze(target), deepFreeze(patch));
const diff = (from: unknown, to: unknown): JsonValue | undefined => mergePatchDiff(deepFreeze(from), deepFreeze(to));

describe('applyMergePatch', () => {
  // RFC 7386, appendix A
  it.each<[string, string, string]>([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('RFC 7386: %s + %s = %s', (target, patch, want) => {
    expect(canonicalJson(apply(parseJson(target), parseJson(patch)))).toBe(want);
  });

  it('RFC 7386 section 3', () => {
    const target = parseJson(
      '{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}',
    );
    const patch = parseJson(
      '{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}',
    );
    expect(canonicalJson(apply(target, patch))).toBe(
      '{"author":{"givenName":"John"},"content":"This will be unchanged","phoneNumber":"+01-123-456-7890","tags":["example"],"title":"Hello!"}',
    );
  });

  it.each<{ name: string; target: unknown; patch: unknown; want: string }>([
    {
      name: 'nulls inside arrays are values',
      target: {},
      patch: { a: [null, { b: null }] },
      want: '{"a":[null,{"b":null}]}',
    },
    { name: 'undefined changes nothing', target: { a: 1 }, patch: { a: undefined, b: 2 }, want: '{"a":1,"b":2}' },
    { name: 'no patch', target: { a: 1 }, patch: undefined, want: '{"a":1}' },
    { name: 'no target', target: undefined, patch: { a: { b: null, c: 1 } }, want: '{"a":{"c":1}}' },
    {
      name: 'the last digit',
      target: { a: 2 ** 53 },
      patch: { a: new JsonNumber('9007199254740993') },
      want: '{"a":9007199254740993}',
    },
    {
      name: 'inherited names',
      target: {},
      patch: { constructor: null, toString: { a: 1 } },
      want: '{"toString":{"a":1}}',
    },
  ])('$name', ({ target, patch, want }) => {
    expect(canonicalJson(apply(target, patch))).toBe(want);
  });

  it('__proto__ is a member like others', () => {
    const patch = parseJson('{"__proto__":{"polluted":1.0},"constructor":{"prototype":{"polluted":1}}}');
    const after = apply({ a: 1 }, patch) as JsonObject;
    expect(canonicalJson(after)).toBe(
      '{"__proto__":{"polluted":1.0},"a":1,"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
    expect(({} as JsonObject).polluted).toBeUndefined();
    expect(canonicalJson(apply(after, parseJson('{"__proto__":null}')))).toBe(
      '{"a":1,"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(apply({ a: 1 }, parseJson('{"__proto__":null}'))).toEqual({ a: 1 });
  });

  it('is the target itself when nothing changes, and shares what does not', () => {
    const target = { spec: { a: [1, { b: 2 }] }, status: { ready: true } };
    expect(apply(target, { spec: { a: [1, { b: 2 }], gone: null }, status: {} })).toBe(target);
    const after = apply(target, { spec: { c: 1 } }) as typeof target;
    expect(after.status).toBe(target.status);
    expect(after.spec.a).toBe(target.spec.a);
  });

  it('refuses a patch of more than 1000 levels', () => {
    const nested = (levels: number): JsonValue => parseJson('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
    expect(() => apply({}, nested(maxDepth + 1))).not.toThrow();
    expect(() => apply({}, nested(100_000))).toThrow(expect.objectContaining({ code: 'too-deep' }));
    expect(() => diff({}, nested(100_000))).toThrow(expect.objectContaining({ code: 'too-deep' }));
  });

  it('does what the pseudocode of RFC 7386 does', () => {
    const reference = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
      if (!isJsonObject(patch)) return patch;
      const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
      for (const [name, value] of Object.entries(patch) as [string, JsonValue][]) {
        if (value === null) members.delete(name);
        else members.set(name, reference(members.get(name), value));
      }
      return Object.fromEntries(members);
    };
    fc.assert(
      fc.property(jsonArb, jsonArb, (target, patch) => {
        const before = canonicalJson([target, patch]);
        const after = apply(target, patch);
        expect(canonicalJson(after)).toBe(canonicalJson(reference(target, patch)));
        expect(canonicalJson(apply(after, patch))).toBe(canonicalJson(after));
        expect(canonicalJson([target, patch])).toBe(before);
      }),
      { seed: 421, numRuns: 3000 },
    );
  });
});

describe('mergePatchDiff', () => {
  const int64 = (text: string): JsonNumber => new JsonNumber(text);

  it.each<{ name: string; from: unknown; to: unknown; want: unknown }>([
    { name: 'nothing', from: { a: [1], b: undefined }, to: { a: [1], c: undefined }, want: undefined },
    { name: 'a new member', from: { a: 1 }, to: { a: 1, b: 2 }, want: { b: 2 } },
    { name: 'a member that goes', from: { a: 1, b: 2 }, to: { a: 1 }, want: { b: null } },
    {
      name: 'only what differs',
      from: { a: { b: 1, c: { d: 1, e: 2 } } },
      to: { a: { b: 1, c: { d: 1, e: 3 } } },
      want: { a: { c: { e: 3 } } },
    },
    { name: 'arrays whole', from: { a: [1, 2, 3] }, to: { a: [1, 3] }, want: { a: [1, 3] } },
    {
      name: 'the last digit',
      from: { a: int64('9223372036854775807') },
      to: { a: int64('9223372036854775806') },
      want: { a: int64('9223372036854775806') },
    },
    { name: '1 to 1.0', from: { a: 1 }, to: { a: int64('1.0') }, want: { a: int64('1.0') } },
    { name: 'a scalar to an empty object', from: { a: 1 }, to: { a: {} }, want: { a: {} } },
    { name: 'an object to a scalar', from: { a: { b: 1 } }, to: { a: 1 }, want: { a: 1 } },
    { name: 'null that stays', from: { a: null, b: 1 }, to: { a: null, b: 2 }, want: { b: 2 } },
    { name: 'nulls in arrays', from: {}, to: { a: [null, { b: null }] }, want: { a: [null, { b: null }] } },
    { name: 'the whole', from: [1], to: null, want: null },
    { name: 'from nothing', from: undefined, to: { a: 1 }, want: { a: 1 } },
  ])('says $name', ({ from, to, want }) => {
    expect(diff(from, to)).toEqual(want);
  });

  it.each<{ name: string; from: unknown; to: unknown; pointer: string }>([
    { name: 'a member that becomes null', from: { a: { 'b/c': 1 } }, to: { a: { 'b/c': null } }, pointer: '"/a/b~1c"' },
    { name: 'a new null', from: {}, to: { a: null }, pointer: '"/a"' },
    { name: 'a null in what is new', from: { a: 1 }, to: { a: { b: { c: null } } }, pointer: '"/a/b/c"' },
  ])('refuses $name, and says where', ({ from, to, pointer }) => {
    expect(() => diff(from, to)).toThrow(
      expect.objectContaining({
        name: 'MergePatchError',
        code: 'unrepresentable',
        message: expect.stringContaining(pointer),
      }),
    );
  });

  const withoutNulls = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(withoutNulls);
    if (!isJsonObject(value)) return value;
    const members = (Object.entries(value) as [string, JsonValue][]).filter(([, member]) => member !== null);
    return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
  };

  it('leads from any value to any other, and to nothing else', () => {
    // Related pairs, so that members stay, change, come and go at every level.
    const pair = fc.tuple(jsonArb, jsonArb).map(([from, patch]) => [from, withoutNulls(apply(from, patch))] as const);
    fc.assert(
      fc.property(fc.oneof(pair, fc.tuple(jsonArb, jsonArb.map(withoutNulls))), ([from, to]) => {
        const before = canonicalJson([from, to]);
        const patch = diff(from, to);
        expect(canonicalJson(apply(from, patch))).toBe(canonicalJson(to));
        expect(patch === undefined).toBe(deepEqual(from, to));
        expect(diff(to, to)).toBeUndefined();
        expect(canonicalJson([from, to])).toBe(before);
      }),
      { seed: 422, numRuns: 3000 },
    );
  });
});
