/** A world of ten thousand objects at rest (a tenth of them in the default suite) is left at rest: whoever lists it, and however often, nothing is written. */
import { ConfigMap, Connector, HTTPProxy, keyOf, type Kind, type KubeObject, NetworkContext } from '@lifeline/core';
import { seedsLimitMs, sized } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { proxy, synced } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const projects = ['p0', 'p1', 'p2', 'p3'];
/** How many of each kind a project has: ten thousand in all in the full tier. */
const counts: readonly (readonly [Kind, number])[] = [
  [Connector, sized(10, 100)],
  [NetworkContext, sized(40, 400)],
  [ConfigMap, sized(100, 1_000)],
  [HTTPProxy, sized(100, 1_000)],
];
const total = projects.length * counts.reduce((sum, [, count]) => sum + count, 0);

const nameOf = (project: string, { plural }: Kind): string => `${project}-${plural}`;

/** One object of each kind. */
async function makeOneOfEach(platform: Platform, project: string): Promise<void> {
  const at = (kind: Kind): { namespace: string; name: string } => ({
    namespace: 'default',
    name: nameOf(project, kind),
  });
  await platform.connector(project, at(Connector).name);
  await platform.make(project, NetworkContext, { metadata: at(NetworkContext), spec: { network: { name: 'n' } } });
  await platform.make(project, ConfigMap, synced(at(ConfigMap).name, { a: '1' }));
  await platform.make(project, HTTPProxy, proxy(at(HTTPProxy).name));
}

type Stored = ReturnType<ReturnType<Platform['api']>['snapshot']>;
const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * The same plane with so many of everything that belongs to the one object of a kind: what a replicator made of it, it would make of the
 * others too, with other names and uids.
 *
 * @param kept uids that are the same for all, those of Namespaces
 */
function multiplied(plane: Stored, kept: ReadonlySet<string>): Stored {
  const manyOf = (object: KubeObject): readonly KubeObject[] => {
    const text = JSON.stringify(object);
    for (const project of projects)
      for (const [kind, count] of counts) {
        const name = nameOf(project, kind);
        if (!text.includes(`"${name}"`)) continue;
        return Array.from({ length: count }, (_, index) => {
          const digits = index.toString(16).padStart(12, '0');
          // In a mirrored status, which is a text, quotes are escaped.
          const renamed = text.replaceAll(new RegExp(`"${name}(?=\\\\?")`, 'g'), `"${name}-${index}`);
          const anew = (found: string): string => (kept.has(found) ? found : found.slice(0, -12) + digits);
          return JSON.parse(renamed.replaceAll(uid, anew)) as KubeObject;
        });
      }
    return [object];
  };
  const objects = [...plane.objects].map(([resource, stored]) => {
    const many = [...stored.values()].flatMap((object) => manyOf(object as unknown as KubeObject));
    const sorted = many.map((object) => [keyOf(object), object] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    return [resource, new Map(sorted)] as const;
  });
  return { revision: plane.revision, objects: new Map(objects) as unknown as Stored['objects'] };
}

it(
  'a process that meets thousands of objects at rest, and lists them all again, writes nothing',
  async () => {
    await using platform = await Platform.start({ projects });
    for (const project of projects) await makeOneOfEach(platform, project);
    await platform.after(seconds(20));
    platform.world.processes.kill('r1');
    const kept = new Set(projects.map((project) => platform.mapped(project).slice('ns-'.length)));
    for (const plane of [hub, ...projects])
      platform.api(plane).restore(multiplied(platform.api(plane).snapshot(), kept));
    const copies = counts.flatMap(([kind]) =>
      platform
        .api(hub)
        .objects(kind)
        .filter(({ metadata }) => /^p\d-/.test(metadata.name)),
    );
    expect(copies).toHaveLength(total);

    let listed = 0;
    using _count = platform.world.deliveries.put(({ delta, plane }, deliver) => {
      if (delta.type === 'replaced' && (plane === hub || projects.includes(plane))) listed += delta.items.length;
      deliver(delta);
    });
    const mark = platform.mark;
    platform.world.processes.start('r1');
    await platform.after(minutes(1));
    expect(listed).toBeGreaterThan(2 * total);
    const looks = async (): Promise<number> => {
      const text = await platform.world.processes.process('r1').metrics.text();
      const lines = text.matchAll(
        /^controller_runtime_reconcile_total\{controller="mirror-[^}]*result="success"\} (\d+)$/gm,
      );
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    // Each was looked at, and is as it should be.
    expect(await looks()).toBeGreaterThan(total);
    expect(platform.writes(mark)).toEqual([]);

    listed = 0;
    platform.expireWatches();
    await platform.after(seconds(30));
    expect(listed).toBeGreaterThan(2 * total);
    expect(platform.writes(mark)).toEqual([]);

    // It is no dead world: what changes is written.
    const last = {
      kind: HTTPProxy,
      name: { namespace: 'default', name: `${nameOf('p3', HTTPProxy)}-${sized(99, 999)}` },
    };
    await platform.patch('p3', last, { spec: { hostnames: ['new.example'] } });
    await platform.after(seconds(1));
    expect(platform.writes(mark)).toMatchObject([{ plane: hub, kind: 'HTTPProxy', name: last.name.name }]);
  },
  seedsLimitMs(120_000),
);
