import { ConfigMap, Lease } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { type Controller, defineController } from '../controller/define-controller.ts';
import { self } from '../controller/mapper.ts';
import { watch } from '../controller/watch.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import { fleetFactory } from '../fleet/fleet-factory.ts';
import { staticSource } from '../fleet/sources/static-source.ts';
import { Refusal } from '../testing/refusal.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { type TestEnv, testEnv } from '../testing/test-env.ts';
import { ShardCountError } from '../shards/shard-counts.ts';
import { shardedSource } from '../shards/sharded-source.ts';
import { createShards, type Shards } from '../shards/shards.ts';
import { LeadershipLostError } from './leader-election.ts';
import { type ManagerOptions, runManager } from './manager.ts';

const hubUrl = 'https://hub.test';
const lease = { namespace: 'system', name: 'app' };

interface Setting {
  readonly clock: VirtualClock;
  readonly hub: ScriptedApi;
  readonly env: TestEnv;
  readonly provider: ClusterProvider;
  readonly seen: string[];
  readonly controller: Controller;
  stop(): void;
}

function setUp(): Setting {
  const clock = new VirtualClock();
  const running = new AbortController();
  const hub = createScriptedApi({ clock, random: seeded('hub'), kinds: [ConfigMap, Lease] });
  hub.put(Lease, { metadata: lease, spec: { holderIdentity: '' } });
  const env = testEnv({ clock, signal: running.signal, planes: { [hubUrl]: hub } });
  const provider = fleetFactory(
    env,
    'test',
  )({ plane: 'hub', source: staticSource({ hub: { endpoint: { server: hubUrl } } }) });
  const seen: string[] = [];
  const controller = defineController({
    name: 'watcher',
    watches: [watch(provider, ConfigMap, { mapper: self })],
    writes: [],
    reconcile: async ({ key }) => void seen.push(key),
  });
  return { clock, hub, env, provider, seen, controller, stop: () => running.abort(new Error('stop')) };
}

const elected = ({ provider, controller }: Setting): ManagerOptions => ({
  fleets: [provider],
  controllers: [controller],
  election: { provider, lease },
});

