/**
 * A fleet of 1,000 planes in one process: five informers each, twenty objects each.
 *
 * The planes are test planes in the same process, over the in-process transport, so their memory is measured first and taken off; their
 * CPU is in the figures. Run with `--expose-gc` for exact memory: `npm run bench -- fleet` does.
 */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  ConfigMap,
  Connector,
  HTTPProxy,
  type JsonValue,
  type Kind,
  Lease,
  Secret,
  seeded,
  systemClock,
  systemRandom,
} from '@lifeline/core';
import {
  createClient,
  createHealth,
  createLog,
  createMetrics,
  defineController,
  type Env,
  fleetFactory,
  noFence,
  runController,
  self,
  staticSource,
  watch,
} from '@lifeline/k8s';
import { filesOf } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';

const planes = Number(process.env['PLANES'] ?? 1_000);
const objects = 20;
const kinds: readonly Kind[] = [
  Connector,
  HTTPProxy,
  ConfigMap,
  Secret,
  Lease,
] as readonly unknown[] as readonly Kind[];
const restMs = Number(process.env['REST_MS'] ?? 20_000);

const serverOf = (index: number): string => `https://plane-${index}.test`;

async function plane(index: number): Promise<ApiServer> {
  const random = seeded(index);
  const api = createApiServer({ clock: systemClock, random, kinds: kindsOfRole('project') });
  const baseUrl = serverOf(index);
  const client = createClient({ transport: api.transport, baseUrl, clock: systemClock, random, userAgent: 'user' });
  const options = { signal: new AbortController().signal };
  for (const kind of kinds) {
    for (let i = 0; i < objects; i++) {
      const name = { namespace: 'default', name: `o-${i}` };
      const { status, ...content } = contentOf(kind, i);
      await client.create(kind, { metadata: name, ...content }, options);
      const patch = { type: 'merge', body: { status: status as JsonValue } } as const;
      if (status) await client.patch({ kind, name }, patch, { ...options, subresource: 'status' });
    }
  }
  return api;
}

function contentOf(kind: Kind, i: number): Record<string, unknown> {
  switch (kind.kind) {
    case 'Connector':
      return {
        spec: { connectorClassName: 'datum-connect' },
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'ConnectorReady',
              message: '',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
            {
              type: 'Accepted',
              status: 'True',
              reason: 'Accepted',
              message: '',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
          connectionDetails: {
            type: 'PublicKey',
            publicKey: {
              id: i.toString(16).padStart(64, '0'),
              discoveryMode: 'DNS',
              homeRelay: 'https://relay.test',
              addresses: [],
            },
          },
        },
      };
    case 'HTTPProxy':
      return {
        spec: {
          hostnames: [`h-${i}.test`],
          rules: [
            {
              matches: [{ path: { type: 'PathPrefix', value: '/' } }],
              backends: [{ endpoint: 'http://localhost:8080', connector: { name: `o-${i}` } }],
            },
          ],
        },
      };
    case 'Lease':
      return { spec: { holderIdentity: 'agent', leaseDurationSeconds: 30, renewTime: '2026-01-01T00:00:00.000000Z' } };
    default:
      return { data: { a: 'YWFhYQ==', b: 'x'.repeat(200) } };
  }
}

async function memory(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await systemClock.sleep(50);
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

async function rest(): Promise<number> {
  const before = process.cpuUsage();
  await systemClock.sleep(restMs);
  return (cpuMs(before) / restMs) * 100;
}

const base = await memory();
const filledAt = systemClock.monotonic();
const apis: ApiServer[] = [];
for (let index = 0; index < planes; index++) apis.push(await plane(index));
const filledAfter = systemClock.monotonic() - filledAt;
const withPlanes = await memory();

const running = new AbortController();
const env: Env = {
  clock: systemClock,
  random: systemRandom,
  transport: (endpoint) => {
    const api = apis[Number(/plane-(\d+)/.exec(endpoint.server)?.[1])];
    if (!api) throw new TypeError(endpoint.server);
    return api.transport;
  },
  files: filesOf({}),
  variables: {},
  log: createLog({ clock: systemClock, write: () => undefined }),
  metrics: createMetrics(),
  health: createHealth(),
  signal: running.signal,
};
const targets = Object.fromEntries(
  apis.map((_, index) => [`plane-${index}`, { endpoint: { server: serverOf(index) } }]),
);
const provider = fleetFactory(env, 'bench')({ plane: 'project', source: staticSource(targets) });
let seen = 0;
const controller = defineController({
  name: 'bench',
  watches: kinds.map((kind) => watch(provider, kind, { mapper: self })),
  writes: [],
  workers: 16,
  reconcile: async (request, { cluster }) => {
    cluster(provider, request.cluster).store(ConfigMap).get(request.key);
    seen++;
  },
});

const startedAt = systemClock.monotonic();
const cpuAtStart = process.cpuUsage();
const fleet = provider.run(running.signal);
const work = runController(controller, { env, fence: () => noFence, signal: running.signal });
const informers = provider.list().flatMap((cluster) => kinds.map((kind) => cluster.informer(kind)));
await Promise.all(informers.map((informer) => informer.synced(running.signal)));
const syncedAfter = systemClock.monotonic() - startedAt;
while (seen < planes * objects) await systemClock.sleep(20);
const reconciledAfter = systemClock.monotonic() - startedAt;
const cpuToSync = cpuMs(cpuAtStart);
const withFleet = await memory();
await systemClock.sleep(2_000);
const cpuAtRest = await rest();
running.abort(new Error('done'));
await Promise.all([fleet, work]);

const kb = (bytes: number): string => `${(bytes / planes / 1024).toFixed(1)} KB`;
console.log(`## A fleet of ${planes} planes × ${kinds.length} kinds × ${objects} objects, one process

| what | measured |
|---|---|
| time to fill the planes: ${planes * objects * (kinds.length + 1)} writes, one after the other | ${filledAfter.toFixed(0)} ms |
| time to all caches synced | ${syncedAfter.toFixed(0)} ms |
| time to every object reconciled once | ${reconciledAfter.toFixed(0)} ms |
| CPU until then (servers in the same process included) | ${cpuToSync.toFixed(0)} ms |
| memory per plane: client, ${kinds.length} informers, ${kinds.length * objects} cached objects, queue | ${kb(withFleet - withPlanes)} |
| of which per cached object | ${((withFleet - withPlanes) / planes / kinds.length / objects / 1024).toFixed(2)} KB |
| memory per test plane: a project with all its CRDs, its objects and their history | ${kb(withPlanes - base)} |
| CPU at rest (${planes * kinds.length} open watches; ${restMs / 1000} s) | ${cpuAtRest.toFixed(2)} % of one core |
`);
process.exit(0);
