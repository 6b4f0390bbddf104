/** A world at rest costs no writes; and a replicator that is killed at any await of a replication ends it all the same. */
import { annotations, anchorName, canonicalJson, ConfigMap, Connector, finalizers } from '@lifeline/core';
import { seedsLimitMs, sized } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { synced } from './objects.ts';
import { hub, minutes, Platform, seconds, statusText } from './world.ts';

it(
  'zero writes: all that is known is listed anew, looked at by the floor, and met by a new process, and nothing is written',
  async () => {
    // Of each kind and project: ten thousand in all in the full tier.
    const each = sized(10, 2_500);
    await using platform = await Platform.start({ projects: ['p1', 'p2'] });
    for (const project of platform.projects) {
      for (let index = 0; index < each; index++) {
        await platform.make(project, ConfigMap, synced(`conf-${index}`, { index: `${index}` }));
        await platform.connector(project, `conn-${index}`);
      }
    }
    await platform.after(minutes(10));
    expect(platform.api(hub).objects(Connector)).toHaveLength(2 * each);

    const before = platform.mark;
    const listed = { caches: 0, objects: 0 };
    const count = platform.world.deliveries.put(({ delta }, deliver) => {
      if (delta.type === 'replaced') listed.caches++;
      if (delta.type === 'replaced') listed.objects += delta.items.length;
      deliver(delta);
    });
    const caches = platform.expireWatches();
    await platform.after(minutes(1));
    count[Symbol.dispose]();
    expect(caches).toBeGreaterThan(50);
    expect(listed.caches).toBe(caches);
    // Above and on the hub.
    expect(listed.objects).toBeGreaterThan(2 * 4 * each);
    expect(platform.writes(before), 'listed anew').toEqual([]);
    await platform.after(minutes(12));
    expect(platform.writes(before), 'looked at by the floor').toEqual([]);
    platform.world.processes.start('r1');
    await platform.after(minutes(2));
    expect(platform.writes(before), 'met by a new process').toEqual([]);
  },
  seedsLimitMs(600_000),
);

it(
  'killed at any await of one replication, and started again: the copy is there, once, and nothing is left of it after the end',
  async () => {
    await using platform = await Platform.start({ projects: ['p1'] });
    const { processes } = platform.world;
    const settle = async (): Promise<void> => {
      for (let look = 0; look < 2; look++) {
        if (!processes.isRunning('r1')) processes.start('r1');
        await platform.after(seconds(20));
      }
    };
    const replicate = async (name: string): Promise<void> => {
      await platform.connector('p1', name);
      await platform.after(seconds(1));
    };
    const from = processes.process('r1').points;
    await replicate('clean');
    const points = processes.process('r1').points - from;
    expect(points).toBeGreaterThan(20);

    const every = Math.ceil(points / sized(4, points));
    for (let point = 1; point <= points; point += every) {
      const name = `at-${point}`;
      processes.process('r1').killAt(processes.process('r1').points + point);
      await replicate(name);
      await settle();
      const upstream = platform.api('p1').get(Connector, { namespace: 'default', name });
      const uid = upstream?.metadata.uid ?? '';
      expect(upstream?.metadata.finalizers, name).toEqual([finalizers.replicator]);
      const copies = platform
        .api(hub)
        .objects(Connector)
        .filter(({ metadata }) => metadata.annotations?.[annotations.upstreamUid] === uid);
      expect(copies.map(statusText), name).toEqual([canonicalJson(upstream?.status)]);

      processes.process('r1').killAt(processes.process('r1').points + point);
      await platform.delete('p1', Connector, { namespace: 'default', name });
      await settle();
      expect(platform.api('p1').get(Connector, { namespace: 'default', name }), name).toBeUndefined();
      const where = { namespace: platform.mapped('p1'), name: anchorName(uid) };
      expect(platform.api(hub).get(ConfigMap, where), name).toBeUndefined();
      expect(platform.copy(Connector, 'p1', name), name).toBeUndefined();
    }
  },
  seedsLimitMs(300_000),
);
