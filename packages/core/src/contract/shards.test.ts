import { describe, expect, it } from 'vitest';
import { shardOf } from './shards.ts';

describe('shardOf', () => {
  it('pinned: replicas of two versions must agree', () => {
    expect([shardOf('org/project'), shardOf('project'), shardOf(''), shardOf('project', 7)]).toEqual([7, 36, 2, 5]);
  });

  it('spreads projects over all shards', () => {
    const counts = new Array<number>(64).fill(0);
    for (let i = 0; i < 6400; i++) (counts[shardOf(`org-${i % 90}/project-${i}`)] as number)++;
    expect(Math.min(...counts)).toBeGreaterThan(60);
    expect(Math.max(...counts)).toBeLessThan(150);
  });
});
