/** Where copies belong, and somebody has edited what says so: put right where it can be told, else shown to who can help. */
import { annotations, ConfigMap, Connector, finalizers, KubeEvent, labels, Namespace } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { MirrorWorld, minutes, seconds } from './mirror-world.ts';
import { connector, onlineStatus } from './objects.ts';

const c1 = { namespace: 'default', name: 'c1' };

/** A world in which one online connector has its copy. */
async function oneCopied(world: MirrorWorld): Promise<string> {
  const namespace = await world.namespace();
  await world.make(world.project(), Connector, connector('c1'));
  await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True'));
  world.start();
  await world.after(seconds(5));
  return namespace;
}

const mark = (world: MirrorWorld, name: string, marks: Readonly<Record<string, string | null>>): Promise<unknown> =>
  world.patch(world.hub, { kind: Namespace, name: { name } }, { metadata: { labels: marks } });

const carriesOffline = (world: MirrorWorld, namespace: string): boolean =>
  world.hub
    .get(Connector, { namespace, name: 'c1' })
    ?.metadata.annotations?.[annotations.upstreamStatus]?.includes('ConnectorNotReady') === true;

const placesTaken = async (world: MirrorWorld): Promise<readonly string[]> =>
  (await world.metrics.text()).split('\n').filter((line) => line.startsWith('lifeline_places_taken{'));

const linesAbout = (world: MirrorWorld): readonly string[] =>
  world.logLines.filter((line) => line.includes('place of copies'));

describe('a mapped Namespace whose marks somebody edited', () => {
  it.each([['running'], ['down']])(
    'is put right by its uid: another upstream namespace (replicator %s)',
    async (at) => {
      await using world = new MirrorWorld();
      const namespace = await oneCopied(world);
      if (at === 'down') await world.stop();
      await mark(world, namespace, { [labels.upstreamNamespace]: 'other' });
      if (at === 'down') world.start();
      await world.after(seconds(5));
      expect(world.hub.get(Namespace, { name: namespace })?.metadata.labels).toMatchObject({
        [labels.upstreamNamespace]: 'default',
      });
      await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
      await world.after(seconds(5));
      expect(carriesOffline(world, namespace)).toBe(true);
      expect(await placesTaken(world)).toEqual([]);
    },
  );

  it('is marked anew though it holds nothing: the sweep of its project goes by that', async () => {
    await using world = new MirrorWorld();
    const namespace = await oneCopied(world);
    const { labels: marks } = world.hub.get(Namespace, { name: namespace })?.metadata ?? {};
    await world.delete(world.project(), Connector, c1);
    await world.after(seconds(10));
    expect(world.hub.objects(Connector)).toEqual([]);
    await world.patch(world.hub, { kind: Namespace, name: { name: namespace } }, { metadata: { labels: null } });
    await world.after(seconds(5));
    expect(world.hub.get(Namespace, { name: namespace })?.metadata.labels).toMatchObject(marks ?? {});
  });

  it.each([
    ['another project', { [labels.upstreamCluster]: 'cluster-zzz' }, 'PlaceTaken'],
    ['another installation', { [labels.installation]: 'zzz' }, 'OtherInstallation'],
  ])('is left alone as that of %s: said once, counted, and taken back when it is freed', async (_, marks, reason) => {
    await using world = new MirrorWorld();
    const namespace = await oneCopied(world);
    await world.make(world.project(), Connector, connector('c2'));
    await world.after(seconds(5));
    await mark(world, namespace, marks);
    await world.after(minutes(30));
    expect(await placesTaken(world)).toEqual(['lifeline_places_taken{cluster="p1",kind="Namespace"} 1']);
    const [line = '', ...more] = linesAbout(world);
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      cluster: 'p1',
      kind: 'Namespace',
      name: namespace,
      reason,
    });
    const told = world.project().objects(KubeEvent);
    expect(new Set(told.map(({ reason: of }) => of))).toEqual(new Set([reason]));
    for (const { note } of told) {
      expect(note).toContain('Only an operator of the platform can');
      expect(note).not.toContain(namespace);
    }

    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
    await world.after(seconds(5));
    expect(carriesOffline(world, namespace)).toBe(false);
    const none = Object.fromEntries(Object.keys(marks).map((key) => [key, null]));
    await mark(world, namespace, none);
    await world.after(seconds(5));
    expect(carriesOffline(world, namespace)).toBe(true);
    expect(await placesTaken(world)).toEqual([]);
  });

  it('of a project that leaves is nothing to count', async () => {
    await using world = new MirrorWorld();
    const namespace = await oneCopied(world);
    await mark(world, namespace, { [labels.upstreamCluster]: 'cluster-zzz' });
    const running = await world.restart();
    await world.after(seconds(5));
    expect(await placesTaken(world)).toHaveLength(1);
    running.control.disengage('p1');
    await world.after(seconds(5));
    expect(await placesTaken(world)).toEqual([]);
  });
});

describe('a mapped Namespace that was deleted and is held by something', () => {
  it('is there again as soon as it is let go of', async () => {
    await using world = new MirrorWorld();
    const namespace = await oneCopied(world);
    const copy = { namespace, name: 'c1' };
    const theirs = { namespace, name: 'theirs' };
    await world.make(world.hub, ConfigMap, { metadata: { ...theirs, finalizers: ['somebody/else'] } });
    await world.delete(world.hub, Namespace, { name: namespace });
    await world.after(minutes(10));
    expect(world.hub.get(Connector, copy)).toBeUndefined();
    expect(world.hub.get(Namespace, { name: namespace })?.metadata.deletionTimestamp).toBeDefined();
    await world.patch(world.hub, { kind: ConfigMap, name: theirs }, { metadata: { finalizers: null } });
    await world.after(seconds(3));
    expect(world.hub.get(Connector, copy)).toBeDefined();
    expect(world.project().get(Connector, c1)?.metadata.finalizers).toEqual([finalizers.replicator]);
  });
});

describe("a Namespace and a copy of one project, both relabelled to another's while nobody watched", () => {
  it.each([['is there'], ['is deleted']])("go nowhere with the other's object of that name, which %s", async (fate) => {
    await using world = new MirrorWorld({ projects: ['p1', 'p2'] });
    const theirs = world.project('p2');
    await world.namespace('default', theirs);
    await world.make(theirs, Connector, connector('c1'));
    await oneCopied(world);
    const namespace = await world.namespace('default', theirs);
    const copy = { namespace, name: 'c1' };
    const { uid } = world.hub.get(Connector, copy)?.metadata ?? {};
    await world.stop();
    const metadata = { labels: { [labels.upstreamCluster]: 'cluster-p1' } };
    await world.patch(world.hub, { kind: Namespace, name: { name: namespace } }, { metadata });
    await world.patch(world.hub, { kind: Connector, name: copy }, { metadata });
    world.start();
    await world.after(seconds(10));
    if (fate === 'is deleted') await world.delete(world.project('p1'), Connector, c1);
    await world.after(minutes(15));
    expect(world.project('p1').get(Connector, c1) === undefined).toBe(fate === 'is deleted');
    expect(world.hub.get(Connector, copy)?.metadata.uid).toBe(uid);
    expect(await placesTaken(world)).toEqual(['lifeline_places_taken{cluster="p2",kind="Namespace"} 1']);
  });
});
