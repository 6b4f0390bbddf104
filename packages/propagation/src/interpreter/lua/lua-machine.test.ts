import { isJsonObject, JsonNumber, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LuaMachine } from './lua-machine.ts';

const limit = 200_000;
const machine = new LuaMachine(limit);
const call = (script: string, ...args: readonly JsonValue[]): JsonValue | undefined =>
  machine.call({ script, name: 'F', args, results: 1 })[0];
const echo = 'function F(value) return value end';

describe('values', () => {
  it.each([
    ['text', 'ä\u0000€'],
    ['an integer', -7],
    ['a fraction', 0.25],
    ['more than 32 bits', 2 ** 40],
    ['the largest exact one', Number.MAX_SAFE_INTEGER],
    ['true', true],
    ['a list', [1, 'a', [true]]],
    ['an object', { a: { b: [1] }, __proto__x: 'c' }],
    ['a key that is no member name', JSON.parse('{"__proto__":1,"constructor":2}') as JsonValue],
  ])('%s comes back', (_, value) => {
    expect(call(echo, value)).toEqual(value);
  });

  it('null is nil, and a member that is nil is no member', () => {
    expect(call('function F(v) return { was = type(v.a), had = v.b } end', { a: null, b: 1 })).toEqual({
      was: 'nil',
      had: 1,
    });
  });

  it('an int64 loses digits, as it does in Karmada', () => {
    expect(call(echo, new JsonNumber('9007199254740993'))).toBe(9007199254740992);
  });

  it('an empty table is what it was in an original, and nothing otherwise', () => {
    const value = { list: [], object: {}, items: [{ inner: {} }] };
    const script = 'function F(v) v.mine = {} return v end';
    const [kept] = machine.call({ script, name: 'F', args: [value], results: 1, originals: [value] });
    expect(kept).toEqual(value);
    expect(call(script, value)).toEqual({ items: [{}] });
  });

  it.each([
    ['a function', 'return { f = F }', 'no JSON'],
    ['keys of two types', 'return { 1, a = 2 }', 'two types'],
    ['a hole', 'return { [1] = 1, [3] = 3 }', 'holes'],
    ['a table in itself', 'local t = {} t.t = t return t', 'too deep'],
    ['infinity', 'return { 1 / 0 }', 'number that is none'],
  ])('%s is refused', (_, body, message) => {
    expect(() => call(`function F() ${body} end`)).toThrow(message);
  });

  it('whatever JSON without nulls and empty values goes in comes out', () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer());
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { minKeys: 1, maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(call(echo, value)).toEqual(isJsonObject(value) ? { ...value } : value);
      }),
      { seed: 20, numRuns: 200 },
    );
  });
});

describe('sandbox', () => {
  it.each([
    ['a loop', 'while true do end'],
    ['a loop that catches errors', 'while true do pcall(function() while true do end end) end'],
    ['endless recursion with catching', 'local function f() pcall(f) return f() end f()'],
  ])('%s ends', (_, body) => {
    expect(() => call(`function F() ${body} end`)).toThrow(/too long|overflow/);
    expect(call(echo, 1)).toBe(1);
  });

  it('the limit holds for what a script does at its top, too', () => {
    expect(() => call('while true do end')).toThrow('too long');
  });

  it.each([
    'io',
    'os',
    'debug',
    'package',
    'require',
    'load',
    'loadstring',
    'dofile',
    'loadfile',
    'print',
    'collectgarbage',
    'getmetatable',
    'setmetatable',
    'rawget',
    'rawset',
    'rawequal',
    'coroutine',
    'math.random',
    'string.rep',
    'string.dump',
  ])('there is no %s', (name) => {
    expect(call(`function F() return type(${name}) end`)).toBe('nil');
  });

  it('strings, tables and mathematics are there', () => {
    const script =
      'function F(v) table.sort(v) return string.format("%d of %s", math.max(v[1], v[2]), table.concat(v, "-")) end';
    expect(call(script, [3, 1, 2])).toBe('2 of 1-2-3');
  });

  it('a script that fails says why', () => {
    expect(() => call('function F() error("no") end')).toThrow('no');
    expect(() => call('function F( end')).toThrow('script:1');
    const fresh = new LuaMachine(limit);
    expect(() => fresh.call({ script: 'function G() end', name: 'F', args: [], results: 1 })).toThrow('no function F');
  });

  it('runs its script anew for each call; what it leaves in globals is there for the next', () => {
    expect(call('local n = 0 function F() n = n + 1 return n end')).toBe(1);
    expect(call('local n = 0 function F() n = n + 1 return n end')).toBe(1);
    const counting = 'count = (count or 0) + 1 function F() return count end';
    expect([call(counting), call(counting)]).toEqual([1, 2]);
  });
});
