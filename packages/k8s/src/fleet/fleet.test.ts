import { defineKind, type Kind, type KubeObject, objectMetaSchema, untilAborted } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { InformerStatus } from '../cache/informer.ts';
import { createLog } from '../app/log.ts';
import { createMetrics } from '../app/prometheus.ts';
import type { Client } from '../client/client.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import { ClusterNotReadyError, type ClusterProvider, type FleetControl } from './cluster.ts';
import type { RunningInformer } from './engaged-cluster.ts';
import { createFleet } from './fleet.ts';

const Thing: Kind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
  statusSubresource: false,
  schema: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema }),
});

interface FakeInformer extends RunningInformer<KubeObject> {
  readonly replaced: number;
  sync(): void;
}

/** Connections and informers that only count. */
function setUp(): {
  clock: VirtualClock;
  provider: ClusterProvider;
  fleet: FleetControl;
  informers: FakeInformer[];
  connections: { server: string; signal: AbortSignal }[];
  lines: string[];
  stop: () => Promise<void>;
  text: () => Promise<string>;
} {
  const clock = new VirtualClock();
  const informers: FakeInformer[] = [];
  const connections: { server: string; signal: AbortSignal }[] = [];
  const lines: string[] = [];
  const metrics = createMetrics();
  const control: { fleet?: FleetControl } = {};
  const provider = createFleet({
    plane: 'project',
    clock,
    log: createLog({ clock, write: (line) => lines.push(line) }),
    metrics,
    connect(endpoint, signal) {
      connections.push({ server: endpoint.server, signal });
      return {} as Client;
    },
    createInformer: (kind) => {
      const informer = fakeInformer(kind);
      informers.push(informer);
      return informer as never;
    },
    async source(fleet, signal) {
      control.fleet = fleet;
      await untilAborted(signal);
    },
  });
  const running = new AbortController();
  const run = provider.run(running.signal);
  return {
    clock,
    provider,
    fleet: control.fleet as FleetControl,
    informers,
    connections,
    lines,
    stop: async () => {
      running.abort(new Error('stop'));
      await run;
    },
    text: () => metrics.text(),
  };
}

