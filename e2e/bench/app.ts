/** The app as it is shipped, and its client, over planes wherever they are. */
import {
  annotations,
  Connector,
  type DurationMs,
  fieldManagers,
  intercept,
  linkAbort,
  reflectorMetricPrefix,
  systemClock,
  systemRandom,
  type Transport,
} from '@lifeline/core';
import { app, config } from '@lifeline/hub-replicator';
import {
  type Client,
  createClient,
  createHealth,
  createLog,
  createMetrics,
  type Env,
  type TransportFactory,
} from '@lifeline/k8s';
import { filesOf, kubeconfig } from '@lifeline/k8s/testing';
import { heldBytes, type Span, span } from './figures.ts';
import { nodeId } from './names.ts';

/** Where the planes are. */
export interface Reach {
  readonly transport: TransportFactory;
  readonly hub: string;
  /** By name. */
  readonly projects: ReadonlyMap<string, string>;
}

export interface Running {
  /** Resolves when every one of so many connectors was looked at, by both of its controllers. */
  readonly looked: (connectors: number) => Promise<void>;
  readonly caches: () => Promise<Caches>;
  readonly stop: () => Promise<void>;
}

/** Of all planes together. */
export interface Caches {
  readonly clusters: number;
  readonly caches: number;
  /** Those that have not taken over a list yet. */
  readonly unsynced: number;
  /** Objects. */
  readonly held: number;
}

/** Runs the app until it is stopped. */
export function startApp({ transport, hub, projects }: Reach): Running {
  const life = linkAbort();
  const metrics = createMetrics();
  const env: Env = {
    clock: systemClock,
    random: systemRandom,
    transport,
    files: filesOf({
      '/hub': kubeconfig(hub),
      ...Object.fromEntries([...projects].map(([name, url]) => [`/projects/${name}.yaml`, kubeconfig(url)])),
    }),
    variables: {},
    log: createLog({ clock: systemClock, write: (line) => console.error(line.trimEnd()), level: 'warn' }),
    metrics,
    health: createHealth(),
    signal: life.signal,
  };
  const parsed = config.parse({
    hub: { kubeconfig: '/hub' },
    projects: { mode: 'folder', kubeconfigs: '/projects' },
    connector: {},
    sweep: {},
    // The planes may compute in this process too: what would be a stall of the app alone must not cost it its shards.
    shards: { durationMs: 30_000 },
  });
  const ended = app.start(env, parsed);
  return {
    looked: async (connectors) => {
      const looks = async (): Promise<number> =>
        Math.min(await successes(metrics, 'connector'), await successes(metrics, 'mirror-connectors'));
      while ((await looks()) < connectors) await systemClock.sleep(200);
    },
    caches: async () => cachesOf(await metrics.text()),
    stop: async () => {
      life.abort(new Error('measured'));
      await ended;
    },
  };
}

/** The looks that a controller has ended well. */
async function successes(metrics: Env['metrics'], controller: string): Promise<number> {
  const pattern = new RegExp(
    `^controller_runtime_reconcile_total\\{controller="${controller}",result="success"\\} (\\d+)$`,
    'm',
  );
  return Number(pattern.exec(await metrics.text())?.[1] ?? 0);
}

function cachesOf(text: string): Caches {
  const series = (name: string): readonly RegExpExecArray[] => [
    ...text.matchAll(new RegExp(`^${reflectorMetricPrefix}${name}\\{.*cluster="([^"]*)".*\\} (\\d+)$`, 'gm')),
  ];
  const objects = series('objects');
  return {
    clusters: new Set(objects.map(([, cluster]) => cluster)).size,
    caches: objects.length,
    unsynced: objects.length - series('lists_total').length,
    held: objects.reduce((sum, [, , count]) => sum + Number(count), 0),
  };
}

/** Each request begins `ms` later; what a watch tells comes at once. */
export const delayed = (transport: Transport, ms: DurationMs): Transport =>
  intercept(transport, (next) => async (request, options) => {
    if (ms > 0) await systemClock.sleep(ms, options.signal);
    return next(request, options);
  });

/** Does something for each item, with so many under way at a time. */
export async function forEach<T>(
  items: Iterable<T>,
  underWay: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = Iterator.from(items);
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: underWay }, worker));
}

/** A client as the app has one. */
export const clientOf = (transport: Transport, baseUrl: string): Client =>
  createClient({ transport, baseUrl, clock: systemClock, random: systemRandom, userAgent: 'bench' });

const call = { signal: new AbortController().signal };
/** As many as a mirror has under way: see its controller. */
const workers = 16;

/** The client applies the hub's copies, with nobody watching and nothing to decide. */
export async function raw(client: Client, turn: number): Promise<Span> {
  const { items } = await client.list(Connector, call);
  const objects = items.map((copy) => changed(copy, turn));
  await heldBytes();
  const end = span();
  const how = { ...call, force: true, fieldManager: fieldManagers.hubReplicator };
  await forEach(objects, workers, (object) => client.apply(Connector, object, how));
  return end();
}

/** What the app would apply for a copy whose agent has another id. */
function changed(copy: Connector, turn: number): Connector {
  const { name, namespace, labels, annotations: present, ownerReferences } = copy.metadata;
  const all = present ?? {};
  const text = all[annotations.upstreamStatus] ?? '';
  const status = text.replace(/"id":"[^"]*"/, `"id":"${nodeId(name, turn)}"`);
  const metadata = {
    name,
    namespace,
    labels,
    ownerReferences,
    annotations: { ...all, [annotations.upstreamStatus]: status },
  };
  return { ...copy, metadata, status: undefined };
}
