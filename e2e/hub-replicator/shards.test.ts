/** Several replicas: each project is written by the one that holds its shard, however replicas die and stand still. */
import { ConfigMap, HTTPProxy, labels, type MonotonicMs, shardOf } from '@lifeline/core';
import { expect, it } from 'vitest';
import { proxy, proxySpec, synced } from './objects.ts';
import { hub, Platform, seconds, shardMs } from './world.ts';

const replicas = ['r1', 'r2', 'r3'];
const projects = Array.from({ length: 8 }, (_, index) => `p${index}`);
const count = 8;
const settings = { shards: { count } };

/** Everything of theirs changes. */
async function edit(platform: Platform, turn: number): Promise<void> {
  for (const project of projects) {
    const hostname = `t${turn}.example`;
    const web = { kind: HTTPProxy, name: { namespace: 'default', name: 'web' } };
    await platform.patch(project, web, { spec: proxySpec(undefined, hostname) });
    await platform.make(project, ConfigMap, synced(`cm-${turn}`, { turn: `${turn}` }));
  }
}

async function begin(seed: string): Promise<Platform> {
  const platform = await Platform.start({ seed, projects, replicas, settings, latencyMs: [1, 40] });
  for (const project of projects) await platform.make(project, HTTPProxy, proxy('web'));
  await platform.after(seconds(10));
  return platform;
}

const hasSeen = (platform: Platform, turn: number): boolean =>
  projects.every(
    (project) =>
      platform.copy(HTTPProxy, project, 'web')?.spec.hostnames?.[0] === `t${turn}.example` &&
      platform.copy(ConfigMap, project, `cm-${turn}`) !== undefined,
  );

/** Who wrote the Lease of each shard last, and when. */
interface Hold {
  readonly by: string;
  readonly at: MonotonicMs;
}

/** Writes for a project that its writer did not hold at the time, in words; and how many there were in all. */
function outOfTurn(platform: Platform): { readonly wrong: readonly string[]; readonly writes: number } {
  const holds = new Map<string, Hold>();
  const wrong: string[] = [];
  let writes = 0;
  for (const { at, plane, by, revision } of platform.world.audit.writes) {
    if (!by || !replicas.includes(by.actor)) continue;
    const { kind, metadata } = revision.object;
    const who = `${by.actor}.${by.incarnation}`;
    if (kind === 'Lease' && plane === hub) holds.set(metadata.name, { by: who, at });
    const project = plane === hub ? projectOf(metadata.labels ?? {}) : plane;
    if (kind === 'Event' || project === undefined || !projects.includes(project)) continue;
    writes++;
    const hold = holds.get(`hub-replicator-shard-${shardOf(project, count)}`);
    const what = `${who} wrote ${kind} ${metadata.name} of ${project}`;
    if (hold?.by !== who) wrong.push(`${what}, which ${hold?.by} holds`);
    else if (by.at > hold.at + (2 / 3) * shardMs) wrong.push(`${what} ${by.at - hold.at} ms after it renewed`);
    else if (at > hold.at + shardMs) wrong.push(`${what}, and it arrived ${at - hold.at} ms after it renewed`);
  }
  return { wrong, writes };
}

const projectOf = (marks: Readonly<Record<string, string>>): string | undefined =>
  marks[labels.upstreamCluster]?.replace(/^cluster-/, '');

/** The replicas that wrote for projects, and for how many each. */
const spread = (platform: Platform, mark: number): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const { plane, by } of platform.world.audit.writes.slice(mark))
    if (by && replicas.includes(by.actor) && projects.includes(plane))
      found.set(by.actor, (found.get(by.actor) ?? new Set()).add(plane));
  return found;
};

const busiest = (platform: Platform, mark: number): string =>
  [...spread(platform, mark)].sort(([, a], [, b]) => b.size - a.size)[0]?.[0] ?? 'r1';

it('three replicas share the projects; those of one that is killed go on within a lease duration and 5 s', async () => {
  await using platform = await begin('shards/kill');
  const mark = platform.mark;
  await edit(platform, 1);
  await platform.until('all copied', () => hasSeen(platform, 1), seconds(2));
  const before = spread(platform, mark);
  expect(before.size).toBeGreaterThan(1);
  expect([...before.values()].reduce((sum, { size }) => sum + size, 0)).toBe(projects.length);

  const most = busiest(platform, mark);
  platform.world.processes.kill(most);
  await edit(platform, 2);
  const took = await platform.until('all copied, without it', () => hasSeen(platform, 2), seconds(30));
  expect(took).toBeGreaterThan(seconds(1));
  expect(took).toBeLessThanOrEqual(shardMs + seconds(5) + seconds(1));
  platform.world.processes.start(most);
  await platform.after(seconds(20));
  await edit(platform, 3);
  await platform.until('all copied, with it', () => hasSeen(platform, 3), seconds(2));
  const { wrong, writes } = outOfTurn(platform);
  expect(writes).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

it.each([
  [1, 4, 10],
  [2, 5, 20],
  [3, 7, 60],
])('replicas that stand still for %i, %i and %i s write nothing that another may write', async (...stalls) => {
  await using platform = await begin(`shards/stall/${stalls.join('/')}`);
  let turn = 0;
  for (const stall of stalls) {
    const mark = platform.mark;
    await edit(platform, ++turn);
    await platform.until('all copied', () => hasSeen(platform, turn), seconds(30));
    const busy = busiest(platform, mark);
    await edit(platform, ++turn);
    // In the middle of its work.
    await platform.after(30);
    const stalled = platform.world.processes.process(busy);
    stalled.pause();
    const until = platform.clock.monotonic() + seconds(stall);
    while (platform.clock.monotonic() < until) {
      await edit(platform, ++turn);
      await platform.after(Math.min(seconds(stall > 10 ? 10 : 1), until - platform.clock.monotonic()));
    }
    stalled.resume();
    await edit(platform, ++turn);
    await platform.until('all copied', () => hasSeen(platform, turn), seconds(30));
    await platform.after(seconds(10));
  }
  const { wrong, writes } = outOfTurn(platform);
  expect(writes).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