describe('runManager', () => {
  it('elects, reconciles, and on a stop gives the lease back and leaves nothing', async () => {
    const setting = setUp();
    const { clock, hub, env, seen, stop } = setting;
    hub.put(ConfigMap, { metadata: { namespace: 'n', name: 'a' } });
    const run = runManager(env, elected(setting));
    await clock.advance(5_000);
    expect(seen).toEqual(['n/a']);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).not.toBe('');
    stop();
    await clock.run(run);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).toBe('');
    expect(hub.openWatches()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('keeps the caches of a standby warm, and is ready, without reconciling', async () => {
    const setting = setUp();
    const { clock, hub, env, seen, stop } = setting;
    hub.put(Lease, { metadata: lease, spec: { holderIdentity: 'other', leaseDurationSeconds: 3_600 } });
    hub.put(ConfigMap, { metadata: { namespace: 'n', name: 'a' } });
    const run = runManager(env, elected(setting));
    await clock.advance(5_000);
    expect(env.health.readyz().ok).toBe(true);
    expect(hub.openWatches(ConfigMap)).toBe(1);
    expect(seen).toEqual([]);
    stop();
    await clock.run(run);
    expect(clock.pending).toBe(0);
  });

  it('is not ready while a plane that it cannot do without is not heard, and recovers by itself', async () => {
    const setting = setUp();
    const { clock, hub, env, stop } = setting;
    const run = runManager(env, elected(setting));
    await clock.advance(5_000);
    expect(env.health.readyz().ok).toBe(true);
    // The Lease goes on, the objects do not.
    hub.refuse = ({ kind, verb }) =>
      kind.id === ConfigMap.id ? new Refusal({ code: 500, reason: 'InternalError', message: verb }) : undefined;
    hub.endWatches({ kind: ConfigMap });
    await clock.advance(200_000);
    expect(env.health.readyz()).toMatchObject({ ok: false });
    hub.refuse = () => undefined;
    await clock.advance(200_000);
    expect(env.health.readyz().ok).toBe(true);
    stop();
    await clock.run(run);
  });

  it('ends with an error when the lease is lost', async () => {
    const setting = setUp();
    const { clock, hub, env } = setting;
    const run = runManager(env, elected(setting)).catch((error: unknown) => error);
    await clock.advance(5_000);
    hub.put(Lease, { metadata: lease, spec: { holderIdentity: 'thief', leaseDurationSeconds: 15 } });
    expect(await clock.run(run, 30_000)).toBeInstanceOf(LeadershipLostError);
    expect(clock.pending).toBe(0);
  });

  it('a controller that cannot run stops the others, which end in order, and is what the app ends with', async () => {
    const setting = setUp();
    const { clock, hub, env, provider, seen } = setting;
    hub.put(ConfigMap, { metadata: { namespace: 'n', name: 'a' } });
    const slow = defineController({
      name: 'slow',
      watches: [watch(provider, ConfigMap, { mapper: self })],
      writes: [],
      async reconcile({ key }, context) {
        await context.clock.sleep(2_000);
        seen.push(`${key} ended`);
      },
    });
    const broken = defineController({
      name: 'broken',
      watches: [
        {
          ...watch(provider, ConfigMap, { mapper: self }),
          subscribe: () => {
            throw new Error('bug');
          },
        },
      ],
      writes: [],
      reconcile: async () => undefined,
    });
    const run = runManager(env, { ...elected(setting), controllers: [slow, broken] }).catch((error: unknown) => error);
    expect(String(await clock.run(run, 30_000))).toContain('bug');
    expect(seen).toEqual(['n/a ended']);
    expect([clock.pending, hub.openWatches()]).toEqual([0, 0]);
  });

  it('without controllers it keeps its clusters until it is asked to stop', async () => {
    const { clock, hub, env, provider, stop } = setUp();
    let ended = false;
    const run = runManager(env, { fleets: [provider], controllers: [] }).then(() => (ended = true));
    await clock.advance(60_000);
    expect(ended).toBe(false);
    expect(provider.list()).toHaveLength(1);
    stop();
    await clock.run(run);
    expect([clock.pending, hub.openWatches()]).toEqual([0, 0]);
  });

  it('ends with the error of a source that cannot go on', async () => {
    const { clock, env } = setUp();
    const fleet = fleetFactory(env, 'test')({ plane: 'x', source: () => Promise.reject(new Error('no such source')) });
    await expect(clock.run(runManager(env, { fleets: [fleet], controllers: [] }))).rejects.toThrow('no such source');
  });

  it('refuses two controllers of one name', async () => {
    const { env, controller } = setUp();
    await expect(runManager(env, { fleets: [], controllers: [controller, controller] })).rejects.toThrow('watcher');
  });
});

describe('runManager with shards', () => {
  const shardLease = { namespace: 'system', name: 'app-shard-0' };

  /** One shard, one project, and a controller that takes 3 s to write into it. */
  function sharded(): Setting & {
    readonly project: ScriptedApi;
    readonly run: Promise<unknown>;
    readonly shards: Shards;
  } {
    const setting = setUp();
    const { clock, hub, provider } = setting;
    const project = createScriptedApi({ clock, random: seeded('project'), kinds: [ConfigMap] });
    const env = {
      ...setting.env,
      transport: ({ server }: { server: string }) => (server === hubUrl ? hub : project).transport,
    };
    const shards = createShards(env, { provider, namespace: 'system', name: 'app', count: 1, identity: 'me' });
    const source = shardedSource(staticSource({ p1: { endpoint: { server: 'https://p1.test' } } }), shards);
    const projects = fleetFactory(env, 'test')({ plane: 'project', source });
    const controller = defineController({
      name: 'writer',
      watches: [watch(projects, ConfigMap, { mapper: self })],
      writes: [{ plane: 'project', kind: ConfigMap, verbs: ['patch'], fields: ['data'], owner: 'test' }],
      async reconcile({ cluster, key }, context) {
        setting.seen.push(key);
        await context.clock.sleep(3_000, context.signal);
        await context.cluster(projects, cluster).write(
          {
            verb: 'patch',
            kind: ConfigMap,
            name: { namespace: 'n', name: 'a' },
            patch: { type: 'merge', body: { data: { done: String(setting.seen.length) } } },
          },
          context,
        );
      },
    });
    project.put(ConfigMap, { metadata: { namespace: 'n', name: 'a' } });
    const run = runManager(env, { fleets: [provider, projects], controllers: [controller], shards }).catch(
      (error: unknown) => error,
    );
    return { ...setting, project, run, shards };
  }

  it('works for the clusters of held shards; on a stop running reconciles end before the shards are given back', async () => {
    const { clock, hub, env, project, seen, run, shards, stop } = sharded();
    await clock.advance(5_000);
    // Ready to take part, with nothing held yet: no cluster is engaged.
    expect([env.health.readyz().ok, project.openWatches(), seen]).toEqual([true, 0, []]);
    await clock.advance(20_000);
    // Its own write made it look again: the second look is under way.
    expect([project.openWatches(), seen.length]).toEqual([1, 2]);
    const written: unknown[] = [];
    using _changes = shards.subscribe((_, change) => {
      if (change === 'closing') written.push(project.get(ConfigMap, { namespace: 'n', name: 'a' })?.data);
    });
    stop();
    expect(await clock.run(run)).toBeUndefined();
    expect(written).toEqual([{ done: '2' }]);
    expect(hub.get(Lease, shardLease)?.spec?.holderIdentity).toBe('');
    expect([clock.pending, hub.openWatches(), project.openWatches()]).toEqual([0, 0, 0]);
  });

  it('goes on when a shard is lost: its cluster is disengaged, and engaged again when the shard comes back', async () => {
    const { clock, hub, project, seen, run, stop } = sharded();
    await clock.advance(24_000);
    hub.put(Lease, {
      metadata: { ...hub.get(Lease, shardLease)?.metadata, ...shardLease },
      spec: { holderIdentity: 'thief', leaseDurationSeconds: 20 },
    });
    await clock.advance(2_000);
    expect(project.openWatches()).toBe(0);
    const before = seen.length;
    await clock.advance(28_000);
    expect(project.openWatches()).toBe(1);
    expect(seen.length).toBeGreaterThan(before);
    stop();
    expect(await clock.run(run)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('ends when an older replica works with another count', async () => {
    const { clock, hub, run } = sharded();
    const name = { namespace: 'system', name: 'app-member-old' };
    const put = (): unknown =>
      hub.put(Lease, {
        metadata: {
          ...name,
          creationTimestamp: '2020-01-01T00:00:00Z',
          labels: { 'lifeline.dev/shards': 'app' },
          annotations: { 'lifeline.dev/shard-count': '7' },
        },
        spec: { holderIdentity: 'old', leaseDurationSeconds: 20 },
      });
    put();
    await clock.advance(1_000);
    put();
    expect(await clock.run(run, 10_000)).toBeInstanceOf(ShardCountError);
    expect(clock.pending).toBe(0);
  });

  it('has an election or shards, not both', async () => {
    const { env, provider } = setUp();
    const shards = createShards(env, { provider, namespace: 'system', name: 'app' });
    const both = { fleets: [provider], controllers: [], shards, election: { provider, lease } };
    await expect(runManager(env, both)).rejects.toThrow('not both');
  });
});
