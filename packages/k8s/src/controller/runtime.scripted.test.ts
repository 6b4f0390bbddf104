/** A controller over real clients, informers and fleets, and scripted API servers. */
import { ConfigMap, hasFinalizer, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createLog } from '../app/log.ts';
import { createMetrics } from '../app/prometheus.ts';
import { createInformer } from '../cache/create-informer.ts';
import { createClient } from '../client/http-client.ts';
import { createRetryBudget } from '../client/retry-budget.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import { createFleet } from '../fleet/fleet.ts';
import { staticSource } from '../fleet/sources/static-source.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { finalizerAddition, finalizerRemoval } from '../write/finalizer-writes.ts';
import { type ControllerSpec, defineController } from './define-controller.ts';
import { noFence } from './fence.ts';
import { self } from './mapper.ts';
import { runController } from './runtime.ts';
import { watch } from './watch.ts';

const ours = 'lifeline.dev/ours';
const name = { namespace: 'default', name: 'a' };

interface World {
  readonly clock: VirtualClock;
  readonly api: ScriptedApi;
  readonly hub: ClusterProvider;
  /** Writes of the controller that changed something or were refused. */
  readonly patches: () => { status: number }[];
  /** What was logged as a warning or worse. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

/** One plane, and one controller on it. */
async function start(define: (hub: ClusterProvider) => Pick<ControllerSpec, 'writes' | 'reconcile'>): Promise<World> {
  const clock = new VirtualClock();
  const complaints: string[] = [];
  const random = seeded('scripted');
  const metrics = createMetrics();
  const log = createLog({ clock, write: (line) => complaints.push(line), level: 'warn' });
  const api = createScriptedApi({ clock, random, kinds: [ConfigMap], latencyMs: 30 });
  const budget = createRetryBudget({ clock, random });
  const hub = createFleet({
    plane: 'hub',
    source: staticSource({ hub: { endpoint: { server: 'https://hub.test' } } }),
    clock,
    log,
    metrics,
    connect: ({ server }) =>
      createClient({ transport: api.transport, baseUrl: server, clock, random, budget, userAgent: 'test' }),
    createInformer: (kind, { client }, options) =>
      createInformer(kind, {
        client,
        clock,
        random,
        metrics,
        log,
        cluster: 'hub',
        plane: 'hub',
        freeze: true,
        ...options,
      }),
  });
  const controller = defineController({
    name: 'test',
    watches: [watch(hub, ConfigMap, { mapper: self })],
    ...define(hub),
  });
  const stopping = new AbortController();
  const running = [
    hub.run(stopping.signal),
    runController(controller, { env: { clock, random, log, metrics }, fence: () => noFence, signal: stopping.signal }),
  ];
  await clock.advance(1000);
  return {
    clock,
    api,
    hub,
    complaints,
    patches: () => api.requests.filter(({ method }) => method === 'PATCH'),
    async stop() {
      stopping.abort(new Error('stop'));
      await clock.run(Promise.all(running));
      await clock.advance(60_000);
      expect(clock.pending).toBe(0);
    },
  };
}

/** Holds every ConfigMap with our finalizer until it is deleted. */
const holder = (hub: ClusterProvider): Pick<ControllerSpec, 'writes' | 'reconcile'> => ({
  writes: [{ plane: 'hub', kind: ConfigMap, verbs: ['patch'], fields: ['metadata.finalizers'], owner: 'test' }],
  async reconcile({ key }, { cluster, signal }) {
    const object = cluster(hub).store(ConfigMap).get(key);
    if (!object) return;
    const deleting = typeof object.metadata.deletionTimestamp === 'string';
    const writes = deleting ? finalizerRemoval(ConfigMap, object, ours) : finalizerAddition(ConfigMap, object, ours);
    for (const write of writes) await cluster(hub).write(write, { signal });
  },
});

describe('runController over scripted planes', () => {
  it('C25: finalizers that others change between our read and our write are neither lost nor brought back', async () => {
    const { clock, api, patches, complaints, stop } = await start(holder);
    api.put(ConfigMap, { metadata: { ...name, finalizers: ['theirs/a'] } });
    // Our patch is on its way when they change the list.
    await clock.advance(10);
    api.put(ConfigMap, { metadata: { ...name, finalizers: ['theirs/b'] } });
    await clock.advance(1000);
    expect(api.get(ConfigMap, name)?.metadata.finalizers).toEqual(['theirs/b', ours]);
    expect(patches().map(({ status }) => status)).toEqual([422, 200]);

    api.put(ConfigMap, {
      metadata: { ...name, finalizers: [ours, 'theirs/b'], deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    await clock.advance(1000);
    expect(api.get(ConfigMap, name)?.metadata.finalizers).toEqual(['theirs/b']);
    await clock.advance(600_000);
    expect(patches()).toHaveLength(3);
    expect(complaints).toEqual([]);
    await stop();
  });

  it('C45: a writer at fifty a second is met with at most ten tries a second, and convergence within two seconds', async () => {
    const { clock, api, patches, stop } = await start(holder);
    for (let bump = 0; bump < 100; bump++) {
      api.put(ConfigMap, { metadata: name, data: { bump: String(bump) } });
      await clock.advance(20);
    }
    const tries = patches();
    expect(tries.length).toBeLessThanOrEqual(21);
    await clock.advance(2000);
    const object = api.get(ConfigMap, name);
    expect(object && hasFinalizer(object, ours)).toBe(true);
    await stop();
  });

  it('a write that was not declared never reaches the server', async () => {
    const refused: unknown[] = [];
    const { api, clock, stop } = await start((hub) => ({
      writes: [{ plane: 'hub', kind: ConfigMap, verbs: ['patch'], fields: ['metadata.labels'], owner: 'test' }],
      async reconcile({ key }, { cluster, signal }) {
        const patch = { type: 'merge' as const, body: { data: { [key]: 'x' } } };
        const write = cluster(hub).write({ verb: 'patch', kind: ConfigMap, name, patch }, { signal });
        await write.catch((error: unknown) => refused.push(error));
      },
    }));
    api.put(ConfigMap, { metadata: name });
    await clock.advance(1000);
    await stop();
    expect(refused).toMatchObject([{ code: 'not-declared' }]);
    expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
