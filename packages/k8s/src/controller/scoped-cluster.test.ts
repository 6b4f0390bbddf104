import { ConfigMap, type DurationMs, Lease, Namespace, Secret, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createLog } from '../app/log.ts';
import type { Metrics } from '../app/metrics.ts';
import { createMetrics } from '../app/prometheus.ts';
import { isKubeError, type KubeErrorCode } from '../client/kube-error.ts';
import { ClusterNotReadyError, type ScopedCluster, type Write } from '../fleet/cluster.ts';
import { type Controller, defineController } from './define-controller.ts';
import { createEventRecorder } from './event-recorder.ts';
import { type Fence, noFence } from './fence.ts';
import { configMap, type FakeCluster, FakeProvider } from './fleet.fixture.ts';
import { self } from './mapper.ts';
import { recordIn, scopedCluster } from './scoped-cluster.ts';
import { watch } from './watch.ts';
import { WriteGuard } from './write-guard.ts';

interface World {
  readonly clock: VirtualClock;
  readonly provider: FakeProvider;
  readonly cluster: FakeCluster;
  readonly scope: ScopedCluster;
  /** Reads of one kind, that is not watched, and Events in this plane. */
  readonly reader: ScopedCluster;
  readonly metrics: Metrics;
  /** Calls under way that the fence was told of. */
  readonly entered: () => number;
  /** Leadership is certain until this time. */
  certainUntil: DurationMs;
  readonly signal: AbortSignal;
  readonly stop: AbortController;
}

function setUp(): World {
  const clock = new VirtualClock();
  const provider = new FakeProvider('hub', 'hub');
  const stop = new AbortController();
  const controller = defineController({
    name: 'test',
    watches: [watch(provider, ConfigMap, { mapper: self })],
    writes: [
      {
        plane: 'hub',
        kind: ConfigMap,
        verbs: ['create', 'apply', 'patch', 'delete'],
        fields: ['data'],
        owner: 'test-owner',
      },
      { plane: 'hub', kind: Lease, verbs: ['create'], fields: ['*'], owner: 'test-owner', reads: true },
      { plane: 'hub', kind: Namespace, verbs: ['create'], fields: ['*'], owner: 'test-owner' },
    ],
    reconcile: () => Promise.resolve(),
  });
  const reading = defineController({
    name: 'reading',
    watches: [watch(provider, ConfigMap, { mapper: self })],
    writes: [],
    reads: [{ plane: 'hub', kind: Namespace, verbs: ['get'] }],
    events: ['hub'],
    reconcile: () => Promise.resolve(),
  });
  const world = { certainUntil: Infinity };
  let entered = 0;
  const fence: Fence = {
    certainFor: () => Math.max(0, world.certainUntil - clock.monotonic()),
    enter: () => (entered++, { [Symbol.dispose]: () => void entered-- }),
  };
  const metrics = createMetrics();
  const log = createLog({ clock, write: () => undefined });
  const recorder = createEventRecorder({ clock, random: seeded('events'), log, metrics, instance: 'test-0' });
  const scopeOf = (one: Controller): ScopedCluster =>
    scopedCluster(provider, 'hub', {
      controller: one,
      guard: new WriteGuard(one),
      clock,
      fence,
      recorder,
      life: stop.signal,
    });
  return Object.assign(world, {
    clock,
    provider,
    cluster: provider.cluster('hub'),
    scope: scopeOf(controller),
    reader: scopeOf(reading),
    metrics,
    entered: () => entered,
    stop,
    signal: stop.signal,
  });
}

const name = { namespace: 'default', name: 'a' };
const object = { metadata: name, data: { x: '1' } };
const patch: Write = { verb: 'patch', kind: ConfigMap, name, patch: { type: 'merge', body: { data: { x: '1' } } } };

const failsWith = async (work: Promise<unknown>, code: KubeErrorCode): Promise<void> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isKubeError(error, code), String(error)).toBe(true);
};

