/** Whose a copy is: ours, somebody's, another installation's, and what the Go system left. */
import { annotations, finalizers, Gateway, type Kind, KubeEvent, labels } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ConfigMap, Connector, goLabels, HTTPProxy, minutes, MirrorWorld, Namespace, seconds } from './mirror-world.ts';
import { connector, onlineStatus, proxy, synced } from './objects.ts';

const c1 = { namespace: 'default', name: 'c1' };
const web = { namespace: 'default', name: 'web' };
const cm = { namespace: 'default', name: 'cm' };

describe('drift', () => {
  it('C23: what somebody edited or deleted comes back; what others added stays', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'web' };
    const made = world.hub.get(HTTPProxy, copy);
    await world.patch(
      world.hub,
      { kind: HTTPProxy, name: copy },
      {
        metadata: {
          labels: { [labels.upstreamName]: 'other', theirs: 'yes', 'propagationpolicy.karmada.io/permanent-id': 'x' },
          annotations: { [annotations.upstreamUid]: 'forged', 'policy.karmada.io/x': 'y' },
          finalizers: ['karmada.io/execution-controller'],
        },
        spec: { hostnames: ['forged.example', 'b.example'] },
      },
    );
    await world.after(seconds(5));
    const mended = world.hub.get(HTTPProxy, copy);
    expect(mended?.spec).toEqual(made?.spec);
    expect(mended?.metadata.labels).toEqual({
      ...made?.metadata.labels,
      theirs: 'yes',
      'propagationpolicy.karmada.io/permanent-id': 'x',
    });
    expect(mended?.metadata.annotations).toEqual({ ...made?.metadata.annotations, 'policy.karmada.io/x': 'y' });
    expect(mended?.metadata.finalizers).toEqual(['karmada.io/execution-controller']);

    await world.patch(world.hub, { kind: HTTPProxy, name: copy }, { metadata: { finalizers: null } });
    await world.delete(world.hub, HTTPProxy, copy);
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, copy)?.spec).toEqual(made?.spec);
    expect(world.hub.get(HTTPProxy, copy)?.metadata.uid).not.toBe(made?.metadata.uid);
    expect(world.hub.objects(HTTPProxy)).toHaveLength(1);
  });

  it('a field that somebody adds below our fields goes; a data key too', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(5));
    await world.patch(
      world.hub,
      { kind: ConfigMap, name: { namespace, name: 'cm' } },
      { data: { added: 'x' }, immutable: false },
    );
    await world.patch(
      world.hub,
      { kind: Connector, name: { namespace, name: 'c1' } },
      { spec: { capabilities: [{ type: 'ConnectTCP' }] } },
    );
    await world.after(seconds(5));
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })?.data).toEqual({ a: '1' });
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })).not.toHaveProperty('immutable');
    expect(world.hub.get(Connector, { namespace, name: 'c1' })?.spec).toEqual({ connectorClassName: 'tunnel' });
    const since = world.calls.length;
    await world.after(minutes(30));
    expect(world.requests(since)).toEqual([]);
  });

  it('a copy or a Namespace that lost its marks gets them back, and an anchor that was deleted returns', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const made = await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'c1' };
    const { labels: marks } = world.hub.get(Connector, copy)?.metadata ?? {};
    const { labels: namespaceMarks } = world.hub.get(Namespace, { name: namespace })?.metadata ?? {};
    for (const lost of [null, { [labels.upstreamNamespace]: null }, { [labels.installation]: null }]) {
      await world.patch(world.hub, { kind: Namespace, name: { name: namespace } }, { metadata: { labels: lost } });
      await world.after(seconds(5));
      expect(world.hub.get(Namespace, { name: namespace })?.metadata.labels).toMatchObject(namespaceMarks ?? {});
    }
    await world.patch(world.hub, { kind: Connector, name: copy }, { metadata: { labels: null } });
    await world.after(seconds(5));
    expect(world.hub.get(Connector, copy)?.metadata.labels).toEqual(marks);

    await world.delete(world.hub, ConfigMap, { namespace, name: `anchor-${made.metadata.uid}` });
    await world.after(seconds(10));
    const anchor = world.hub.get(ConfigMap, { namespace, name: `anchor-${made.metadata.uid}` });
    expect(world.hub.get(Connector, copy)?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([
      anchor?.metadata.uid,
    ]);

    await world.delete(world.hub, Namespace, { name: namespace });
    await world.after(seconds(30));
    expect(world.hub.get(Connector, copy)?.metadata.labels).toEqual(marks);
    expect(world.hub.get(Namespace, { name: namespace })?.metadata.labels).toMatchObject(namespaceMarks ?? {});
  });

  it('what was made immutable or has another type is deleted and made anew', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'cm' };
    await world.patch(world.hub, { kind: ConfigMap, name: copy }, { immutable: true });
    await world.after(seconds(5));
    expect(world.hub.get(ConfigMap, copy)).not.toHaveProperty('immutable');
    await world.patch(world.project(), { kind: ConfigMap, name: cm }, { data: { a: '2' } });
    await world.after(seconds(5));
    expect(world.hub.get(ConfigMap, copy)?.data).toEqual({ a: '2' });
  });
});

