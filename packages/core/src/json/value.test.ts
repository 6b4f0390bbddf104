import { describe, expect, it } from 'vitest';
import { deepFreeze } from './freeze.ts';
import { ownValue, setOwn } from './own.ts';
import { parseJson } from './parse.ts';
import { exactNumber, isJsonObject, JsonNumber } from './value.ts';

describe('JsonNumber', () => {
  it('is frozen, prints its text, counts as the nearest double', () => {
    const number = new JsonNumber('9007199254740993');
    expect(Object.isFrozen(number)).toBe(true);
    expect(String(number)).toBe('9007199254740993');
    expect(Number(number)).toBe(9007199254740992);
  });

  it.each(['', ' 1', '1 ', '+1', '01', '1.', '.5', '1e', 'NaN', 'Infinity', '0x10', '1_000', '1\n', '1,2'])(
    'refuses %j',
    (text) => {
      expect(() => new JsonNumber(text)).toThrow(expect.objectContaining({ name: 'JsonError', code: 'invalid' }));
      expect(() => exactNumber(text)).toThrow(expect.objectContaining({ name: 'JsonError', code: 'invalid' }));
    },
  );

  it('is what exactNumber makes of a text that a double prints otherwise', () => {
    expect(exactNumber('42')).toBe(42);
    expect(exactNumber('0.1')).toBe(0.1);
    expect(exactNumber('0.10')).toEqual(new JsonNumber('0.10'));
  });
});

describe('isJsonObject', () => {
  it('holds for objects alone', () => {
    expect([{}, null, [], 'x', 1, new JsonNumber('1.0'), undefined].map(isJsonObject)).toEqual([
      true,
      ...Array(6).fill(false),
    ]);
  });
});

describe('own members', () => {
  it('__proto__ is a member like any other', () => {
    const object: Record<string, unknown> = {};
    setOwn(object, '__proto__', { polluted: true });
    setOwn(object, 'a', 1);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.keys(object)).toEqual(['__proto__', 'a']);
    expect(ownValue(object, '__proto__')).toEqual({ polluted: true });
    setOwn(object, '__proto__', 2);
    expect(JSON.stringify({ ...object })).toBe('{"__proto__":2,"a":1}');
  });

  it('inherited members are none', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) expect(ownValue<unknown>({}, key)).toBeUndefined();
  });
});

describe('deepFreeze', () => {
  it('freezes every container, in place, at any depth', () => {
    const value = { a: [{ b: {} }], c: null, d: Object.freeze({ e: [] }) };
    expect(deepFreeze(value)).toBe(value);
    for (const container of [value, value.a, value.a[0], value.a[0]?.b, value.d, value.d.e])
      expect(Object.isFrozen(container)).toBe(true);
    expect(() => Object.assign(value.a[0] as object, { b: 1 })).toThrow(TypeError);
    deepFreeze(parseJson('['.repeat(100_000) + ']'.repeat(100_000)));
  });
});
