import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ranking } from './ranking.ts';

const members = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { minLength: 1, maxLength: 8 });

describe('Ranking', () => {
  it('pinned: replicas of two versions must agree', () => {
    const ranking = new Ranking();
    expect([0, 1, 2, 63].map((shard) => ranking.of(shard, ['a', 'b', 'c']).join(''))).toMatchInlineSnapshot(`
      [
        "cab",
        "bac",
        "cba",
        "acb",
      ]
    `);
  });

  it('all rank alike, whatever the order and whomever they knew before; a member that goes changes nobody else’s order', () => {
    fc.assert(
      fc.property(members, fc.nat(63), fc.nat(7), (all, shard, index) => {
        const ranking = new Ranking();
        const order = ranking.of(shard, all);
        expect([...order].sort()).toEqual([...all].sort());
        expect(new Ranking().of(shard, all.toReversed())).toEqual(order);
        const gone = all[index % all.length];
        const rest = all.filter((member) => member !== gone);
        ranking.keep(rest);
        expect(ranking.of(shard, rest)).toEqual(order.filter((member) => member !== gone));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('everybody has about the same share', () => {
    const ranking = new Ranking();
    const all = ['a', 'b', 'c', 'd'];
    const shares = new Map<string, number>();
    for (let shard = 0; shard < 1_000; shard++) {
      const first = ranking.of(shard, all)[0] ?? '';
      shares.set(first, (shares.get(first) ?? 0) + 1);
    }
    for (const share of shares.values()) expect(Math.abs(share - 250)).toBeLessThan(50);
  });
});
