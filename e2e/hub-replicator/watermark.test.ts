/** How fresh the truth is, as an edge sees it. */
import { ConfigMap, Namespace, parseWatermark, shardOf, truthNamespace, watermarkConfigMap } from '@lifeline/core';
import { expect, it } from 'vitest';
import { minutes, Platform, seconds } from './world.ts';

const count = 4;

it('the watermark reaches the edge with every beat, says who is behind, and stands still with the replicator', async () => {
  await using platform = await Platform.start({ edges: ['e1'] });
  const name = { namespace: truthNamespace, name: watermarkConfigMap };
  const data = (): Readonly<Record<string, string>> => platform.api('e1').get(ConfigMap, name)?.data ?? {};
  const beats = (): readonly (number | undefined)[] =>
    Array.from({ length: count }, (_, shard) => parseWatermark(data()).get(shard)?.beat);
  const behind = (): readonly string[] =>
    [...parseWatermark(data()).values()].flatMap((entry) => entry.behind.map(({ project }) => project));
  await platform.after(minutes(1));
  expect(platform.api('e1').get(Namespace, { name: truthNamespace })).toBeDefined();
  expect(data()['shards']).toBe(String(count));
  const first = beats();
  expect(first.every((beat) => beat !== undefined && beat > 0)).toBe(true);
  await platform.after(minutes(1));
  // One beat in 30 s, whether anything happens or not.
  for (const [shard, beat] of beats().entries()) expect((beat ?? 0) - (first[shard] ?? 0), `${shard}`).toBe(2);
  expect(behind()).toEqual([]);

  // A project that is not heard any more, and only that one.
  const began = platform.clock.now();
  const cut = platform.world.wires.cut('p1');
  await platform.after(minutes(5));
  expect(behind()).toEqual(['p1']);
  const [entry] = parseWatermark(data()).get(shardOf('p1', count))?.behind ?? [];
  expect(Math.abs(Date.parse(entry?.since ?? '') - began)).toBeLessThan(minutes(3));
  cut[Symbol.dispose]();
  await platform.after(minutes(4));
  expect(behind()).toEqual([]);

  platform.world.processes.kill('r1');
  await platform.after(seconds(10));
  const last = beats();
  await platform.after(minutes(2));
  expect(beats()).toEqual(last);
  platform.world.processes.start('r1');
  await platform.after(minutes(1));
  for (const [shard, beat] of beats().entries()) expect(beat ?? 0, `${shard}`).toBeGreaterThan(last[shard] ?? 0);
});