describe('another installation', () => {
  it('is left its copy and its Namespace, and the owner is told', async () => {
    await using world = new MirrorWorld({ installation: 'theirs' });
    const namespace = await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(5));
    const theirs = world.hub.get(Connector, { namespace, name: 'c1' });
    await world.restart({ installation: 'ours' });
    const since = world.calls.length;
    await world.after(minutes(15));
    expect(world.hub.get(Connector, { namespace, name: 'c1' })).toEqual(theirs);
    expect(world.writes(since)).toEqual([]);
    expect(
      world
        .project()
        .objects(KubeEvent)
        .map(({ reason }) => reason),
    ).toContain('OtherInstallation');
  });

  it('a stranger in the place of a copy is left alone', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('first', {}));
    world.start();
    await world.after(seconds(5));
    await world.make(world.hub, ConfigMap, { metadata: { namespace, name: 'cm' }, data: { precious: 'yes' } });
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    await world.after(minutes(1));
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })?.data).toEqual({ precious: 'yes' });
    expect(
      world
        .project()
        .objects(KubeEvent)
        .map(({ reason }) => reason),
    ).toEqual(['PlaceTaken']);
  });
});

/** What the Go system leaves: whole objects by Update, no installation, no uid; the anchor's name is all that tells the uid. */
async function goCopies(world: MirrorWorld, cluster: string): Promise<{ namespace: string }> {
  const project = world.project();
  const namespace = await world.namespace();
  await world.make(world.hub, Namespace, {
    metadata: {
      name: namespace,
      labels: { [labels.upstreamCluster]: cluster, [labels.upstreamNamespace]: 'default' },
    },
  });
  const copy = async (kind: Kind, source: { name: string }, body: object) => {
    const name = { namespace: 'default', ...source };
    const upstream = project.get(kind, name);
    const marks = { ...goLabels('p1', kind, name), [labels.upstreamCluster]: cluster };
    const anchor = await world.make(world.hub, ConfigMap, {
      metadata: { namespace, name: `anchor-${upstream?.metadata.uid}`, labels: marks },
    });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: anchor.metadata.name, uid: anchor.metadata.uid };
    const { annotations: extra, ...fields } = body as { annotations?: object };
    await world.make(world.hub, kind, {
      metadata: { namespace, name: source.name, labels: marks, annotations: extra, ownerReferences: [owner] },
      ...fields,
    });
  };
  await copy(
    Connector,
    { name: 'c1' },
    {
      spec: { connectorClassName: 'tunnel', capabilities: [{ type: 'ConnectTCP' }] },
      annotations: { [annotations.upstreamStatus]: '{"stale":true}', theirs: 'kept' },
    },
  );
  await copy(
    HTTPProxy,
    { name: 'web' },
    { spec: { hostnames: ['old.example'], rules: [{ backends: [{ endpoint: 'https://old.example' }] }] } },
  );
  await copy(ConfigMap, { name: 'cm' }, { data: { a: '1', gone: 'credentials' } });
  return { namespace };
}

