/**
 * The hub replicator's start over planes that are full: how long until every cache of every plane has synced, and what they hold.
 *
 * The objects are ConfigMaps and Secrets that nobody asks to have carried: most of what is in a project, and all of it passes through the
 * app's caches. `START_PLANES` and `START_OBJECTS` (of each plane) make it larger: for 3 million objects, planes and app together want
 * `NODE_OPTIONS=--max-old-space-size=20000`.
 */
import { ConfigMap, type Kind, Secret, systemClock } from '@lifeline/core';
import { type Caches, clientOf, startApp } from './app.ts';
import { fixed, heldBytes, span, table } from './figures.ts';
import { type Plane, Platform } from './platform.ts';

const planes = Number(process.env['START_PLANES'] ?? 30);
const objects = Number(process.env['START_OBJECTS'] ?? 10_000);
const latencyMs = 50;
/** At a time, while a plane is filled. */
const writers = 16;

const call = { signal: new AbortController().signal };

async function fill({ api, name }: Plane): Promise<void> {
  const client = clientOf(api.transport, `https://${name}.test`);
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let i = next++; i < objects; i = next++) {
      const kind: Kind = i % 2 === 0 ? ConfigMap : Secret;
      const metadata = { namespace: 'default', name: `o-${i}`, labels: { app: `app-${i % 100}` } };
      await client.create(
        kind,
        { metadata, data: { key: 'dmFsdWU=' } } as object as { metadata: typeof metadata },
        call,
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
}

const platform = new Platform({ planes, connectors: 0 });
for (const plane of platform.planes) await fill(plane);
console.error(`${fixed(planes * objects)} objects are there`);

const before = await heldBytes();
const end = span();
const running = startApp(platform.reach(latencyMs));
const synced = ({ caches, unsynced, held }: Caches): boolean =>
  caches >= planes && unsynced === 0 && held >= planes * objects;
let caches = await running.caches();
for (; !synced(caches); caches = await running.caches()) await systemClock.sleep(500);
const { wallMs, cpuMs } = end();
const bytes = (await heldBytes()) - before;
await running.stop();

const all = planes * objects;
console.log(`### Start over ${fixed(planes)} planes of ${fixed(objects)} objects, answers after ${latencyMs} ms

${table([
  ['caches', 'objects', 'all synced after', 'CPU', 'CPU an object', 'memory of the app', 'memory an object'],
  [
    fixed(caches.caches),
    fixed(all),
    `${fixed(wallMs / 1_000, 1)} s`,
    `${fixed(cpuMs / 1_000, 1)} s`,
    `${fixed((cpuMs * 1_000) / all)} µs`,
    `${fixed(bytes / 1024 ** 2)} MB`,
    `${fixed(bytes / all)} bytes`,
  ],
])}
`);
process.exit(0);