describe('ScopedCluster.write', () => {
  it.each<{ write: Write; sent: object }>([
    {
      write: { verb: 'create', kind: ConfigMap, object },
      sent: { verb: 'create', target: 'ConfigMap a', options: { fieldManager: 'test-owner' } },
    },
    {
      write: { verb: 'apply', kind: ConfigMap, object, force: true },
      sent: { verb: 'apply', options: { fieldManager: 'test-owner', force: true } },
    },
    { write: patch, sent: { verb: 'patch', target: 'ConfigMap a', options: { fieldManager: 'test-owner' } } },
    {
      write: { ...patch, fieldValidation: 'Ignore' },
      sent: { verb: 'patch', options: { fieldManager: 'test-owner', fieldValidation: 'Ignore' } },
    },
    {
      write: { verb: 'delete', kind: ConfigMap, name, uid: 'u' },
      sent: { verb: 'delete', target: 'ConfigMap a', options: { uid: 'u' } },
    },
  ])('carries out a $write.verb in the owner’s name', async ({ write, sent }) => {
    const { clock, cluster, scope, signal } = setUp();
    await scope.write(write, { signal });
    expect(cluster.sent).toMatchObject([sent]);
    expect(cluster.sent[0]?.options.admit).toBeTypeOf('function');
    expect(clock.pending).toBe(0);
  });

  it('sends nothing that was not declared', async () => {
    const { cluster, scope, signal } = setUp();
    await failsWith(scope.write({ verb: 'create', kind: Secret, object }, { signal }), 'not-declared');
    await failsWith(
      scope.write({ ...patch, patch: { type: 'merge', body: { immutable: true } } }, { signal }),
      'not-declared',
    );
    expect(cluster.sent).toEqual([]);
  });

  it('B20: sends nothing without leadership', async () => {
    const world = setUp();
    world.certainUntil = 0;
    await failsWith(world.scope.write(patch, world), 'fenced');
    expect(world.cluster.sent).toEqual([]);
  });

  it('B20, C48: a write that waited while leadership ran out does not leave', async () => {
    const world = setUp();
    world.certainUntil = 5000;
    // A pool without a free stream: the request waits, then asks whether it may still go.
    let left = false;
    world.cluster.answer = async ({ options }) => {
      await world.clock.sleep(20_000);
      options.admit?.();
      left = true;
    };
    const write = world.scope.write(patch, world);
    const failed = failsWith(write, 'fenced');
    await world.clock.advance(30_000);
    await failed;
    expect(left).toBe(false);
  });

  it('B20, C48: a queued write that wakes from a stall does not leave, though no timer has fired yet', async () => {
    const world = setUp();
    world.certainUntil = 5000;
    let admitted: unknown;
    world.cluster.answer = ({ options }) => {
      // The event loop blocked for 40 s: time moved, timers did not run.
      world.certainUntil = world.clock.monotonic();
      try {
        options.admit?.();
        admitted = true;
      } catch (error) {
        admitted = error;
        throw error;
      }
    };
    await failsWith(world.scope.write(patch, world), 'fenced');
    expect(isKubeError(admitted, 'fenced')).toBe(true);
  });

  it('leadership that was given up stops a write that had time left', async () => {
    const world = setUp();
    world.certainUntil = 20_000;
    world.cluster.answer = async ({ options }) => {
      await world.clock.sleep(100);
      world.certainUntil = 0;
      options.admit?.();
    };
    const failed = failsWith(world.scope.write(patch, world), 'fenced');
    await world.clock.advance(200);
    await failed;
  });

  it.each([
    { certainMs: 5000, limitMs: 5000 },
    { certainMs: 90_000, limitMs: 30_000 },
    { certainMs: Infinity, limitMs: 30_000 },
  ])(
    'with $certainMs ms of leadership its deadline is $limitMs ms; past that nobody knows whether it happened',
    async ({ certainMs, limitMs }) => {
      const world = setUp();
      world.certainUntil = certainMs;
      let aborted: number | undefined;
      world.cluster.answer = ({ options }) => {
        options.admit?.();
        return new Promise((_, reject) => {
          options.signal?.addEventListener('abort', () => {
            aborted = world.clock.monotonic();
            reject(options.signal?.reason as Error);
          });
        });
      };
      const failed = failsWith(world.scope.write(patch, world), 'timeout');
      await world.clock.advance(100_000);
      await failed;
      expect(aborted).toBe(limitMs);
      expect(world.clock.pending).toBe(0);
    },
  );

  it('a caller’s abort is the caller’s, not a deadline', async () => {
    const world = setUp();
    world.cluster.answer = ({ options }) =>
      new Promise((_, reject) =>
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error)),
      );
    const write = world.scope.write(patch, world);
    const failed = expect(write).rejects.toThrow('stop');
    world.stop.abort(new Error('stop'));
    await failed;
    expect(world.clock.pending).toBe(0);
  });

  it('C28: a plane that was suspended meanwhile takes no write, not even one that was on its way', async () => {
    const world = setUp();
    world.cluster.answer = ({ options }) => {
      world.provider.suspend('hub');
      options.admit?.();
    };
    await expect(world.scope.write(patch, world)).rejects.toBeInstanceOf(ClusterNotReadyError);
    await expect(world.scope.write(patch, world)).rejects.toBeInstanceOf(ClusterNotReadyError);
    expect(world.cluster.sent).toHaveLength(1);
  });

  it('C28: a plane that was made anew takes no write that was meant for the old one', async () => {
    const world = setUp();
    world.provider.disengage('hub');
    const anew = world.provider.engage('hub');
    await expect(world.scope.write(patch, world)).rejects.toThrow('disengaged');
    expect([...world.cluster.sent, ...anew.sent]).toEqual([]);
  });
});

