import { describe, expect, it } from 'vitest';
import { ByteCache } from './byte-cache.ts';

describe('ByteCache', () => {
  it('makes the bytes of an object and a form once', () => {
    const cache = new ByteCache(100);
    const [a, b] = [{}, {}];
    let made = 0;
    const make = (): Uint8Array => Uint8Array.of(++made);
    const first = [cache.bytes(a, 'x', make), cache.bytes(a, 'y', make), cache.bytes(b, 'x', make)];
    const second = [cache.bytes(a, 'x', make), cache.bytes(a, 'y', make), cache.bytes(b, 'x', make)];
    expect(first.map(([n]) => n)).toEqual([1, 2, 3]);
    expect(second.every((bytes, index) => bytes === first[index])).toBe(true);
  });

  it('keeps what is asked for, and forgets the rest', () => {
    const cache = new ByteCache(100);
    const [used, unused] = [{}, {}];
    const remade: string[] = [];
    const ask = (object: object, name: string): unknown =>
      cache.bytes(object, 'x', () => (remade.push(name), new Uint8Array(30)));
    ask(unused, 'unused');
    for (let i = 0; i < 10; i++) {
      ask(used, 'used');
      ask({}, 'other');
    }
    ask(used, 'used');
    ask(unused, 'unused');
    expect(remade.filter((name) => name !== 'other')).toEqual(['unused', 'used', 'unused']);
  });
});
