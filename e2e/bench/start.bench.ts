/**
 * The hub replicator's start over planes that are full: how long until every cache of every plane has synced, and what they hold.
 *
 * The objects are ConfigMaps and Secrets that nobody asks to have carried: most of what is in a project, and all of it passes through the
 * app's caches. `START_PLANES` and `START_OBJECTS` (of each plane) make it larger: for 3 million objects, planes and app together want
 * `NODE_OPTIONS=--max-old-space-size=10000`.
 */
import { systemClock } from '@lifeline/core';
import { type Caches, type Reach, startApp } from './app.ts';
import { fixed, heldBytes, span, table } from './figures.ts';
import { PlanesApart } from './planes-apart.ts';

const planes = Number(process.env['START_PLANES'] ?? 30);
const objects = Number(process.env['START_OBJECTS'] ?? 10_000);
const latencyMs = 50;

using apart = await PlanesApart.start({ planes, connectors: 0, others: objects });
/** A hub that is busy with nobody else's lists. */
using hubApart = await PlanesApart.start({ planes: 0, connectors: 0 });
await apart.ask({ to: 'fill' });
console.error(`${fixed(planes * objects)} objects are there`);

const [hubs, projects] = [hubApart.reach(latencyMs), apart.reach(latencyMs)];
const reach: Reach = {
  ...projects,
  hub: hubs.hub,
  transport: (endpoint, signal) => (endpoint.server === hubs.hub ? hubs : projects).transport(endpoint, signal),
};
const before = await heldBytes();
const began = span();
const running = startApp(reach);
// A replica that nobody knows waits for as long as a Lease may be somebody else's before it takes a shard.
while ((await running.caches()).clusters <= 1) await systemClock.sleep(100);
const { wallMs: waitedMs } = began();
const end = span();
const synced = ({ unsynced, held }: Caches): boolean => unsynced === 0 && held >= planes * objects;
let caches = await running.caches();
for (; !synced(caches); caches = await running.caches()) await systemClock.sleep(500);
const { wallMs, cpuMs } = end();
const bytes = (await heldBytes()) - before;
await running.stop();

const all = planes * objects;
console.log(`### Start over ${fixed(planes)} planes of ${fixed(objects)} objects, answers after ${latencyMs} ms

${table([
  [
    'caches',
    'objects',
    'waits for its shards',
    'then all synced after',
    'CPU',
    'CPU an object',
    'memory of the app',
    'memory an object',
  ],
  [
    fixed(caches.caches),
    fixed(all),
    `${fixed(waitedMs / 1_000, 1)} s`,
    `${fixed(wallMs / 1_000, 1)} s`,
    `${fixed(cpuMs / 1_000, 1)} s`,
    `${fixed((cpuMs * 1_000) / all)} µs`,
    `${fixed(bytes / 1024 ** 2)} MB`,
    `${fixed(bytes / all)} bytes`,
  ],
])}
`);
process.exit(0);
