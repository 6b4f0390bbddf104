import { ConfigMap, DeadlineError, type DurationMs, Lease, TerminalError } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../client/kube-error.ts';
import { type Controller, type ControllerSpec, defineController, type ReconcileContext } from './define-controller.ts';
import { noFence } from './fence.ts';
import { configMap, type FakeEnv, fakeEnv, FakeProvider } from './fleet.fixture.ts';
import { byLabel, self } from './mapper.ts';
import type { ReconcileRequest, ReconcileResult } from './request.ts';
import { runController, type RunOptions } from './runtime.ts';
import { watch } from './watch.ts';

type Run = (
  request: ReconcileRequest,
  context: ReconcileContext,
  tries: number,
) => Promise<ReconcileResult | void> | ReconcileResult | void;

interface World extends FakeEnv {
  readonly projects: FakeProvider;
  readonly hub: FakeProvider;
  /** When each reconcile began: `p1 default/a @100`. */
  readonly seen: string[];
  readonly times: (key: string) => number[];
  /** Stops the controller and sees that nothing is left behind. */
  stop(): Promise<void>;
  /** Aborts its signal and waits for nothing. */
  abort(): void;
  readonly ended: Promise<void>;
}

/** A controller that watches ConfigMaps of projects, and those of the hub that are labelled with a project's object. */
function start(
  run: Run,
  {
    spec = {},
    options = {},
    projects = ['p1'],
  }: { spec?: Partial<ControllerSpec>; options?: Partial<RunOptions>; projects?: string[] } = {},
): World {
  const fake = fakeEnv();
  const { clock } = fake;
  const project = new FakeProvider('project', ...projects);
  const hub = new FakeProvider('hub', 'hub');
  const seen: string[] = [];
  const tries = new Map<string, number>();
  const working = new Set<string>();
  const controller: Controller = defineController({
    name: 'test',
    watches: [
      watch(project, ConfigMap, { mapper: self }),
      watch(hub, ConfigMap, { mapper: byLabel({ cluster: 'cluster', namespace: 'namespace', name: 'name' }) }),
    ],
    writes: [{ plane: 'hub', kind: ConfigMap, verbs: ['apply'], fields: ['data'], owner: 'test' }],
    async reconcile(request, context) {
      const name = `${request.cluster} ${request.key}`;
      expect(working.has(name), `${name} is worked on twice at a time`).toBe(false);
      working.add(name);
      seen.push(`${name} @${Math.round(clock.monotonic())}`);
      tries.set(name, (tries.get(name) ?? 0) + 1);
      try {
        return await run(request, context, tries.get(name) ?? 0);
      } finally {
        working.delete(name);
      }
    },
    ...spec,
  });
  const stopping = new AbortController();
  const ended = runController(controller, { env: fake.env, fence: () => noFence, signal: stopping.signal, ...options });
  return {
    ...fake,
    projects: project,
    hub,
    seen,
    times: (key) =>
      seen.filter((entry) => entry.includes(` ${key} @`)).map((entry) => Number(entry.slice(entry.indexOf('@') + 1))),
    ended,
    abort: () => stopping.abort(new Error('stop')),
    async stop() {
      stopping.abort(new Error('stop'));
      await clock.run(ended);
      expect(clock.pending).toBe(0);
      expect([project.subscribers, hub.subscribers, project.waiting, hub.waiting]).toEqual([0, 0, 0, 0]);
      for (const cluster of [...project.list(), ...hub.list()]) {
        for (const informer of cluster.informers())
          expect((informer as unknown as { subscribers: number }).subscribers).toBe(0);
      }
    },
  };
}

/** Sleeps, or fails with the signal's reason. */
const busy = (context: ReconcileContext, ms: DurationMs): Promise<void> => context.clock.sleep(ms, context.signal);

