/** What a copy is, and what it becomes when upstream changes. */
import {
  annotations,
  Backend,
  classifyLiveness,
  finalizers,
  KubeEvent,
  labels,
  NetworkContext,
  Secret,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ConfigMap, Connector, HTTPProxy, minutes, MirrorWorld, Namespace, seconds } from './mirror-world.ts';
import { connector, onlineStatus, proxy, synced } from './objects.ts';

const c1 = { namespace: 'default', name: 'c1' };
const cm = { namespace: 'default', name: 'cm' };
const { upstreamStatus, upstreamStatusObservedAt, upstreamStatusTruncated } = annotations;

describe('a copy', () => {
  it('has spec, identity and status, an anchor that owns it, and a namespace with all its labels from the start', async () => {
    await using world = new MirrorWorld({ projects: ['org/p1'] });
    const namespace = await world.namespace();
    const made = await world.make(world.project(), Connector, connector('c1'));
    const { status } = await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
    const created: unknown[] = [];
    using _tap = world.hub.tap(({ object }) => {
      if (object.metadata.name === namespace && created.length === 0) created.push(object.metadata.labels);
    });
    world.start();
    await world.after(seconds(5));
    const copy = world.hub.get(Connector, { namespace, name: 'c1' });
    const identity = (kind: string, group: string, name: string): Record<string, string> => ({
      [labels.upstreamCluster]: 'cluster-org_p1',
      [labels.upstreamGroup]: group,
      [labels.upstreamKind]: kind,
      [labels.upstreamName]: name,
      [labels.upstreamNamespace]: 'default',
      [labels.installation]: 'here',
    });
    expect(copy?.spec).toEqual(made.spec);
    expect(copy?.metadata.labels).toEqual(identity('Connector', 'networking.datumapis.com', 'c1'));
    expect(copy?.metadata.annotations).toMatchObject({
      [annotations.upstreamUid]: made.metadata.uid,
      [annotations.upstreamGeneration]: '1',
      [upstreamStatus]: expect.stringContaining('"ConnectorNotReady"'),
      [upstreamStatusObservedAt]: expect.stringMatching(/^2026-/),
    });
    expect(JSON.parse(copy?.metadata.annotations?.[upstreamStatus] ?? '')).toEqual(status);
    const anchor = world.hub.get(ConfigMap, { namespace, name: `anchor-${made.metadata.uid}` });
    expect(copy?.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', name: anchor?.metadata.name, uid: anchor?.metadata.uid },
    ]);
    expect(created[0]).toMatchObject(identity('Namespace', '', 'default'));
    expect(world.project().get(Connector, c1)?.metadata.finalizers).toEqual([finalizers.replicator]);
    expect(copy?.metadata.finalizers).toBeUndefined();
    expect(world.logLines).toEqual([]);
  });

  it("C07: the hub status is never written, and what stands in it is nobody's business", async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'c1' };
    await world.status(world.hub, { kind: Connector, name: copy }, { conditions: [], leaseRef: { name: 'theirs' } });
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True'));
    await world.after(minutes(15));
    expect(world.hub.get(Connector, copy)?.status?.leaseRef).toEqual({ name: 'theirs' });
    expect(world.calls.filter(({ plane, path }) => plane === 'hub' && path.includes('/status'))).toEqual([]);
    expect(classifyLiveness(world.hub.get(Connector, copy)).state).toBe('online');
  });

  it('Ready that turns True after the first replication reaches the annotation, with nothing else changing', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'c1' };
    const before = world.hub.get(Connector, copy);
    expect(classifyLiveness(before).state).toBe('offline');
    const since = world.calls.length;
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True'));
    await world.after(200);
    const after = world.hub.get(Connector, copy);
    expect(classifyLiveness(after).state).toBe('online');
    expect(after?.spec).toEqual(before?.spec);
    expect(after?.metadata.generation).toBe(before?.metadata.generation);
    expect(world.writes(since)).toHaveLength(1);
    expect(world.requests(since)).toHaveLength(1);
  });

  it('loses the annotations with the status', async () => {
    await using world = new MirrorWorld({
      kinds: [{ group: 'gateway.envoyproxy.io', kind: 'Backend', mirrorStatusToAnnotation: true }],
    });
    const namespace = await world.namespace();
    const name = { namespace: 'default', name: 's' };
    await world.make(world.project(), Backend, {
      metadata: name,
      spec: { endpoints: [{ fqdn: { hostname: 'a.example', port: 80 } }] },
    });
    await world.status(world.project(), { kind: Backend, name }, { note: 'x' });
    world.start();
    await world.after(seconds(5));
    const annotated = (): readonly string[] =>
      Object.keys(world.hub.get(Backend, { namespace, name: 's' })?.metadata.annotations ?? {});
    expect(annotated()).toContain(upstreamStatus);
    await world.status(world.project(), { kind: Backend, name }, null);
    await world.after(seconds(1));
    expect(annotated()).toHaveLength(2);
    expect(annotated()).not.toContain(upstreamStatus);
    expect(annotated()).not.toContain(upstreamStatusObservedAt);
  });

  it('W10: data, binaryData, type and immutable travel; what is removed upstream is removed', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const sync = { labels: { [labels.gatewaySync]: '' } };
    await world.make(world.project(), ConfigMap, {
      metadata: { ...cm, ...sync },
      data: { a: '1', b: '2' },
      binaryData: { c: 'AA==' },
    });
    await world.make(world.project(), Secret, {
      metadata: { namespace: 'default', name: 'tls', ...sync },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': 'AA==', 'tls.key': 'AA==' },
    });
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'cm' };
    expect(world.hub.get(Secret, { namespace, name: 'tls' })).toMatchObject({
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': 'AA==', 'tls.key': 'AA==' },
    });
    expect(world.hub.get(ConfigMap, copy)).toMatchObject({ data: { a: '1', b: '2' }, binaryData: { c: 'AA==' } });
    await world.patch(world.project(), { kind: ConfigMap, name: cm }, { data: { b: null } });
    await world.after(seconds(1));
    expect(world.hub.get(ConfigMap, copy)?.data).toEqual({ a: '1' });
    await world.patch(
      world.project(),
      { kind: ConfigMap, name: cm },
      { data: null, binaryData: null, immutable: true },
    );
    await world.after(seconds(1));
    const { data, binaryData, immutable } = world.hub.get(ConfigMap, copy) ?? {};
    expect({ data, binaryData, immutable }).toEqual({ data: undefined, binaryData: undefined, immutable: true });
    expect(world.hub.get(ConfigMap, copy)?.metadata.labels).not.toHaveProperty(labels.gatewaySync);
    expect(world.logLines).toEqual([]);
  });

  it('carries the labels that its kind carries, and loses those that go', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const name = { namespace: 'default', name: 'n' };
    await world.make(world.project(), NetworkContext, {
      metadata: { ...name, labels: { [labels.location]: 'x', team: 'ours' }, annotations: { note: 'mine' } },
      spec: { network: { name: 'n' }, location: { name: 'l', namespace: 'default' } },
    });
    world.start();
    await world.after(seconds(5));
    const marks = (): Record<string, string> =>
      world.hub.get(NetworkContext, { namespace, name: 'n' })?.metadata.labels ?? {};
    expect(marks()).toMatchObject({ [labels.location]: 'x' });
    expect(marks()).not.toHaveProperty('team');
    expect(world.hub.get(NetworkContext, { namespace, name: 'n' })?.metadata.annotations).not.toHaveProperty('note');
    await world.patch(
      world.project(),
      { kind: NetworkContext, name },
      { metadata: { labels: { [labels.location]: null } } },
    );
    await world.after(seconds(1));
    expect(marks()).not.toHaveProperty(labels.location);
  });

  it('C01: a status that does not fit is carried reduced, said aloud, and comes back whole', async () => {
    await using world = new MirrorWorld({
      kinds: [{ group: 'networking.datumapis.com', kind: 'HTTPProxy', mirrorStatusToAnnotation: true }],
    });
    const namespace = await world.namespace();
    const web = { namespace: 'default', name: 'web' };
    await world.make(world.project(), HTTPProxy, proxy('web'));
    const huge = Array.from({ length: 900 }, (_, index) => ({
      type: `C${index}`,
      status: 'True',
      reason: 'Big',
      message: 'm'.repeat(300),
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'No',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await world.status(world.project(), { kind: HTTPProxy, name: web }, { conditions: [ready, ...huge] });
    world.start();
    await world.after(seconds(5));
    const copy = (): HTTPProxy | undefined => world.hub.get(HTTPProxy, { namespace, name: 'web' });
    expect(copy()?.metadata.annotations?.[upstreamStatusTruncated]).toBe('true');
    expect(
      world
        .project()
        .objects(KubeEvent)
        .map(({ reason }) => reason),
    ).toEqual(['StatusTruncated']);
    expect(await world.metrics.text()).toContain('lifeline_mirror_truncated 1');

    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { spec: { hostnames: ['b.example'] } });
    await world.status(
      world.project(),
      { kind: HTTPProxy, name: web },
      { conditions: [{ ...ready, status: 'True' }, ...huge] },
    );
    await world.after(seconds(1));
    expect(copy()?.spec.hostnames).toEqual(['b.example']);
    expect(copy()?.metadata.annotations?.[upstreamStatus]).toContain('"reason":"No","status":"True","type":"Ready"');
    const since = world.calls.length;
    await world.after(minutes(2));
    expect(world.requests(since)).toEqual([]);

    const { status } = await world.status(
      world.project(),
      { kind: HTTPProxy, name: web },
      {
        conditions: [{ ...ready, status: 'True' }],
      },
    );
    await world.after(seconds(31));
    expect(copy()?.metadata.annotations).not.toHaveProperty(upstreamStatusTruncated);
    expect(JSON.parse(copy()?.metadata.annotations?.[upstreamStatus] ?? '')).toEqual(status);
    expect(await world.metrics.text()).toContain('lifeline_mirror_truncated 0');
  });

  it('paces what nobody waits for: once per 30 s, the last state wins, as of when it was first seen', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True', 'https://relay.example/0'));
    world.start();
    await world.after(seconds(60));
    const since = world.calls.length;
    let seenAt = '';
    for (let step = 1; step <= 8; step++) {
      await world.status(
        world.project(),
        { kind: Connector, name: c1 },
        onlineStatus('True', `https://relay.example/${step}`),
      );
      seenAt = new Date(world.clock.now()).toISOString();
      await world.after(seconds(15));
    }
    expect(world.writes(since).length).toBeLessThanOrEqual(5);
    expect(world.writes(since).length).toBeGreaterThanOrEqual(3);
    await world.after(seconds(60));
    const marks = world.hub.get(Connector, { namespace, name: 'c1' })?.metadata.annotations ?? {};
    expect(marks[upstreamStatus]).toContain('relay.example/8');
    expect(marks[upstreamStatusObservedAt]).toBe(seenAt);
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True', 'https://relay.example/9'));
    await world.after(seconds(1));
    const flips = world.calls.length;
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
    await world.after(200);
    expect(world.writes(flips)).toHaveLength(1);
    expect(classifyLiveness(world.hub.get(Connector, { namespace, name: 'c1' })).state).toBe('offline');
  });

  it('asks nothing of a world at rest, whatever the floor looks at, nor after a restart', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    world.start();
    await world.after(seconds(30));
    const since = world.calls.length;
    await world.after(minutes(60));
    expect(world.requests(since)).toEqual([]);
    await world.restart();
    const again = world.calls.length;
    await world.after(minutes(60));
    expect(world.writes(again)).toEqual([]);
    expect(world.hub.objects(Namespace).length).toBeGreaterThan(1);
  });
});
