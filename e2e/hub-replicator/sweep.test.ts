/** What is left on the hub of a project that is gone, in the whole app; what is believed and what is spared is held beside the controller. */
import { HTTPProxy, Namespace, Project } from '@lifeline/core';
import { expect, it } from 'vitest';
import { proxy } from './objects.ts';
import { control, hub, minutes, Platform } from './world.ts';

const everyMs = minutes(1);

/** Two projects with four proxies each. */
async function begin(): Promise<Platform> {
  const platform = await Platform.start({ settings: { sweep: { everyMs, maxDeletions: 3 } } });
  for (const project of platform.projects)
    for (const name of ['a', 'b', 'c', 'd']) await platform.make(project, HTTPProxy, proxy(name));
  await platform.after(minutes(1));
  return platform;
}

/** When ours deleted what on the hub. */
const deletions = (platform: Platform, mark: number): readonly { readonly at: number; readonly what: string }[] =>
  platform.world.audit.writes
    .slice(mark)
    .filter(({ plane, by }) => plane === hub && by?.actor === 'r1' && by.request.method === 'DELETE')
    .filter(({ revision: { object } }) => object.kind !== 'Lease')
    .map(({ at, revision: { object } }) => ({ at, what: `${object.kind} ${object.metadata.name}` }));

const results = async (platform: Platform): Promise<Readonly<Record<string, number>>> => {
  const text = await platform.world.processes.process('r1').metrics.text();
  const lines = text.matchAll(/^lifeline_sweep_total\{result="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, result = '', count]) => [result, Number(count)]));
};

const copiesOf = (platform: Platform, namespace: string): number =>
  platform
    .api(hub)
    .objects(HTTPProxy)
    .filter(({ metadata }) => metadata.namespace === namespace).length;

it('after five minutes, three deletions a minute, the Namespace last; what is left of the other project stays', async () => {
  await using platform = await begin();
  const [gone, kept] = [platform.mapped('p1'), platform.mapped('p2')];
  const mark = platform.mark;
  const began = platform.clock.monotonic();
  await platform.delete(control, Project, { name: 'p1' });
  // A replica that starts in between counts the time anew: what it has not seen gone for five minutes, it leaves.
  await platform.after(minutes(3));
  platform.world.processes.start('r1');
  await platform.after(minutes(4));
  expect(deletions(platform, mark)).toEqual([]);
  expect((await results(platform))['young']).toBeGreaterThan(0);
  await platform.until('swept', () => !platform.api(hub).get(Namespace, { name: gone }), minutes(15));

  const times = deletions(platform, mark);
  expect(times[0]?.at).toBeGreaterThanOrEqual(began + minutes(8));
  expect(times.at(-1)?.what).toBe(`Namespace ${gone}`);
  const perSweep = Map.groupBy(times, ({ at }) => Math.floor((at - (times[0]?.at ?? 0)) / everyMs));
  expect(Math.max(...[...perSweep.values()].map((each) => each.length))).toBeLessThanOrEqual(3);
  expect((await results(platform))['capped']).toBeGreaterThan(0);
  expect(copiesOf(platform, gone)).toBe(0);
  expect(copiesOf(platform, kept)).toBe(4);
});