function fakeInformer(kind: Kind): FakeInformer {
  let status: InformerStatus = { at: 'syncing' };
  let wake: (() => void)[] = [];
  let replaced = 0;
  return {
    kind,
    store: { size: 0 } as never,
    get status() {
      return status;
    },
    following: undefined,
    get replaced() {
      return replaced;
    },
    silentFor: () => 0,
    synced: (signal) =>
      new Promise((resolve, reject) => {
        wake.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    sync() {
      status = { at: 'synced' };
      for (const each of wake) each();
      wake = [];
    },
    subscribe: () => ({ [Symbol.dispose]: () => undefined }),
    run: untilAborted,
    replaceSource: () => void replaced++,
    addIndexes: () => undefined,
  };
}

const at = (server: string, token = 't'): Endpoint => ({ server, credentials: { type: 'token', token } });

describe('fleet', () => {
  it('says not ready for an unknown cluster, and wakes the waiter when it is engaged', () => {
    const { provider, fleet } = setUp();
    const error = thrown(() => provider.get('p1'));
    expect(error).toBeInstanceOf(ClusterNotReadyError);
    let woken = 0;
    (error as ClusterNotReadyError).whenReady(() => woken++);
    const disposed = (error as ClusterNotReadyError).whenReady(() => (woken += 100));
    disposed[Symbol.dispose]();
    fleet.engage('p2', { endpoint: at('https://p2') });
    expect(woken).toBe(0);
    fleet.engage('p1', { endpoint: at('https://p1') });
    expect(woken).toBe(1);
    expect(provider.get('p1').name).toBe('p1');
  });

  it('C29: any number of engagements make one connection and one informer for each kind', () => {
    const { provider, fleet, informers, connections } = setUp();
    for (let i = 0; i < 50; i++) fleet.engage('p1', { endpoint: at('https://p1') });
    for (let i = 0; i < 50; i++) provider.get('p1').informer(Thing);
    expect([connections.length, informers.length]).toEqual([1, 1]);
    provider.get('p1').informer(Thing, { labelSelector: 'a=b' });
    expect(informers).toHaveLength(2);
  });

  it('refuses a store until it has synced, then gives it', async () => {
    const { provider, fleet, informers } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1') });
    const cluster = provider.get('p1');
    expect(() => cluster.store(Thing)).toThrow('is watched by no controller');
    cluster.informer(Thing);
    const error = thrown(() => cluster.store(Thing)) as ClusterNotReadyError;
    expect(error.code).toBe('cluster-not-ready');
    let woken = 0;
    error.whenReady(() => woken++);
    informers[0]?.sync();
    await Promise.resolve();
    expect(woken).toBe(1);
    expect(cluster.store(Thing).size).toBe(0);
  });

  it('C42: a rotated credential moves the cluster, keeps its caches, and closes the old connection later', async () => {
    const { clock, provider, fleet, informers, connections } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1', 'old') });
    const cluster = provider.get('p1');
    cluster.informer(Thing);
    fleet.engage('p1', { endpoint: at('https://p1', 'new') });
    expect(provider.get('p1')).toBe(cluster);
    expect(cluster.signal.aborted).toBe(false);
    expect(informers[0]?.replaced).toBe(1);
    expect(connections.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    await clock.advance(30_000);
    expect(connections.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('C28: a plane that is not ready is neither read nor written, and comes back with its caches', () => {
    const { provider, fleet, informers } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1') });
    const cluster = provider.get('p1');
    cluster.informer(Thing);
    informers[0]?.sync();
    fleet.suspend('p1');
    const error = thrown(() => cluster.store(Thing)) as ClusterNotReadyError;
    expect(error.code).toBe('cluster-not-ready');
    expect(() => provider.get('p1')).toThrow('suspended');
    let woken = 0;
    error.whenReady(() => woken++);
    fleet.engage('p1', { endpoint: at('https://p1') });
    expect(woken).toBe(1);
    expect(cluster.store(Thing)).toBe(informers[0]?.store);
    expect(informers).toHaveLength(1);
  });

  it('C28: another identity under the same name is a new cluster with empty caches', () => {
    const { provider, fleet, informers } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1'), identity: 'uid-1' });
    const old = provider.get('p1');
    old.informer(Thing);
    fleet.engage('p1', { endpoint: at('https://p1'), identity: 'uid-2' });
    expect(old.signal.aborted).toBe(true);
    expect(() => old.informer(Thing)).toThrow('was disengaged');
    expect(provider.get('p1')).not.toBe(old);
    provider.get('p1').informer(Thing);
    expect(informers).toHaveLength(2);
  });

  it('C28: 500 cycles of ready, not ready, ready, deleted leave nothing behind', async () => {
    const { clock, provider, fleet, connections, stop } = setUp();
    const before = clock.pending;
    for (let i = 0; i < 500; i++) {
      fleet.engage('p1', { endpoint: at('https://p1', `t${i}`), identity: `uid-${i % 7}` });
      provider.get('p1').informer(Thing);
      fleet.suspend('p1');
      fleet.engage('p1', { endpoint: at('https://p1', `u${i}`), identity: `uid-${i % 7}` });
      fleet.disengage('p1');
    }
    await clock.settle();
    expect(provider.list()).toEqual([]);
    expect(clock.pending).toBe(before);
    expect(connections.every(({ signal }) => signal.aborted)).toBe(true);
    await stop();
  });

  it('C13: refuses a second cluster with the same key, names both, and engages it once the first is gone', async () => {
    const { provider, fleet, lines, text } = setUp();
    fleet.engage('org-a/p1', { endpoint: at('https://a') });
    fleet.engage('org-b/p1', { endpoint: at('https://b') });
    expect(provider.list().map(({ name }) => name)).toEqual(['org-a/p1']);
    expect(lines.join('')).toContain('org-b/p1');
    expect(lines.join('')).toContain('belongs to org-a/p1');
    expect(await text()).toContain('lifeline_planes{plane="project",state="refused"} 1');
    fleet.disengage('org-a/p1');
    expect(provider.list().map(({ name }) => name)).toEqual(['org-b/p1']);
  });

  it('C13: of several that wait for one key, one is engaged when it is free', () => {
    const { provider, fleet } = setUp();
    for (const org of ['a', 'b', 'c', 'd']) fleet.engage(`org-${org}/p1`, { endpoint: at(`https://${org}`) });
    fleet.disengage('org-a/p1');
    expect(provider.list().map(({ name }) => name)).toEqual(['org-b/p1']);
    fleet.disengage('org-c/p1');
    fleet.disengage('org-b/p1');
    expect(provider.list().map(({ name }) => name)).toEqual(['org-d/p1']);
  });

  it('C28: one that is not ready any more does not wait for its key', () => {
    const { provider, fleet } = setUp();
    fleet.engage('org-a/p1', { endpoint: at('https://a') });
    fleet.engage('org-b/p1', { endpoint: at('https://b') });
    fleet.suspend('org-b/p1');
    fleet.disengage('org-a/p1');
    expect(provider.list()).toEqual([]);
    fleet.engage('org-b/p1', { endpoint: at('https://b') });
    expect(provider.list().map(({ name }) => name)).toEqual(['org-b/p1']);
  });

  it('engages nothing while it is being stopped', async () => {
    const { provider, fleet, connections, stop } = setUp();
    fleet.engage('org-a/p1', { endpoint: at('https://a') });
    fleet.engage('org-b/p1', { endpoint: at('https://b') });
    await stop();
    expect(provider.list()).toEqual([]);
    expect(connections).toHaveLength(1);
    fleet.engage('late', { endpoint: at('https://late') });
    expect(provider.list()).toEqual([]);
  });

  it('wakes who waits for a kind when the cluster goes: there may be another one', async () => {
    const { clock, provider, fleet } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1'), identity: '1' });
    const cluster = provider.get('p1');
    cluster.informer(Thing);
    let woken = 0;
    (thrown(() => cluster.store(Thing)) as ClusterNotReadyError).whenReady(() => woken++);
    fleet.engage('p1', { endpoint: at('https://p1'), identity: '2' });
    await clock.settle();
    expect(woken).toBe(1);
  });

  it('announces engaged clusters to late and early subscribers, the old signal aborted first', () => {
    const { provider, fleet } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1'), identity: '1' });
    const seen: string[] = [];
    const subscription = provider.subscribe((cluster) =>
      seen.push(`${cluster.name} ${String(cluster.signal.aborted)}`),
    );
    const old = provider.get('p1');
    fleet.engage('p1', { endpoint: at('https://p1'), identity: '2' });
    expect(old.signal.aborted).toBe(true);
    subscription[Symbol.dispose]();
    fleet.engage('p2', { endpoint: at('https://p2') });
    expect(seen).toEqual(['p1 false', 'p1 false']);
  });

  it('disengages all when it is stopped', async () => {
    const { provider, fleet, stop } = setUp();
    fleet.engage('p1', { endpoint: at('https://p1') });
    const cluster = provider.get('p1');
    await stop();
    expect(cluster.signal.aborted).toBe(true);
    expect(provider.list()).toEqual([]);
  });
});

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('did not throw');
}