describe('a hub that the Go system wrote', () => {
  it.each([['cluster-p1'], ['cluster-_p1']])('is taken over in place, removals included (%s)', async (cluster) => {
    await using world = new MirrorWorld();
    await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True'));
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    const { namespace } = await goCopies(world, cluster);
    const before = world.hub.objects(Connector)[0]?.metadata.uid;
    world.start();
    await world.after(seconds(10));
    expect(world.logLines).toEqual([]);
    const copy = world.hub.get(Connector, { namespace, name: 'c1' });
    expect(copy?.metadata.uid).toBe(before);
    const writes = world.writes().filter(({ path }) => path.includes(`${namespace}/connectors/c1`));
    expect(writes.map(({ type }) => type)).toEqual(['application/json-patch+json', 'application/apply-patch+yaml']);
    expect(copy?.spec).toEqual({ connectorClassName: 'tunnel' });
    expect(copy?.metadata.labels).toMatchObject({
      [labels.installation]: 'here',
      [labels.upstreamCluster]: 'cluster-p1',
    });
    expect(copy?.metadata.annotations).toMatchObject({ theirs: 'kept' });
    expect(copy?.metadata.annotations?.[annotations.upstreamStatus]).toContain('"ConnectorReady"');
    expect(world.hub.get(HTTPProxy, { namespace, name: 'web' })?.spec.hostnames).toEqual(['web.example']);
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })?.data).toEqual({ a: '1' });
    expect(world.hub.get(Namespace, { name: namespace })?.metadata.labels).toMatchObject({
      [labels.installation]: 'here',
    });

    await world.patch(
      world.project(),
      { kind: HTTPProxy, name: web },
      {
        spec: { rules: [{ backends: [{ endpoint: 'https://origin.example', tls: { hostname: 'x.example' } }] }] },
      },
    );
    await world.after(seconds(2));
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { spec: { hostnames: null } });
    await world.patch(world.project(), { kind: ConfigMap, name: cm }, { data: null });
    await world.after(seconds(2));
    expect(world.hub.get(HTTPProxy, { namespace, name: 'web' })?.spec).not.toHaveProperty('hostnames');
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })).not.toHaveProperty('data');
    const since = world.calls.length;
    await world.after(minutes(30));
    expect(world.requests(since)).toEqual([]);
  });

  it('a copy of an earlier object of the name is deleted and made anew', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    await world.make(world.project(), Connector, connector('c1'));
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    const { namespace } = await goCopies(world, 'cluster-p1');
    const before = world.hub.get(Connector, { namespace, name: 'c1' })?.metadata.uid;
    await world.delete(world.project(), Connector, c1);
    const anew = await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(10));
    const copy = world.hub.get(Connector, { namespace, name: 'c1' });
    expect(copy?.metadata.uid).not.toBe(before);
    expect(copy?.metadata.annotations?.[annotations.upstreamUid]).toBe(anew.metadata.uid);
    const anchors = world.hub
      .objects(ConfigMap)
      .filter(({ metadata }) => metadata.labels?.[labels.upstreamKind] === 'Connector');
    expect(anchors.map(({ metadata }) => metadata.name)).toEqual([`anchor-${anew.metadata.uid}`]);
  });

  it.each([
    ['of the Go system', undefined],
    ['of ours', 'here'],
  ])('copies %s in the namespace of an earlier Namespace go', async (_, installation) => {
    await using world = new MirrorWorld();
    const team = { namespace: 'team', name: 'web' };
    await world.namespace('team');
    const earlier = 'ns-00000000-0000-4000-8000-000000000001';
    const mark = installation === undefined ? {} : { [labels.installation]: installation };
    await world.make(world.hub, Namespace, {
      metadata: {
        name: earlier,
        labels: { ...mark, [labels.upstreamCluster]: 'cluster-p1', [labels.upstreamNamespace]: 'team' },
      },
    });
    for (const name of ['web', 'gone']) {
      const marks = { ...goLabels('p1', HTTPProxy, { namespace: 'team', name }), ...mark };
      await world.make(world.hub, HTTPProxy, {
        ...(proxy(name) as object),
        metadata: { namespace: earlier, name, labels: marks },
      });
    }
    await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
    world.start();
    await world.after(seconds(30));
    const later = await world.namespace('team');
    const places = (): readonly unknown[] =>
      world.hub.objects(HTTPProxy).map(({ metadata }) => [metadata.namespace, metadata.name]);
    expect(places()).toContainEqual([later, 'web']);
    expect(places()).not.toContainEqual([earlier, 'web']);
    // The hub may not have known the project's Namespace when this one was looked at first: then it is left to a sweep.
    await world.after(minutes(15));
    expect(places()).toEqual([[later, 'web']]);
    expect(world.project().get(HTTPProxy, team)?.metadata.finalizers).toEqual([finalizers.replicator]);
  });
});