describe('ScopedCluster reads', () => {
  it('gives the store of a watched kind, and refuses the others: what is not watched is not known', () => {
    const { cluster, scope } = setUp();
    cluster.of(ConfigMap).put(configMap('a', { x: '1' }));
    expect(scope.store(ConfigMap).get('default/a')?.data).toEqual({ x: '1' });
    expect(() => scope.store(Lease)).toThrow('did not declare: a watch of Lease');
  });

  it('gives no store before it has synced, nor while the plane is suspended', () => {
    const { cluster, provider, scope } = setUp();
    cluster.of(ConfigMap).status = { at: 'syncing' };
    expect(() => scope.store(ConfigMap)).toThrow(ClusterNotReadyError);
    cluster.sync(ConfigMap);
    provider.suspend('hub');
    expect(() => scope.store(ConfigMap)).toThrow(ClusterNotReadyError);
  });

  it('reads live what is watched, or declared as read', async () => {
    const { provider, scope, signal } = setUp();
    expect(await scope.live.find(ConfigMap, { name: 'absent' }, { signal })).toBeUndefined();
    expect(await scope.live.find(Lease, { name: 'a' }, { signal })).toBeDefined();
    await failsWith(scope.live.find(Namespace, { name: 'a' }, { signal }), 'not-declared');
    await failsWith(scope.live.list(Secret, { signal }), 'not-declared');
    const { reader } = setUp();
    expect(await reader.live.find(Namespace, { name: 'a' }, { signal })).toBeDefined();
    await failsWith(reader.live.find(Lease, { name: 'a' }, { signal }), 'not-declared');
    await failsWith(reader.live.list(Namespace, { signal }), 'not-declared');
    provider.suspend('hub');
    await expect(scope.live.find(ConfigMap, { name: 'a' }, { signal })).rejects.toBeInstanceOf(ClusterNotReadyError);
  });

  it('is not to be had of a cluster that is not engaged', () => {
    const { provider, clock } = setUp();
    const controller = defineController({
      name: 'other',
      watches: [watch(provider, ConfigMap, { mapper: self })],
      writes: [],
      reconcile: () => Promise.resolve(),
    });
    const recorder = { record: () => undefined };
    const { signal } = new AbortController();
    const options = { controller, guard: new WriteGuard(controller), clock, fence: noFence, recorder, life: signal };
    expect(() => scopedCluster(provider, 'other', options)).toThrow(ClusterNotReadyError);
  });
});

describe('recordIn', () => {
  const event = { regarding: configMap('a'), type: 'Warning', reason: 'Odd', action: 'Look', note: 'odd' } as const;
  const refused = async ({ metrics }: World): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('lifeline_events_refused_total{'));

  it('writes an Event through the fence', async () => {
    const world = setUp();
    recordIn(world.reader, event);
    await world.clock.advance(0);
    expect(world.cluster.sent).toMatchObject([{ verb: 'create', options: { fieldManager: 'lifeline-events' } }]);
    expect(world.cluster.sent[0]?.options.admit).toBeTypeOf('function');
    expect([await refused(world), world.entered(), world.clock.pending]).toEqual([[], 0, 0]);
  });

  it('throws where the controller did not declare Events, and for a cluster that is none of ours', () => {
    const { scope, reader, cluster } = setUp();
    expect(() => recordIn(scope, event)).toThrow('did not declare: events in plane hub');
    expect(() => recordIn({ ...reader, name: 'hub' }, event)).toThrow(TypeError);
    expect(cluster.sent).toEqual([]);
  });

  it('without leadership nothing is sent, and it counts as refused', async () => {
    const world = setUp();
    world.certainUntil = 0;
    recordIn(world.reader, event);
    await world.clock.advance(0);
    expect(world.cluster.sent).toEqual([]);
    expect(await refused(world)).toEqual(['lifeline_events_refused_total{reason="fenced"} 1']);
  });

  it('an Event that waited while leadership ran out does not leave; work under the fence ends with it', async () => {
    const world = setUp();
    world.certainUntil = 5000;
    let left = false;
    world.cluster.answer = async ({ options }) => {
      await world.clock.sleep(20_000);
      options.admit?.();
      left = true;
    };
    recordIn(world.reader, event);
    expect(world.entered()).toBe(1);
    await world.clock.advance(30_000);
    expect([left, world.entered()]).toEqual([false, 0]);
    expect(await refused(world)).toEqual(['lifeline_events_refused_total{reason="fenced"} 1']);
  });

  it('what is under way ends with the controller, and nobody counts it', async () => {
    const world = setUp();
    world.cluster.answer = ({ options }) =>
      new Promise((_, reject) =>
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error)),
      );
    recordIn(world.reader, event);
    await world.clock.advance(10);
    world.stop.abort(new Error('the controller has ended'));
    await world.clock.advance(0);
    expect([await refused(world), world.entered(), world.clock.pending]).toEqual([[], 0, 0]);
  });
});
