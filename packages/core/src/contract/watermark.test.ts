import { describe, expect, it } from 'vitest';
import { parseWatermark, watermarkBehindLimit, watermarkKey, watermarkShardsKey, watermarkText } from './watermark.ts';

const at = '2026-01-01T00:00:00Z';
const behind = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    project: `p${i}`,
    since: `2025-12-31T00:${String(59 - i).padStart(2, '0')}:00Z`,
  }));

describe('watermark', () => {
  it('reads back what was written', () => {
    const data = { [watermarkShardsKey]: '2', [watermarkKey(1)]: watermarkText({ beat: 5, at, behind: behind(1) }) };
    expect(parseWatermark(data)).toEqual(new Map([[1, { beat: 5, at, behind: behind(1), behindCount: 1 }]]));
  });

  it('names the 20 that are behind for longest, and counts all', () => {
    const text = watermarkText({ beat: 1, at, behind: behind(30) });
    const entry = parseWatermark({ shards: '1', [watermarkKey(0)]: text }).get(0);
    expect(entry?.behind).toHaveLength(watermarkBehindLimit);
    expect(entry?.behindCount).toBe(30);
    expect(entry?.behind[0]?.project).toBe('p29');
  });

  it.each([
    undefined,
    null,
    {},
    { shards: 'x' },
    { shards: '1e9', 'shard-0': '{}' },
    { shards: '1', 'shard-0': 'nonsense' },
    { shards: '1', 'shard-0': '{"beat":"5"}' },
    { shards: '1', 'shard-1': watermarkText({ beat: 1, at, behind: [] }) },
  ])('%j tells nothing', (data) => {
    expect(parseWatermark(data as never).size).toBe(0);
  });
});
