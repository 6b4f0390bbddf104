/** A platform for benches of the hub replicator: many project planes and a hub in this process, and the app as it is shipped. */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  Connector,
  ConnectorClass,
  type DurationMs,
  formatMicroTime,
  intercept,
  type Kind,
  Lease,
  linkAbort,
  seeded,
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
  isKubeError,
} from '@lifeline/k8s';
import { filesOf, kubeconfig } from '@lifeline/k8s/testing';
import { kindsOfRole, urlOf } from '@lifeline/sim';

export interface PlatformOptions {
  readonly planes: number;
  /** Of all planes together. */
  readonly connectors: number;
}

/** A connector, and where its agent finds it. */
export interface Place {
  readonly plane: Plane;
  readonly name: string;
}

export interface Plane {
  readonly name: string;
  readonly api: ApiServer;
  /** As agents and users have one. */
  readonly client: Client;
  /** Through which the app reads and writes; its watches can be held back. */
  readonly replica: ReturnType<ApiServer['replica']>;
}

const call = { signal: new AbortController().signal };
const hubName = 'hub';
const className = 'tunnels';

export class Platform implements Disposable {
  readonly hub: Plane;
  readonly planes: readonly Plane[];
  readonly places: readonly Place[];

  constructor({ planes, connectors }: PlatformOptions) {
    this.hub = plane(hubName, kindsOfRole('hub'));
    this.planes = Array.from({ length: planes }, (_, i) => plane(`p${i}`, kindsOfRole('project')));
    this.places = Array.from({ length: connectors }, (_, i) => ({
      plane: this.planes[i % planes] as Plane,
      name: `c-${i}`,
    }));
  }

  /** Classes and connectors, each with the details of its agent. */
  async fill(): Promise<void> {
    for (const { client } of this.planes) {
      await client.create(ConnectorClass, { metadata: { name: className }, spec: { controllerName: 'bench' } }, call);
    }
    for (const [index, { plane, name }] of this.places.entries()) {
      const metadata = { namespace: 'default', name };
      await plane.client.create(Connector, { metadata, spec: { connectorClassName: className } }, call);
      await details({ plane, name }, nodeId(index, 0));
    }
  }

  /** Runs the app until it is stopped. Each of its requests begins `latencyMs` later. */
  start(latencyMs: DurationMs = 0): Running {
    const life = linkAbort();
    const planes = new Map([this.hub, ...this.planes].map((each) => [urlOf(each.name), each]));
    const metrics = createMetrics();
    const env: Env = {
      clock: systemClock,
      random: systemRandom,
      transport: ({ server }) => {
        const found = planes.get(server);
        if (!found) throw new TypeError(server);
        return wired(found.replica.transport, latencyMs);
      },
      files: filesOf({
        '/hub': kubeconfig(urlOf(hubName)),
        ...Object.fromEntries(this.planes.map(({ name }) => [`/projects/${name}.yaml`, kubeconfig(urlOf(name))])),
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
      // All planes compute in this process too: what would be a stall of the app alone must not cost it its shards.
      shards: { durationMs: 30_000 },
    });
    const ended = app.start(env, parsed);
    return {
      metrics,
      stop: async () => {
        life.abort(new Error('measured'));
        await ended;
      },
    };
  }

  /** A client of the hub as the app has one. */
  hubClient(latencyMs: DurationMs): Client {
    return clientOf(this.hub.name, wired(this.hub.api.transport, latencyMs));
  }

  /** Watches that are open, of all planes. */
  get watches(): number {
    return [this.hub, ...this.planes].reduce((sum, { api }) => sum + api.openWatches, 0);
  }

  /** Waits, looking ten times a second. */
  async until(holds: () => boolean, limitMs: DurationMs = 600_000): Promise<void> {
    const began = systemClock.monotonic();
    while (!holds()) {
      if (systemClock.monotonic() - began > limitMs) throw new Error(`not within ${limitMs} ms: ${holds.toString()}`);
      await systemClock.sleep(100);
    }
  }

  [Symbol.dispose](): void {
    for (const { api } of [this.hub, ...this.planes]) api[Symbol.dispose]();
  }
}

export interface Running {
  readonly metrics: Env['metrics'];
  readonly stop: () => Promise<void>;
}

function plane(name: string, kinds: readonly Kind[]): Plane {
  const api = createApiServer({ clock: systemClock, random: seeded(name), kinds });
  const client = clientOf(name, wired(api.transport));
  return { name, api, client, replica: api.replica() };
}

const clientOf = (name: string, transport: Transport): Client =>
  createClient({ transport, baseUrl: urlOf(name), clock: systemClock, random: systemRandom, userAgent: 'bench' });

/**
 * Requests begin in a later turn of the event loop, as on a wire, and few of them in each: without it timers would starve. With a latency, each
 * begins later by that much; what a watch tells comes at once.
 */
const wired = (transport: Transport, ms: DurationMs = 0): Transport =>
  intercept(transport, (next) => async (request, options) => {
    if (ms > 0) await systemClock.sleep(ms, options.signal);
    await turn();
    return next(request, options);
  });

const perTurn = 10;
const waiting: (() => void)[] = [];

function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(release);
  return promise;
}

function release(): void {
  for (const resolve of waiting.splice(0, perTurn)) resolve();
  if (waiting.length > 0) setImmediate(release);
}

/** One of many ids of an agent. */
export const nodeId = (index: number, turn: number): string => (index * 1_000 + turn).toString(16).padStart(64, '0');

/** What an agent says of itself. */
export async function details({ plane, name }: Place, id: string): Promise<void> {
  const publicKey = {
    id,
    discoveryMode: 'DNS',
    homeRelay: 'https://relay-1.example.com/',
    addresses: [{ address: '192.0.2.7', port: 4433 }],
  };
  const body = { status: { connectionDetails: { type: 'PublicKey', publicKey } } };
  const target = { kind: Connector, name: { namespace: 'default', name } };
  await plane.client.patch(target, { type: 'merge', body }, { ...call, subresource: 'status' });
}

/** A heartbeat, good for so long. False: there is no Lease yet. */
export async function renew({ plane, name }: Place, leaseDurationSeconds = 30): Promise<boolean> {
  const renewTime = formatMicroTime(systemClock.now());
  const body = { spec: { holderIdentity: name, renewTime, leaseDurationSeconds } };
  try {
    await plane.client.patch({ kind: Lease, name: { namespace: 'default', name } }, { type: 'merge', body }, call);
    return true;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return false;
    throw error;
  }
}
