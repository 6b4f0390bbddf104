/** A project that is gone leaves nothing of ours on the hub, in time and not all at once; and the edges hear how fresh the truth is. */
import {
  ConfigMap,
  Connector,
  labels,
  Namespace,
  parseWatermark,
  Project,
  truthNamespace,
  watermarkConfigMap,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { synced } from './objects.ts';
import { control, hub, minutes, Platform, seconds } from './world.ts';

const count = 8;

async function busy(settings = {}): Promise<Platform> {
  const platform = await Platform.start({ settings });
  for (const project of platform.projects)
    for (let index = 0; index < count; index++)
      await platform.make(project, ConfigMap, synced(`conf-${index}`, { of: project }));
  await platform.connector('p1', 'conn');
  await platform.after(seconds(20));
  return platform;
}

const copiesIn = (platform: Platform, namespace: string): readonly ConfigMap[] =>
  platform
    .api(hub)
    .objects(ConfigMap)
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[labels.installation] !== undefined);

describe('a project that is gone', () => {
  it('is swept when it has been gone for five minutes, its Namespaces last; the others keep all they have', async () => {
    await using platform = await busy();
    const [gone, other] = [platform.mapped('p1'), platform.mapped('p2')];
    await platform.delete(control, Project, { name: 'p1' });
    await platform.after(minutes(4));
    expect(platform.api(hub).get(Connector, { namespace: gone, name: 'conn' })).toBeDefined();
    await platform.after(minutes(10));
    expect(platform.api(hub).get(Namespace, { name: gone })).toBeUndefined();
    expect(copiesIn(platform, gone)).toEqual([]);
    expect(copiesIn(platform, other).filter(({ data }) => data?.['of'] === 'p2')).toHaveLength(count);
  });

  it('goes in portions', async () => {
    await using platform = await busy({ sweep: { maxDeletions: 5 } });
    const gone = platform.mapped('p1');
    const before = copiesIn(platform, gone).length;
    await platform.delete(control, Project, { name: 'p1' });
    await platform.after(minutes(8));
    const left = copiesIn(platform, gone).length;
    expect(left).toBeLessThan(before);
    expect(left).toBeGreaterThan(0);
    await platform.after(minutes(40));
    expect(platform.api(hub).get(Namespace, { name: gone })).toBeUndefined();
  });

  it('loses nothing in a dry run, and nothing that is not ours', async () => {
    await using dry = await busy({ sweep: { dryRun: true } });
    const before = dry.mark;
    await dry.delete(control, Project, { name: 'p1' });
    await dry.after(minutes(20));
    expect(dry.writes(before)).toEqual([]);
    expect(await dry.world.processes.process('r1').metrics.text()).toMatch(
      /lifeline_sweep_total\{result="dry-run"\} [1-9]/,
    );

    await using platform = await busy();
    const gone = platform.mapped('p1');
    await platform.make(hub, ConfigMap, { metadata: { namespace: gone, name: 'theirs' }, data: { a: 'b' } });
    await platform.delete(control, Project, { name: 'p1' });
    await platform.after(minutes(20));
    expect(copiesIn(platform, gone)).toEqual([]);
    expect(platform.api(hub).get(ConfigMap, { namespace: gone, name: 'theirs' })?.data).toEqual({ a: 'b' });
  });

  it('is not believed to be gone by a control plane that knows no project at all', async () => {
    await using platform = await busy();
    const before = platform.mark;
    for (const name of platform.projects) await platform.delete(control, Project, { name });
    await platform.after(minutes(30));
    expect(platform.writes(before).filter(({ type }) => type === 'DELETED')).toEqual([]);
    expect(copiesIn(platform, platform.mapped('p1')).length).toBeGreaterThan(count);
  });
});

it('the watermark reaches the edges: a beat of every shard, and no beat of a replica that is gone', async () => {
  await using platform = await Platform.start({ edges: ['e1'], replicas: ['r1', 'r2'] });
  const where = { namespace: truthNamespace, name: watermarkConfigMap };
  const beats = (): readonly number[] =>
    [...parseWatermark(platform.api('e1').get(ConfigMap, where)?.data).values()].map(({ beat }) => beat);
  await platform.until('at the edge', () => beats().length === 4, minutes(3));
  const first = beats();
  await platform.after(minutes(1));
  expect(beats().every((beat, shard) => beat > (first[shard] ?? Infinity))).toBe(true);
  for (const replica of platform.replicas) platform.world.processes.kill(replica);
  await platform.after(seconds(20));
  const last = beats();
  await platform.after(minutes(3));
  expect(beats()).toEqual(last);
});
