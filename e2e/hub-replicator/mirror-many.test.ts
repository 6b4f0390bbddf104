/** Many projects on one hub, planes that lag, kinds that are missing, and writers that get in the way. */
import {
  annotations,
  bodyOf,
  finalizers,
  KubeEvent,
  labels,
  NetworkContext,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { kindsOfRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { ConfigMap, Connector, HTTPProxy, minutes, MirrorWorld, Namespace, seconds } from './mirror-world.ts';
import { connector, proxy, synced } from './objects.ts';

const web = { namespace: 'default', name: 'web' };

describe('C13: two tenants that both have default/web', () => {
  it('never meet, and what ends of one leaves the other', async () => {
    await using world = new MirrorWorld({ projects: ['org-a/p1', 'org-b/p2'] });
    const [a, b] = [world.project('org-a/p1'), world.project('org-b/p2')];
    for (const plane of [a, b]) await world.make(plane, HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    const places = await Promise.all([world.namespace('default', a), world.namespace('default', b)]);
    expect(
      world.hub
        .objects(HTTPProxy)
        .map(({ metadata }) => metadata.namespace)
        .sort(),
    ).toEqual([...places].sort());
    const ofB = world.hub.get(HTTPProxy, { namespace: places[1] ?? '', name: 'web' });
    await world.delete(a, HTTPProxy, web);
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy)).toEqual([ofB]);
    expect(b.get(HTTPProxy, web)).toBeDefined();
  });

  it('planes that were made from one backup share uids: the second is refused, whatever it does', async () => {
    await using world = new MirrorWorld({ projects: ['p1', 'p2'] });
    const [first, second] = [world.project('p1'), world.project('p2')];
    await world.make(first, HTTPProxy, proxy('web'));
    second.restore(first.snapshot());
    world.start();
    await world.after(seconds(5));
    const [copy] = world.hub.objects(HTTPProxy);
    const owner = copy?.metadata.labels?.[labels.upstreamCluster] === 'cluster-p1' ? first : second;
    const other = owner === first ? second : first;
    expect(other.objects(KubeEvent).map(({ reason }) => reason)).toContain('PlaceTaken');
    await world.delete(other, HTTPProxy, web);
    await world.after(minutes(15));
    expect(world.hub.objects(HTTPProxy)).toEqual([copy]);
  });
});

describe('labels that somebody edits to name', () => {
  it.each([
    ['another object', { [labels.upstreamName]: 'other' }],
    ['another namespace', { [labels.upstreamNamespace]: 'team' }],
    ['another project', { [labels.upstreamCluster]: 'cluster-p2' }],
  ])('%s are put right, and that one deletes nothing', async (_, edit) => {
    await using world = new MirrorWorld({ projects: ['p1', 'p2'] });
    const namespace = await world.namespace('default', world.project('p1'));
    await world.namespace('team', world.project('p1'));
    await world.make(world.project('p1'), HTTPProxy, proxy('web'));
    await world.make(world.project('p1'), HTTPProxy, proxy('other'));
    await world.make(world.project('p1'), HTTPProxy, proxy('web', { namespace: 'team' }));
    await world.make(world.project('p2'), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'web' };
    const made = world.hub.get(HTTPProxy, copy);
    await world.patch(world.hub, { kind: HTTPProxy, name: copy }, { metadata: { labels: edit } });
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, copy)?.metadata).toMatchObject({
      uid: made?.metadata.uid,
      labels: made?.metadata.labels,
    });
    expect(world.hub.objects(HTTPProxy)).toHaveLength(4);
  });
});