describe('a copy in an earlier place that somebody holds', () => {
  it('keeps no new one waiting, and goes when it is let go of', async () => {
    await using world = new MirrorWorld();
    const earlier = 'ns-00000000-0000-4000-8000-000000000001';
    const marks = { ...goLabels('p1', HTTPProxy, web), [labels.installation]: 'here' };
    const held = { ...web, namespace: earlier };
    await world.make(world.hub, Namespace, { metadata: { name: earlier, labels: marks } });
    await world.make(world.hub, HTTPProxy, {
      ...(proxy('web') as object),
      metadata: { ...held, labels: marks, finalizers: ['somebody/else'] },
    });
    await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, { namespace: await world.namespace(), name: 'web' })).toBeDefined();
    expect(world.hub.get(HTTPProxy, held)?.metadata.deletionTimestamp).toBeDefined();
    await world.patch(world.hub, { kind: HTTPProxy, name: held }, { metadata: { finalizers: null } });
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(1);
    const since = world.calls.length;
    await world.after(minutes(15));
    expect(world.requests(since)).toEqual([]);
  });
});

describe('retired kinds', () => {
  const off = [{ group: 'networking.datumapis.com', kind: 'HTTPProxy', enabled: false }];

  it('W13: their copies go and their finalizers are released', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), Connector, connector('c1'));
    world.start();
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, { namespace, name: 'web' })).toBeDefined();
    await world.restart({ kinds: off });
    await world.after(seconds(30));
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
    expect(world.project().get(HTTPProxy, web)?.metadata.finalizers).toBeUndefined();
    expect(world.hub.objects(Connector)).toHaveLength(1);
    const anchors = world.hub.objects(ConfigMap).filter(({ metadata }) => metadata.name.startsWith('anchor-'));
    expect(anchors).toHaveLength(1);
    const since = world.calls.length;
    await world.after(minutes(30));
    expect(world.requests(since)).toEqual([]);
  });

  it('copies of another controller on the hub stay: only our finalizer proves that a replicator made them', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const gateway = { spec: { gatewayClassName: 'x', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } };
    const marks = { labels: goLabels('p1', Gateway, web) };
    await world.make(world.hub, Namespace, {
      metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } },
    });
    await world.make(world.project(), Gateway, { metadata: web, ...gateway });
    await world.make(world.hub, Gateway, { metadata: { namespace, name: 'web', ...marks }, ...gateway });
    await world.make(world.hub, Gateway, {
      metadata: { namespace, name: 'gone', labels: goLabels('p1', Gateway, { ...web, name: 'gone' }) },
      ...gateway,
    });
    world.start();
    await world.after(minutes(20));
    expect(world.hub.objects(Gateway)).toHaveLength(2);
    expect(world.writes()).toEqual([]);
    await world.patch(
      world.project(),
      { kind: Gateway, name: web },
      { metadata: { finalizers: [finalizers.replicator] } },
    );
    await world.after(seconds(30));
    expect(world.hub.objects(Gateway).map(({ metadata }) => metadata.name)).toEqual(['gone']);
    expect(world.project().get(Gateway, web)?.metadata.finalizers).toBeUndefined();
  });
});