describe('runController', () => {
  it('looks at what is there, at what changes, and at what an object in another plane points to', async () => {
    const world = start(() => undefined);
    const { clock, projects, hub, seen } = world;
    projects.cluster('p1').of(ConfigMap).put(configMap('a'));
    await clock.settle();
    hub
      .cluster('hub')
      .of(ConfigMap)
      .put(configMap('copy', {}, { labels: { cluster: 'p1', namespace: 'web', name: 'b' } }));
    await clock.settle();
    projects.engage('p2', (cluster) => cluster.of(ConfigMap).put(configMap('c')));
    await clock.settle();
    expect(seen).toEqual(['p1 default/a @0', 'p1 web/b @0', 'p2 default/c @0']);
    expect(await world.value('controller_runtime_reconcile_total{controller="test",result="success"}')).toBe(3);
    expect(await world.value('workqueue_adds_total{name="test"}')).toBe(3);
    await world.stop();
  });

  it('C24: a change during a slow reconcile is looked at after it, never beside it', async () => {
    const applied: (string | undefined)[] = [];
    const world = start(async (request, context) => {
      const { data } = context.cluster(world.projects, request.cluster).store(ConfigMap).get(request.key) ?? {};
      await busy(context, 2000);
      applied.push(data?.['rules']);
    });
    const informer = world.projects.cluster('p1').of(ConfigMap);
    informer.put(configMap('web', { rules: 'r0,r1' }));
    await world.clock.advance(5);
    informer.put(configMap('web', { rules: 'r0' }));
    await world.clock.advance(10_000);
    expect(applied).toEqual(['r0,r1', 'r0']);
    expect(world.times('default/web')).toEqual([0, 2000]);
    await world.stop();
  });

  it('looks once more when a look asks for it, however it ends', async () => {
    const world = start((_, { again }, tries) => {
      if (tries < 3) again();
      if (tries === 2) throw new TerminalError('no');
    });
    world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
    await world.clock.advance(1000);
    expect(world.times('default/a')).toEqual([0, 0, 0]);
    await world.stop();
  });

  it('works on as many requests at once as it has workers', async () => {
    const world = start((_, context) => busy(context, 1000), { spec: { workers: 3 } });
    for (const name of ['a', 'b', 'c', 'd']) world.projects.cluster('p1').of(ConfigMap).put(configMap(name));
    await world.clock.advance(500);
    expect(world.seen).toHaveLength(3);
    expect(await world.value('controller_runtime_active_workers{controller="test"}')).toBe(3);
    await world.clock.advance(1000);
    expect(world.seen).toHaveLength(4);
    await world.stop();
  });

  it('looks again after the time that the result names; a look in between replaces it', async () => {
    const world = start((_request, _context, tries) => (tries < 3 ? { after: 30_000 } : undefined));
    const informer = world.projects.cluster('p1').of(ConfigMap);
    informer.put(configMap('a'));
    await world.clock.advance(10_000);
    informer.put(configMap('a', { x: '1' }));
    await world.clock.advance(100_000);
    expect(world.times('default/a')).toEqual([0, 10_000, 40_000]);
    await world.stop();
  });

  it('a reconcile that always wants to run again does not stop the clock', async () => {
    const world = start(() => ({ after: 0 }));
    world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
    await world.clock.advance(50);
    expect(world.seen).toHaveLength(51);
    await world.stop();
  });

  describe('C30: start-up', () => {
    it('an object made while 10,000 others are listed in 300 planes goes before them', async () => {
      const names = Array.from({ length: 300 }, (_, i) => `p${i}`);
      const world = start((_, context) => busy(context, 300), { projects: names });
      for (let i = 0; i < 10_000; i++)
        world.projects
          .cluster(`p${i % 299}`)
          .of(ConfigMap)
          .put(configMap(`old-${i}`), 'list');
      await world.clock.advance(5000);
      world.projects.cluster('p299').of(ConfigMap).put(configMap('conn-new'));
      await world.clock.advance(1000);
      expect(world.times('default/conn-new')[0]).toBeLessThan(5600);
      await world.stop();
    });
  });

  describe('C45: conflicts', () => {
    it('at most ten tries a second while another writer is faster, then done within two seconds; backoff not grown', async () => {
      let writing = true;
      let down = true;
      const world = start(() => {
        if (writing) throw new KubeError('conflict', 'the object has been modified');
        if (!down) return;
        down = false;
        throw new KubeError('unavailable', 'down');
      });
      const informer = world.hub.cluster('hub').of(ConfigMap);
      const labels = { cluster: 'p1', namespace: 'default', name: 'a' };
      for (let bump = 0; bump < 100; bump++) {
        informer.put(configMap('copy', { bump: String(bump) }, { labels }));
        await world.clock.advance(20);
      }
      writing = false;
      const during = world.times('default/a').length;
      expect(during).toBeLessThanOrEqual(21);
      expect(during).toBeGreaterThanOrEqual(12);
      await world.clock.advance(2000);
      const [failed, done, ...more] = world.times('default/a').slice(during);
      expect(more).toEqual([]);
      expect(failed).toBeLessThanOrEqual(2150);
      // The first backoff, after twenty conflicts.
      expect(Number(done) - Number(failed)).toBeLessThanOrEqual(200);
      expect(await world.value('controller_runtime_reconcile_total{controller="test",result="requeue"}')).toBe(during);
      await world.stop();
    });
  });

  it('L7: a conflict that never ends is tried less and less, but a change is looked at within two seconds', async () => {
    const world = start(() => {
      throw new KubeError('already-exists', 'somebody holds the name');
    });
    const informer = world.projects.cluster('p1').of(ConfigMap);
    informer.put(configMap('a'));
    await world.clock.advance(3_600_000);
    expect(world.seen.length).toBeLessThan(1000);
    informer.put(configMap('a', { x: '1' }));
    const changed = world.clock.monotonic();
    await world.clock.advance(2000);
    expect(world.times('default/a').some((time) => time >= changed && time <= changed + 1500)).toBe(true);
    await world.stop();
  });

  describe('failures', () => {
    it.each([
      { name: 'a server that is down', error: () => new KubeError('unavailable', 'down'), level: 'warn' },
      { name: 'an error that we do not know', error: () => new RangeError('a bug'), level: 'error' },
    ])('$name: later and later; a change is looked at at once', async ({ error, level }) => {
      const world = start((_request, _context, tries) => {
        if (tries <= 6) throw error();
      });
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.advance(3000);
      const gaps = world
        .times('default/a')
        .map((time, i, all) => time - (all[i - 1] ?? 0))
        .slice(1);
      expect(gaps.length).toBeGreaterThanOrEqual(3);
      for (const [i, gap] of gaps.entries()) {
        expect(gap).toBeGreaterThanOrEqual(100 * 2 ** i);
        expect(gap).toBeLessThanOrEqual(200 * 2 ** i);
      }
      const before = world.seen.length;
      informer.put(configMap('a', { x: '1' }));
      await world.clock.settle();
      expect(world.seen.length).toBe(before + 1);
      expect(world.lines.filter((line) => line.level === level)).toHaveLength(before + 1);
      await world.clock.advance(60_000);
      const after = world.seen.length;
      await world.clock.advance(60_000);
      expect(world.seen.length).toBe(after);
      await world.stop();
    });

    it('an error thrown outside of any promise is a failure like others', async () => {
      const world = start(() => undefined, {
        spec: {
          reconcile: () => {
            throw new RangeError('at once');
          },
        },
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      expect(await world.value('workqueue_retries_total{name="test"}')).toBeGreaterThanOrEqual(2);
      await world.stop();
    });

    it('C38: what the server asks for in Retry-After is kept, whatever changes meanwhile; a longer backoff wins', async () => {
      const world = start((_request, _context, tries) => {
        if (tries === 1) throw new KubeError('throttled', 'slow down', { retryAfterMs: 7000 });
      });
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.advance(1000);
      informer.put(configMap('a', { x: '1' }));
      await world.clock.advance(5999);
      expect(world.times('default/a')).toEqual([0]);
      await world.clock.advance(1);
      expect(world.times('default/a')).toEqual([0, 7000]);
      await world.stop();
    });

    it('C26: one that no retry helps waits for the floor or a change, and others are served', async () => {
      const world = start(
        ({ key }) => {
          if (key === 'default/bad') throw new KubeError('invalid', 'spec: refused');
        },
        { spec: { floorMs: 60_000 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('bad'));
      for (let i = 0; i < 100; i++) informer.put(configMap(`good-${i}`));
      await world.clock.advance(50_000);
      expect(world.times('default/bad').length).toBeLessThanOrEqual(2);
      expect(new Set(world.seen.map((entry) => entry.split(' ')[1])).size).toBe(101);
      const before = world.times('default/bad').length;
      informer.put(configMap('bad', { fixed: 'no' }));
      await world.clock.settle();
      expect(world.times('default/bad').length).toBe(before + 1);
      await world.stop();
    });

    it('one that is forbidden is tried again later and later, up to the floor: a server that has just started knows no roles yet', async () => {
      const world = start(
        (_request, _context, tries) => {
          if (tries !== 5) throw new KubeError('forbidden', 'no such role');
        },
        { spec: { floorMs: 600_000 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.advance(10_000);
      expect(world.times('default/a')).toHaveLength(5);
      informer.put(configMap('a', { x: '1' }));
      await world.clock.advance(3 * 3_600_000);
      const times = world.times('default/a').slice(5);
      const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      // 200 ms, twice as long each time.
      expect(Math.max(...waits.slice(0, 3))).toBeLessThanOrEqual(800);
      // The floor itself looks every ten minutes too.
      expect(times.filter((at) => at > 2 * 3_600_000).length).toBeLessThanOrEqual(20);
      await world.stop();
    });

    it('one that has been forbidden for long is before nothing that may work', async () => {
      const world = start(
        async ({ key }, context) => {
          if (key === 'default/bad') throw new KubeError('forbidden', 'no such role');
          await busy(context, key === 'default/long' ? 55_000 : 100);
        },
        { spec: { workers: 1, floorMs: 3_600_000 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('bad'));
      // By now it is tried every 13 to 51 s.
      await world.clock.advance(40_000);
      const before = world.seen.length;
      informer.put(configMap('long'));
      await world.clock.advance(54_000);
      for (const name of ['a', 'b', 'c']) informer.put(configMap(name));
      await world.clock.advance(3_000);
      const keys = world.seen.slice(before).map((entry) => entry.split(' ')[1]);
      expect(keys).toEqual(['default/long', 'default/a', 'default/b', 'default/c', 'default/bad']);
      await world.stop();
    });

    it('a terminal error is said and counted, and only a change or the floor makes it look again', async () => {
      const world = start(
        () => {
          throw new TerminalError('cannot be');
        },
        { spec: { floorMs: 60_000 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.settle();
      informer.put(configMap('a', { x: '1' }));
      await world.clock.settle();
      expect(world.times('default/a')).toEqual([0, 0]);
      expect(await world.value('workqueue_retries_total{name="test"}')).toBeUndefined();
      await world.clock.advance(66_000);
      expect(world.times('default/a')).toHaveLength(3);
      expect(await world.value('controller_runtime_reconcile_total{controller="test",result="terminal"}')).toBe(3);
      expect(world.lines.filter(({ level }) => level === 'error')).toHaveLength(3);
      expect(world.lines[0]).toMatchObject({
        controller: 'test',
        cluster: 'p1',
        namespace: 'default',
        name: 'a',
        error: 'terminal: cannot be',
      });
      await world.stop();
    });

    it('a deadline ends a reconcile, and is told apart from a stop', async () => {
      let reason: unknown;
      const world = start(async (_request, context, tries) => {
        if (tries > 1) return;
        await busy(context, 600_000).catch((error: unknown) => {
          reason = error;
          throw new Error('in the middle of something', { cause: new TerminalError('a wrong guess') });
        });
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(59_999);
      expect(reason).toBeUndefined();
      await world.clock.advance(1000);
      expect(String(reason)).toContain('deadline: not done within 60000 ms');
      expect(world.times('default/a')).toHaveLength(2);
      expect(await world.value('controller_runtime_reconcile_total{controller="test",result="error"}')).toBe(1);
      await world.stop();
    });

    it('a request stays with a reconcile that ignores its deadline: no second one beside it', async () => {
      const world = start((_, context) => context.clock.sleep(200_000));
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.advance(100_000);
      informer.put(configMap('a', { x: '1' }));
      await world.clock.advance(99_000);
      expect(world.times('default/a')).toEqual([0]);
      expect(await world.value('workqueue_longest_running_processor_seconds{name="test"}')).toBe(199);
      await world.clock.advance(2000);
      expect(world.times('default/a')).toEqual([0, 200_000]);
      await world.stop();
    });
  });

  describe('clusters that are not ready', () => {
    const read: Run = (request, context) => {
      // Throws inside `start`'s reconcile, as a controller's own read would.
      context.cluster(parkedIn.world.projects, request.cluster).store(ConfigMap).get(request.key);
    };
    const parkedIn: { world: World } = { world: undefined as unknown as World };
    const parked = (): Promise<number | undefined> =>
      parkedIn.world.value('lifeline_parked_requests{controller="test"}');

    it('B04: nothing is concluded from a cache that has not synced: the request waits, once, and goes on when it has', async () => {
      const read2: Run = (request, context) => void context.cluster(world.hub).store(ConfigMap).get(request.key);
      const world = start(read2);
      parkedIn.world = world;
      const hub = world.hub.cluster('hub');
      hub.of(ConfigMap).status = { at: 'syncing' };
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      await world.clock.advance(200);
      informer.put(configMap('a', { x: '1' }));
      await world.clock.advance(60_000);
      expect(world.seen).toHaveLength(2);
      expect([hub.waiting, await parked()]).toEqual([1, 1]);
      hub.sync(ConfigMap);
      await world.clock.settle();
      await world.clock.advance(1);
      expect(world.seen).toHaveLength(3);
      expect([hub.waiting, await parked()]).toEqual([0, 0]);
      expect(await world.value('controller_runtime_reconcile_total{controller="test",result="parked"}')).toBe(2);
      expect(world.lines.filter(({ level }) => level !== 'debug')).toEqual([]);
      await world.stop();
    });

    it('a request for a plane that is not engaged yet is looked at when it is', async () => {
      const world = start((request, context) => read(request, context, 0));
      parkedIn.world = world;
      world.hub
        .cluster('hub')
        .of(ConfigMap)
        .put(configMap('copy', {}, { labels: { cluster: 'p9', namespace: 'default', name: 'a' } }));
      await world.clock.advance(1000);
      expect([world.seen.length, await parked()]).toEqual([1, 1]);
      world.projects.engage('p9');
      await world.clock.advance(1);
      expect([world.seen.length, await parked()]).toEqual([2, 0]);
      await world.stop();
    });

    it('a suspended plane’s requests wait until it is resumed', async () => {
      const world = start((request, context) => read(request, context, 0));
      parkedIn.world = world;
      world.projects.suspend('p1');
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      expect([world.seen.length, await parked()]).toEqual([1, 1]);
      world.projects.resume('p1');
      await world.clock.advance(1);
      expect([world.seen.length, await parked()]).toEqual([2, 0]);
      await world.stop();
    });

    it('a readiness that says yes and means no cannot make a request spin', async () => {
      const world = start((request, context) => read(request, context, 0));
      parkedIn.world = world;
      world.projects.suspend('p1');
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      for (let i = 0; i < 100; i++) {
        world.projects.resume('p1');
        world.projects.suspend('p1');
        await world.clock.advance(10);
      }
      expect(world.seen.length).toBeLessThanOrEqual(12);
      await world.stop();
    });

    it('what is parked for a plane that never comes is forgotten when nothing asks for it any more', async () => {
      const world = start((request, context) => read(request, context, 0), { spec: { floorMs: 60_000 } });
      parkedIn.world = world;
      const hub = world.hub.cluster('hub').of(ConfigMap);
      hub.put(configMap('copy', {}, { labels: { cluster: 'p9', namespace: 'default', name: 'a' } }));
      await world.clock.advance(600_000);
      expect([world.projects.waiting, await parked()]).toEqual([1, 1]);
      hub.remove('default/copy');
      await world.clock.advance(200_000);
      expect([world.projects.waiting, await parked()]).toEqual([0, 0]);
      await world.stop();
    });
  });

  describe('a cluster that goes', () => {
    it('C28: takes its requests along, wherever they are, and stops what runs', async () => {
      const world = start(
        async (request, context) => {
          const { key } = request;
          if (key === 'default/slow') await busy(context, 30_000);
          if (key === 'default/later') return { after: 30_000 };
          if (key === 'default/failing') throw new KubeError('unavailable', 'down');
          if (key === 'default/parked') context.cluster(world.projects, 'p9');
          return {};
        },
        { spec: { workers: 2 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      for (const name of ['later', 'failing', 'parked', 'slow']) informer.put(configMap(name));
      await world.clock.advance(50);
      const before = world.seen.length;
      world.projects.disengage('p1');
      await world.clock.advance(120_000);
      expect(world.seen.length).toBe(before);
      expect(world.projects.waiting).toBe(0);
      expect(informer.subscribers).toBe(0);
      expect(await world.value('controller_runtime_reconcile_total{controller="test",result="stopped"}')).toBe(1);
      await world.stop();
    });

    it('C28: 500 rounds of coming and going leave nothing behind', async () => {
      const world = start(() => ({ after: 1000 }));
      const pending = world.clock.pending;
      for (let round = 0; round < 500; round++) {
        world.projects.engage('p2', (cluster) => cluster.of(ConfigMap).put(configMap('a')));
        await world.clock.advance(10);
        world.projects.disengage('p2');
      }
      await world.clock.settle();
      expect(world.clock.pending).toBe(pending);
      expect(world.seen).toHaveLength(500);
      await world.stop();
    });

    it('its successor of the same name starts afresh', async () => {
      const world = start((_request, _context, tries) => {
        if (tries <= 8) throw new KubeError('unavailable', 'down');
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(30_000);
      world.projects.disengage('p1');
      const before = world.seen.length;
      world.projects.engage('p1', (cluster) => cluster.of(ConfigMap).put(configMap('a')));
      await world.clock.settle();
      expect(world.seen.length).toBe(before + 1);
      await world.stop();
    });

    it('one plane’s cluster may go while another’s of the same name stays', async () => {
      const world = start(() => undefined, { projects: ['hub'] });
      world.projects.disengage('hub');
      world.hub
        .cluster('hub')
        .of(ConfigMap)
        .put(configMap('copy', {}, { labels: { cluster: 'hub', namespace: 'default', name: 'a' } }));
      await world.clock.settle();
      expect(world.seen).toEqual(['hub default/a @0']);
      await world.stop();
    });

    it('a request under way when one plane’s cluster goes is looked at again for another plane’s of the same name', async () => {
      const world = start((_, context) => busy(context, 5_000), { projects: ['hub'] });
      const labels = { cluster: 'hub', namespace: 'default', name: 'a' };
      world.hub
        .cluster('hub')
        .of(ConfigMap)
        .put(configMap('copy', {}, { labels }));
      await world.clock.advance(1_000);
      world.projects.disengage('hub');
      await world.clock.advance(10_000);
      expect(world.seen).toEqual(['hub default/a @0', 'hub default/a @1000']);
      await world.stop();
    });
  });

  describe('the floor', () => {
    it('finds what no event told of, within floorMs + 10 %, behind what is fresh', async () => {
      const world = start(() => undefined, { spec: { floorMs: 100_000 } });
      const informer = world.projects.cluster('p1').of(ConfigMap);
      for (let i = 0; i < 20; i++) informer.putUnseen(configMap(`lost-${i}`));
      world.hub
        .cluster('hub')
        .of(ConfigMap)
        .putUnseen(configMap('copy', {}, { labels: { cluster: 'p1', namespace: 'web', name: 'b' } }));
      await world.clock.advance(110_000);
      expect(new Set(world.seen.map((entry) => entry.split(' ')[1])).size).toBe(21);
      await world.stop();
    });

    it('reads a plane that is suspended: its requests are parked, not lost', async () => {
      const world = start((request, context) => void context.cluster(world.projects, request.cluster), {
        spec: { floorMs: 100_000 },
      });
      world.projects.suspend('p1');
      world.projects.cluster('p1').of(ConfigMap).putUnseen(configMap('lost'));
      await world.clock.advance(110_000);
      expect(await world.value('lifeline_parked_requests{controller="test"}')).toBe(1);
      await world.stop();
    });
  });

  describe('the end', () => {
    it('what runs may finish in the grace time; nothing new begins; nothing is logged as an error', async () => {
      const finished: string[] = [];
      const world = start(
        async ({ key }, context) => {
          await busy(context, 5000);
          finished.push(key);
          return { after: 1 };
        },
        { spec: { workers: 1 } },
      );
      const informer = world.projects.cluster('p1').of(ConfigMap);
      informer.put(configMap('a'));
      informer.put(configMap('b'));
      await world.clock.advance(1000);
      await world.stop();
      expect(finished).toEqual(['default/a']);
      expect(world.seen).toEqual(['p1 default/a @0']);
      expect(world.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    });

    it('what runs longer is told to stop, silently', async () => {
      let reason: unknown;
      const world = start(
        (_, context) =>
          busy(context, 50_000).catch((error: unknown) => {
            reason = error;
            throw error;
          }),
        { options: { graceMs: 3000 } },
      );
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      world.abort();
      await world.clock.advance(2999);
      expect(reason).toBeUndefined();
      await world.clock.advance(1);
      await world.ended;
      expect(String(reason)).toBe('Error: stop');
      expect(world.lines).toEqual([]);
      await world.stop();
    });

    it('what is not ready at the very end waits for nothing any more', async () => {
      const world = start(async ({ cluster }, context) => {
        await busy(context, 1000);
        context.cluster(world.projects, cluster);
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(500);
      world.projects.suspend('p1');
      await world.stop();
    });

    it('without leadership nothing gets a grace time: it could write nothing', async () => {
      const world = start((_, context) => busy(context, 50_000), {
        options: { fence: () => ({ certainFor: () => 0 }) },
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      world.abort();
      await world.clock.settle();
      await world.ended;
      expect(world.clock.monotonic()).toBe(1000);
      await world.stop();
    });

    it.each([new Error('stop'), new DeadlineError('the source took too long')])(
      'without leadership, what is past its deadline when the controller stops has been stopped, not failed: %s',
      async (reason) => {
        const stopping = new AbortController();
        const world = start(
          async (_, { clock }) => {
            await clock.sleep(1500);
            throw new Error('late');
          },
          {
            spec: { deadlineMs: 1000 },
            options: { fence: () => ({ certainFor: () => 0 }), signal: stopping.signal },
          },
        );
        world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
        await world.clock.advance(1200);
        stopping.abort(reason);
        await world.clock.run(world.ended);
        expect(await world.value('controller_runtime_reconcile_total{controller="test",result="stopped"}')).toBe(1);
        expect(world.lines.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
      },
    );

    it('the fence is that of the request’s cluster: one that is without leadership gets no grace time, the other does', async () => {
      const ends: string[] = [];
      const world = start(
        async ({ cluster }, context) => {
          await busy(context, 5000).catch(() => undefined);
          ends.push(`${cluster} @${context.clock.monotonic()}`);
        },
        { projects: ['p1', 'p2'], options: { fence: (name) => ({ certainFor: () => (name === 'p1' ? 0 : 60_000) }) } },
      );
      for (const name of ['p1', 'p2']) world.projects.cluster(name).of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      await world.stop();
      expect(ends).toEqual(['p1 @1000', 'p2 @5000']);
    });

    it('tells the fence of each reconcile, from its beginning to its end', async () => {
      let entered = 0;
      const enter = (): Disposable => (entered++, { [Symbol.dispose]: () => void entered-- });
      const world = start((_, context) => busy(context, 500), {
        options: { fence: () => ({ certainFor: () => Infinity, enter }) },
      });
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      world.projects.cluster('p1').of(ConfigMap).put(configMap('b'));
      await world.clock.advance(400);
      expect(entered).toBe(2);
      await world.clock.advance(200);
      expect(entered).toBe(0);
      await world.stop();
    });

    it('a controller whose signal has aborted never starts', async () => {
      const stopped = new AbortController();
      stopped.abort(new Error('stop'));
      const world = start(() => undefined, { options: { signal: stopped.signal } });
      await world.ended;
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      expect(world.seen).toEqual([]);
      await world.stop();
    });
  });

  describe('context.record', () => {
    it('writes an Event in the name of the controller, after the reconcile that said it', async () => {
      const world = start(
        ({ cluster }, context) =>
          context.record(context.cluster(world.projects, cluster), {
            regarding: configMap('a'),
            type: 'Normal',
            reason: 'Seen',
            action: 'Look',
            note: 'seen',
          }),
        { spec: { events: ['project'] } },
      );
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.settle();
      expect(world.projects.cluster('p1').sent).toMatchObject([
        { verb: 'create', target: expect.stringMatching(/ a\./) as string },
      ]);
      await world.stop();
    });
  });

  describe('context.cluster', () => {
    it('needs no name where there is one cluster, and one where there are several', async () => {
      const found: string[] = [];
      const world = start(
        (_, context) => {
          found.push(context.cluster(world.hub).name);
          found.push(context.cluster(world.projects).name);
        },
        { projects: ['p1', 'p2'] },
      );
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.settle();
      expect(found).toEqual(['hub']);
      expect(world.lines.find(({ level }) => level === 'error')?.['error']).toContain(
        'ambiguous-cluster: plane project has several clusters',
      );
      await world.stop();
    });

    it('waits for the first cluster where there is none', async () => {
      const world = start((_, context) => {
        context.cluster(world.hub);
      });
      world.hub.disengage('hub');
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.advance(1000);
      expect(world.seen).toHaveLength(1);
      world.hub.engage('hub');
      await world.clock.advance(1);
      expect(world.seen).toHaveLength(2);
      await world.stop();
    });

    it('reads only what the controller watches', async () => {
      const world = start((request, context) => void context.cluster(world.projects, request.cluster).store(Lease));
      world.projects.cluster('p1').of(ConfigMap).put(configMap('a'));
      await world.clock.settle();
      expect(world.lines.map(({ error }) => error)).toEqual([expect.stringContaining('not-declared')]);
      await world.stop();
    });
  });
});