describe('C11: names that no label can hold', () => {
  it('are copied, found and cleaned up like any other', async () => {
    const project = `org-a/${'p'.repeat(70)}`;
    await using world = new MirrorWorld({ projects: [project] });
    const long = ['x'.repeat(80), `${'x'.repeat(60)}${'y'.repeat(20)}`];
    const namespace = await world.namespace('n'.repeat(63));
    for (const name of long) await world.make(world.project(), Connector, connector(name, 'n'.repeat(63)));
    world.start();
    await world.after(seconds(5));
    expect(world.logLines).toEqual([]);
    expect(
      world.hub
        .objects(Connector)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual([...long].sort());
    expect(world.hub.objects(Connector).every(({ metadata }) => metadata.namespace === namespace)).toBe(true);
    await world.delete(world.hub, Connector, { namespace, name: long[0] ?? '' });
    await world.after(seconds(5));
    expect(world.hub.objects(Connector)).toHaveLength(2);
    await world.delete(world.project(), Connector, { namespace: 'n'.repeat(63), name: long[0] ?? '' });
    await world.after(seconds(5));
    expect(world.hub.objects(Connector).map(({ metadata }) => metadata.name)).toEqual([long[1]]);
  });
});

describe('one cluster that is project and hub', () => {
  it.each([[''], ['single']])('copies nothing that stands in a namespace of copies (%j)', async (name) => {
    await using world = new MirrorWorld({ single: name });
    const namespace = await world.namespace();
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    world.start();
    await world.after(minutes(15));
    expect(
      world.hub
        .objects(HTTPProxy)
        .map(({ metadata }) => metadata.namespace)
        .sort(),
    ).toEqual(['default', namespace]);
    expect(world.hub.objects(Namespace).filter(({ metadata }) => metadata.name.startsWith('ns-'))).toHaveLength(1);
    const marks = world.hub.get(HTTPProxy, { namespace, name: 'web' })?.metadata.labels ?? {};
    expect(marks[labels.upstreamCluster]).toBe(name === '' ? undefined : 'cluster-single');
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
  });

  it('a project whose Namespace merely says so is copied: the guard is for one cluster', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    const target = { kind: Namespace, name: { name: 'default' } };
    await world.patch(world.project(), target, { metadata: { labels: { [labels.upstreamNamespace]: 'x' } } });
    await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(1);
  });

  it('an object in a namespace that became one of copies is let go of', async () => {
    await using world = new MirrorWorld({ single: 'single' });
    await world.namespace('team');
    await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
    world.start();
    await world.after(seconds(5));
    const target = { kind: Namespace, name: { name: 'team' } };
    await world.patch(world.project(), target, { metadata: { labels: { [labels.upstreamNamespace]: 'x' } } });
    await world.delete(world.project(), HTTPProxy, { namespace: 'team', name: 'web' });
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
  });
});

describe('a plane', () => {
  it('that lacks a kind, or forbids it, keeps no other kind and no other project waiting', async () => {
    const lacking = kindsOfRole('project').filter(({ id }) => id !== Connector.id);
    await using world = new MirrorWorld({ projects: ['p1', 'p2'], serves: { p1: lacking } });
    for (const name of ['p1', 'p2']) await world.make(world.project(name), HTTPProxy, proxy('web'));
    await world.make(world.project('p2'), Connector, connector('c1'));
    world.start();
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(2);
    expect(world.hub.objects(Connector)).toHaveLength(1);
  });

  it('C34: whose cache shows the past makes nothing that is gone and ends nothing that is there', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const replica = world.project().replica();
    world.route('p1', replica.transport);
    for (const name of ['web', 'gone']) await world.make(world.project(), HTTPProxy, proxy(name));
    world.start();
    await world.after(seconds(5));
    replica.freeze();
    const gone = { ...web, name: 'gone' };
    await world.patch(world.project(), { kind: HTTPProxy, name: gone }, { metadata: { finalizers: null } });
    await world.delete(world.project(), HTTPProxy, gone);
    const { metadata } = await world.make(world.project(), HTTPProxy, proxy('fresh'));
    const since = world.calls.length;
    await world.delete(world.hub, HTTPProxy, { namespace, name: 'gone' });
    const { labels: marks } = world.hub.get(HTTPProxy, { namespace, name: 'web' })?.metadata ?? {};
    await world.make(world.hub, HTTPProxy, {
      ...(proxy('fresh') as object),
      metadata: {
        namespace,
        name: 'fresh',
        labels: { ...marks, [labels.upstreamName]: 'fresh' },
        annotations: { [annotations.upstreamUid]: metadata.uid },
      },
    });
    await world.after(seconds(30));
    const copies = (): readonly string[] =>
      world.hub
        .objects(HTTPProxy)
        .map((copy) => copy.metadata.name)
        .sort();
    expect(copies()).toEqual(['fresh', 'web']);
    expect(
      world.requests(since).filter(({ method, path }) => method === 'DELETE' && path.includes('httpproxies')),
    ).toEqual([]);
    expect(world.requests(since).filter(({ method, path }) => method === 'PATCH' && path.includes('/gone'))).toEqual(
      [],
    );
    replica.thaw();
    await world.after(seconds(30));
    expect(copies()).toEqual(['fresh', 'web']);
  });

  it('hub: that shows the past does not get a copy twice, nor lose one', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const replica = world.hub.replica();
    world.route('hub', replica.transport);
    world.start();
    await world.after(seconds(5));
    replica.freeze();
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.after(seconds(5));
    const made = world.hub.get(HTTPProxy, { namespace, name: 'web' });
    expect(made).toBeDefined();
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { spec: { hostnames: ['b.example'] } });
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, { namespace, name: 'web' })?.metadata.uid).toBe(made?.metadata.uid);
    expect(world.hub.get(HTTPProxy, { namespace, name: 'web' })?.spec.hostnames).toEqual(['b.example']);
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(5));
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
    expect(world.project().get(HTTPProxy, web)).toBeUndefined();
  });
});

