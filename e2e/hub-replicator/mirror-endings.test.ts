/** How copies end, and what is never ended. */
import { annotations, finalizers, labels, Secret } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ConfigMap, Connector, goLabels, HTTPProxy, minutes, MirrorWorld, Namespace, seconds } from './mirror-world.ts';
import { connector, proxy, synced } from './objects.ts';

const web = { namespace: 'default', name: 'web' };
const cm = { namespace: 'default', name: 'cm' };

const anchorsOf = (world: MirrorWorld): readonly string[] =>
  world.hub
    .objects(ConfigMap)
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('anchor-'));

/** A world in which `web` has been copied. */
async function copied(
  options?: ConstructorParameters<typeof MirrorWorld>[0],
): Promise<MirrorWorld & { place: string }> {
  const world = new MirrorWorld(options);
  const place = await world.namespace();
  await world.make(world.project(), HTTPProxy, proxy('web'));
  world.start();
  await world.after(seconds(5));
  expect(world.hub.get(HTTPProxy, { namespace: place, name: 'web' })).toBeDefined();
  return Object.assign(world, { place });
}

describe('an object that is deleted', () => {
  it('takes its copy and its anchor along, and is let go of last', async () => {
    await using world = await copied();
    const since = world.calls.length;
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(5));
    expect(world.project().get(HTTPProxy, web)).toBeUndefined();
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
    expect(anchorsOf(world)).toEqual([]);
    const order = world.requests(since).flatMap(({ method, path }) => {
      if (method === 'DELETE') return [path.includes('configmaps') ? 'anchor' : 'copy'];
      if (method === 'GET' && path.includes('/ns-') && path.includes('httpproxies')) return ['look'];
      return method === 'PATCH' ? ['release'] : [];
    });
    expect(order).toEqual(['look', 'copy', 'look', 'anchor', 'release']);
  });

  it('waits for a copy that somebody holds', async () => {
    await using world = await copied();
    const copy = { namespace: world.place, name: 'web' };
    await world.patch(world.hub, { kind: HTTPProxy, name: copy }, { metadata: { finalizers: ['somebody/else'] } });
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(minutes(2));
    expect(world.project().get(HTTPProxy, web)?.metadata.finalizers).toEqual([finalizers.replicator]);
    expect(anchorsOf(world)).toHaveLength(1);
    await world.patch(world.hub, { kind: HTTPProxy, name: copy }, { metadata: { finalizers: null } });
    await world.after(seconds(10));
    expect(world.project().get(HTTPProxy, web)).toBeUndefined();
    expect(anchorsOf(world)).toEqual([]);
  });

  it('C21: whose copy is gone already is let go of', async () => {
    await using world = await copied();
    await world.stop();
    await world.delete(world.hub, HTTPProxy, { namespace: world.place, name: 'web' });
    await world.delete(world.project(), HTTPProxy, web);
    world.start();
    await world.after(seconds(5));
    expect(world.project().get(HTTPProxy, web)).toBeUndefined();
    expect(anchorsOf(world)).toEqual([]);
  });

  it('W3: by force, without our finalizer, takes its copy along too', async () => {
    await using world = await copied();
    await world.make(world.project(), HTTPProxy, proxy('other'));
    await world.after(seconds(5));
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { metadata: { finalizers: null } });
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(10));
    expect(world.hub.objects(HTTPProxy).map(({ metadata }) => metadata.name)).toEqual(['other']);
    expect(anchorsOf(world)).toHaveLength(1);
  });

  it('W3: so it does when it went while nobody looked', async () => {
    await using world = await copied();
    await world.make(world.project(), HTTPProxy, proxy('other'));
    await world.after(seconds(5));
    await world.stop();
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { metadata: { finalizers: null } });
    await world.delete(world.project(), HTTPProxy, web);
    world.start();
    await world.after(seconds(30));
    expect(world.hub.objects(HTTPProxy).map(({ metadata }) => metadata.name)).toEqual(['other']);
  });

  it('a project that shows nothing at all of a kind is swept after the minimum age, unless it is about one copy', async () => {
    await using world = await copied();
    await world.make(world.project(), HTTPProxy, proxy('other'));
    await world.make(world.project(), Connector, connector('c1'));
    await world.after(seconds(5));
    await world.stop();
    for (const name of ['web', 'other']) {
      const target = { kind: HTTPProxy, name: { namespace: 'default', name } };
      await world.patch(world.project(), target, { metadata: { finalizers: null } });
      await world.delete(world.project(), HTTPProxy, target.name);
    }
    const only = { kind: Connector, name: { namespace: 'default', name: 'c1' } };
    await world.patch(world.project(), only, { metadata: { finalizers: null } });
    await world.delete(world.project(), Connector, only.name);
    world.start();
    await world.after(minutes(4.9));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(2);
    expect(world.hub.objects(Connector)).toEqual([]);
    expect(await world.metrics.text()).toContain('lifeline_orphans 2');
    await world.after(minutes(6));
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
    expect(anchorsOf(world)).toEqual([]);
    expect(await world.metrics.text()).toContain('lifeline_sweep_total{result="deleted"} 2');
  });

  it('a plane that has lost its data, Namespaces and all, is not believed', async () => {
    await using world = new MirrorWorld();
    const empty = world.project().snapshot();
    await world.namespace('team');
    for (const name of ['web', 'other'])
      await world.make(world.project(), HTTPProxy, proxy(name, { namespace: 'team' }));
    world.start();
    await world.after(seconds(5));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(2);
    await world.stop();
    world.project().restore(empty);
    world.start();
    await world.after(minutes(120));
    expect(world.hub.objects(HTTPProxy)).toHaveLength(2);
    expect(await world.metrics.text()).toMatch(/lifeline_sweep_total\{result="refused"\} [1-9]/);
  });

  it('made anew under its name gets a copy of its own, made anew', async () => {
    await using world = await copied();
    const before = world.hub.get(HTTPProxy, { namespace: world.place, name: 'web' })?.metadata.uid;
    await world.stop();
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { metadata: { finalizers: null } });
    await world.delete(world.project(), HTTPProxy, web);
    const anew = await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(10));
    const copy = world.hub.get(HTTPProxy, { namespace: world.place, name: 'web' });
    expect(copy?.metadata.uid).not.toBe(before);
    expect(copy?.metadata.annotations?.[annotations.upstreamUid]).toBe(anew.metadata.uid);
    expect(anchorsOf(world)).toEqual([`anchor-${anew.metadata.uid}`]);
  });
});

