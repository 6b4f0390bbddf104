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
