import { describe, expect, it } from 'vitest';
import { seeded, systemRandom } from './random.ts';

const draw = (seed: string | number, count: number): number[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.next());
};

describe('seeded', () => {
  it('gives the same sequence for the same seed, in every version of the platform', () => {
    expect(draw('a', 100)).toEqual(draw('a', 100));
    const random = seeded(1);
    // Written down once: recorded failing seeds must replay in later versions.
    expect([random.int(1000), random.int(1000), random.hex(4), random.uuid()]).toMatchInlineSnapshot(`
      [
        45,
        273,
        "1485cbb3",
        "3b72236d-065c-4ff8-b6fd-821fb511f733",
      ]
    `);
  });

  it('gives unrelated sequences for neighbouring seeds', () => {
    const [a, b] = [draw(1, 1000), draw(2, 1000)];
    const close = a.filter((value, i) => Math.abs(value - (b[i] ?? 0)) < 0.01).length;
    expect(close).toBeLessThan(50);
  });

  it('is uniform enough: ten buckets of ten thousand draws', () => {
    const values = draw('uniform', 10_000);
    const counts = Array.from(
      { length: 10 },
      (_, bucket) => values.filter((value) => Math.floor(value * 10) === bucket).length,
    );
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe.each([
  ['seeded', seeded('x')],
  ['systemRandom', systemRandom],
])('%s', (_, random) => {
  it('draws integers below the bound, hex digits and version 4 UUIDs', () => {
    for (let i = 0; i < 1000; i++) {
      const value = random.int(7);
      expect(Number.isInteger(value) && value >= 0 && value < 7).toBe(true);
    }
    expect(random.hex(5)).toMatch(/^[0-9a-f]{10}$/);
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