describe('a Namespace', () => {
  it('W5: that is gone, with all that was in it, needs not be read to clean up', async () => {
    await using world = new MirrorWorld();
    const earlier = await world.namespace('team');
    await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
    await world.make(world.project(), HTTPProxy, proxy('stays'));
    world.start();
    await world.after(seconds(5));
    await world.stop();
    const target = { kind: HTTPProxy, name: { namespace: 'team', name: 'web' } };
    await world.patch(world.project(), target, { metadata: { finalizers: null } });
    await world.delete(world.project(), Namespace, { name: 'team' });
    await world.after(seconds(30));
    expect(world.project().get(Namespace, { name: 'team' })).toBeUndefined();
    // Or else the garbage collector would do it.
    const copy = { kind: HTTPProxy, name: { namespace: earlier, name: 'web' } };
    await world.patch(world.hub, copy, { metadata: { ownerReferences: null } });
    world.start();
    await world.after(minutes(12));
    expect(world.hub.objects(HTTPProxy).map(({ metadata }) => metadata.name)).toEqual(['stays']);
    expect(world.hub.get(Namespace, { name: earlier })).toBeDefined();
  });

  it('that is deleted in order takes its copies along; made anew, it has a place of its own', async () => {
    await using world = new MirrorWorld();
    const earlier = await world.namespace('team');
    await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
    world.start();
    await world.after(seconds(5));
    await world.delete(world.project(), Namespace, { name: 'team' });
    await world.after(seconds(30));
    expect(world.project().get(Namespace, { name: 'team' })).toBeUndefined();
    expect(world.hub.objects(HTTPProxy)).toEqual([]);
    const later = await world.namespace('team');
    await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
    await world.after(seconds(5));
    expect(later).not.toBe(earlier);
    expect(world.hub.objects(HTTPProxy).map(({ metadata }) => metadata.namespace)).toEqual([later]);
  });
});

describe('an object that is not selected any more', () => {
  it('W6: loses its copy and our finalizer, and gets both back with the label', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    world.start();
    await world.after(seconds(5));
    const target = { kind: ConfigMap, name: cm };
    await world.patch(world.project(), target, { metadata: { labels: { [labels.gatewaySync]: null } } });
    await world.after(seconds(5));
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })).toBeUndefined();
    expect(anchorsOf(world)).toEqual([]);
    expect(world.project().get(ConfigMap, cm)?.metadata.finalizers).toBeUndefined();
    await world.patch(world.project(), target, { metadata: { labels: { [labels.gatewaySync]: 'true' } } });
    await world.after(seconds(5));
    expect(world.hub.get(ConfigMap, { namespace, name: 'cm' })?.data).toEqual({ a: '1' });
  });

  it('W6: so it does when the label went while nobody looked, and even if the copy is gone already', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
    await world.make(world.project(), ConfigMap, synced('held', { a: '1' }));
    world.start();
    await world.after(seconds(5));
    await world.stop();
    for (const name of ['cm', 'held']) {
      const target = { kind: ConfigMap, name: { namespace: 'default', name } };
      await world.patch(world.project(), target, { metadata: { labels: null } });
    }
    await world.delete(world.hub, ConfigMap, { namespace, name: 'held' });
    const uid = world.project().get(ConfigMap, { namespace: 'default', name: 'held' })?.metadata.uid ?? '';
    await world.delete(world.hub, ConfigMap, { namespace, name: `anchor-${uid}` });
    world.start();
    await world.after(seconds(10));
    for (const name of ['cm', 'held']) {
      expect(world.project().get(ConfigMap, { namespace: 'default', name })?.metadata.finalizers).toBeUndefined();
    }
    expect(anchorsOf(world)).toEqual([]);
  });
});

describe('C19: what is not ours', () => {
  it('is not touched when our object goes', async () => {
    await using world = await copied();
    const namespace = world.place;
    const foreign = { ...goLabels('p1', HTTPProxy, web), [labels.installation]: 'another' };
    await world.make(world.hub, HTTPProxy, {
      ...(proxy('foreign') as object),
      metadata: { namespace, name: 'foreign', labels: { ...foreign, [labels.upstreamName]: 'foreign' } },
    });
    await world.make(world.hub, HTTPProxy, {
      ...(proxy('unlabelled') as object),
      metadata: { namespace, name: 'unlabelled' },
    });
    await world.make(world.hub, Secret, { metadata: { namespace, name: 'web' }, data: {} });
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(minutes(15));
    expect(
      world.hub
        .objects(HTTPProxy)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['foreign', 'unlabelled']);
    expect(world.hub.get(Secret, { namespace, name: 'web' })).toBeDefined();
  });
});