describe('other writers', () => {
  it('C24: an update that overtakes the create leaves nothing of the first version', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    world.wire('hub', async ({ method }) => {
      if (method === 'PATCH') await world.clock.sleep(2_000);
    });
    world.start();
    await world.after(seconds(5));
    const rule = (endpoint: string): unknown => ({ backends: [{ endpoint }] });
    await world.make(world.project(), HTTPProxy, {
      metadata: web,
      spec: { hostnames: ['a.example'], rules: [rule('https://r0.example'), rule('https://r1.example')] },
    });
    await world.after(5);
    await world.patch(
      world.project(),
      { kind: HTTPProxy, name: web },
      { spec: { rules: [rule('https://r0.example')] } },
    );
    await world.after(seconds(30));
    expect(JSON.stringify(world.hub.get(HTTPProxy, { namespace, name: 'web' })?.spec)).not.toContain('r1.example');
    expect(world.hub.objects(HTTPProxy)).toHaveLength(1);
  });

  it('an object that takes the place of a copy between our look and our write is not overwritten', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'web' };
    let raced = false;
    world.wire('hub', async ({ method, url }) => {
      if (method !== 'PATCH' || raced || !url.includes('/web')) return;
      raced = true;
      const call = { signal: new AbortController().signal };
      const client = world.client(world.hub);
      await client.delete(
        { kind: HTTPProxy, name: copy },
        { ...call, uid: world.hub.get(HTTPProxy, copy)?.metadata.uid ?? '' },
      );
      const theirs = {
        metadata: copy,
        spec: { hostnames: ['theirs.example'], rules: [{ backends: [{ endpoint: 'https://theirs.example' }] }] },
      };
      await client.create(HTTPProxy, theirs, call);
    });
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { spec: { hostnames: ['b.example'] } });
    await world.after(minutes(1));
    expect(raced).toBe(true);
    expect(world.hub.get(HTTPProxy, copy)?.spec.hostnames).toEqual(['theirs.example']);
    expect(
      world
        .project()
        .objects(KubeEvent)
        .map(({ reason }) => reason),
    ).toEqual(['PlaceTaken']);
  });

  it('C25: finalizers of others are neither lost nor brought back', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    await world.make(world.project(), HTTPProxy, {
      ...(proxy('web') as object),
      metadata: { ...web, finalizers: ['theirs/a'] },
    });
    let raced = false;
    world.wire('p1', async ({ method, url }) => {
      if (method !== 'PATCH' || raced || !url.includes('httpproxies')) return;
      raced = true;
      const patch = { type: 'merge', body: { metadata: { finalizers: ['theirs/b'] } } } as const;
      const call = { signal: new AbortController().signal };
      await world.client(world.project()).patch({ kind: HTTPProxy, name: web }, patch, call);
    });
    world.start();
    await world.after(seconds(5));
    expect(world.project().get(HTTPProxy, web)?.metadata.finalizers).toEqual(['theirs/b', finalizers.replicator]);
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(10));
    expect(world.project().get(HTTPProxy, web)?.metadata.finalizers).toEqual(['theirs/b']);
    await world.after(minutes(15));
    expect(world.project().get(HTTPProxy, web)?.metadata.finalizers).toEqual(['theirs/b']);
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
  });

  it('C26: an object whose every write is refused hurts itself only, and recovers', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    for (const name of ['web', 'fine']) await world.make(world.project(), HTTPProxy, proxy(name));
    world.start();
    await world.after(seconds(5));
    let refuses = true;
    world.wire('p1', ({ method, url }) => {
      if (refuses && method === 'PATCH' && url.includes('/web')) throw new Error('webhook says no');
    });
    const since = world.calls.length;
    for (const name of ['web', 'fine']) await world.delete(world.project(), HTTPProxy, { ...web, name });
    await world.after(minutes(5));
    expect(
      world
        .project()
        .objects(HTTPProxy)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['web']);
    expect(world.writes(since).filter(({ plane }) => plane === 'p1').length).toBeLessThan(40);
    refuses = false;
    await world.after(minutes(15));
    expect(world.project().objects(HTTPProxy)).toEqual([]);
  });

  it('C26: a copy that the hub refuses is told to its owner, at the pace of the floor, and names nothing of the hub', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    for (const name of ['web', 'fine']) await world.make(world.project(), HTTPProxy, proxy(name));
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Invalid',
      code: 422,
      message: 'no',
      details: { causes: [{ field: 'spec.rules', message: `too many in ${namespace}` }] },
    };
    world.wire('hub', ({ method, url }) =>
      method === 'PATCH' && url.includes('/web')
        ? {
            status: 422,
            headers: { 'content-type': 'application/json' },
            body: bodyOf(new TextEncoder().encode(JSON.stringify(status))),
          }
        : undefined,
    );
    const running = world.start();
    await world.after(minutes(5));
    expect(world.hub.objects(HTTPProxy).map(({ metadata }) => metadata.name)).toEqual(['fine']);
    const events = world.project().objects(KubeEvent);
    expect(events.map(({ reason, regarding }) => [reason, regarding?.name])).toEqual([['ReplicationRefused', 'web']]);
    expect(events[0]?.note).toContain('spec.rules: too many in default');
    const tries = world.writes().filter(({ plane, path }) => plane === 'hub' && path.includes('/web'));
    expect(tries.length).toBeLessThanOrEqual(4);
    expect(running.lag.oldest('p1')).toBeUndefined();
    world.wire('hub', undefined);
    await world.after(minutes(12));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(2);
  });

  it('C45: a writer at fifty a second is met at most ten times a second, and beaten within two seconds', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    world.start();
    await world.after(seconds(5));
    const since = world.calls.length;
    const target = { kind: ConfigMap, name: { namespace, name: 'cm' } };
    for (let bump = 0; bump < 100; bump++) {
      await world.patch(world.hub, target, { data: { a: `theirs ${bump}`, b: 'x' } });
      await world.after(20);
    }
    expect(world.writes(since).length).toBeLessThanOrEqual(65);
    await world.after(seconds(2));
    expect(world.hub.get(ConfigMap, target.name)?.data).toEqual({ a: '1' });
    expect(world.logLines.filter((line) => line.includes('failed'))).toEqual([]);
  });

  it('C03: every digit of a spec and of a status arrives, and a change of the last one is a change', async () => {
    const numbers = (last: number): string =>
      `{"bytesIn":922337203685477580${last},"observedGeneration":9007199254740993}`;
    await using world = new MirrorWorld({
      kinds: [{ group: 'networking.datumapis.com', kind: 'NetworkContext', mirrorStatusToAnnotation: true }],
    });
    const namespace = await world.namespace();
    const name = { namespace: 'default', name: 'n' };
    const target = { kind: NetworkContext, name };
    await world.make(world.project(), NetworkContext, {
      metadata: name,
      spec: { network: { name: 'n' }, counters: parseJson(numbers(7)) },
    });
    await world.status(world.project(), target, { conditions: null, counters: parseJson(numbers(7)) });
    world.start();
    await world.after(seconds(40));
    const copy = (): NetworkContext | undefined => world.hub.get(NetworkContext, { namespace, name: 'n' });
    const carried = (): string => copy()?.metadata.annotations?.[annotations.upstreamStatus] ?? '';
    expect(stringifyJson(copy()?.spec)).toContain(numbers(7));
    expect(carried()).toContain(numbers(7));
    await world.status(world.project(), target, { counters: parseJson(numbers(6)) });
    await world.patch(world.project(), target, { spec: { counters: parseJson(numbers(6)) } });
    await world.after(seconds(1));
    expect(carried()).toContain(numbers(6));
    expect(stringifyJson(copy()?.spec)).toContain(numbers(6));
    const since = world.calls.length;
    await world.after(minutes(30));
    expect(world.requests(since)).toEqual([]);
  });
});
