/** A platform for benches of the hub replicator: many project planes and a hub in this process. */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  annotations,
  ConfigMap,
  Connector,
  ConnectorClass,
  type DurationMs,
  formatMicroTime,
  intercept,
  type Kind,
  Lease,
  Secret,
  seeded,
  systemClock,
  type Transport,
} from '@lifeline/core';
import { type Client, isKubeError } from '@lifeline/k8s';
import { kindsOfRole, urlOf } from '@lifeline/sim';
import { clientOf, delayed, forEach, type Reach } from './app.ts';
import { connectorName, nodeId } from './names.ts';

export interface PlatformOptions {
  readonly planes: number;
  /** Of all planes together. */
  readonly connectors: number;
  /** ConfigMaps and Secrets of each project plane that nobody asks to have carried. Default none. */
  readonly others?: number | undefined;
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
  readonly #others: number;

  constructor({ planes, connectors, others = 0 }: PlatformOptions) {
    this.#others = others;
    this.hub = plane(hubName, kindsOfRole('hub'));
    this.planes = Array.from({ length: planes }, (_, i) => plane(`p${i}`, kindsOfRole('project')));
    this.places = Array.from({ length: connectors }, (_, i) => ({
      plane: this.planes[i % planes] as Plane,
      name: connectorName(i),
    }));
  }

  /** Classes and connectors, each with the details of its agent. */
  async fill(): Promise<void> {
    for (const { client } of this.planes) {
      await client.create(ConnectorClass, { metadata: { name: className }, spec: { controllerName: 'bench' } }, call);
    }
    for (const { plane, name } of this.places) {
      const metadata = { namespace: 'default', name };
      await plane.client.create(Connector, { metadata, spec: { connectorClassName: className } }, call);
      await details({ plane, name }, nodeId(name, 0));
    }
    for (const plane of this.planes) await fillWith(plane, this.#others);
  }

  /** For the app. Each request begins `latencyMs` later. */
  reach(latencyMs: DurationMs = 0): Reach {
    const planes = new Map([this.hub, ...this.planes].map((each) => [urlOf(each.name), each]));
    return {
      transport: ({ server }) => {
        const found = planes.get(server);
        if (!found) throw new TypeError(server);
        return wired(found.replica.transport, latencyMs);
      },
      hub: urlOf(hubName),
      projects: new Map(this.planes.map(({ name }) => [name, urlOf(name)])),
    };
  }

  /** A client of the hub as the app has one. */
  hubClient(latencyMs: DurationMs): Client {
    return clientOf(wired(this.hub.api.transport, latencyMs), urlOf(hubName));
  }

  /** What every connector's agent says of itself changes upstream, and the watches are held back. */
  async hold(turn: number): Promise<void> {
    for (const { replica } of this.planes) replica.freeze(Connector);
    for (const place of this.places) await details(place, nodeId(place.name, turn));
  }

  /** Lets go what was held; resolves when all of it is on the hub. */
  async letGo(turn: number): Promise<void> {
    const left = new Map(this.places.map(({ name }) => [name, nodeId(name, turn)]));
    const all = Promise.withResolvers<void>();
    using _tap = this.hub.api.tap(({ object }) => {
      if (object.kind !== Connector.kind) return;
      const { name } = object.metadata;
      const want = left.get(name);
      if (want === undefined || !object.metadata.annotations?.[annotations.upstreamStatus]?.includes(want)) return;
      left.delete(name);
      if (left.size === 0) all.resolve();
    });
    for (const { replica } of this.planes) replica.thaw();
    await all.promise;
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

/** Writers at a time. */
const writers = 16;

async function fillWith({ api, name }: Plane, objects: number): Promise<void> {
  const client = clientOf(api.transport, urlOf(name));
  await forEach(Array(objects).keys(), writers, (i) => {
    const kind: Kind = i % 2 === 0 ? ConfigMap : Secret;
    const metadata = { namespace: 'default', name: `o-${i}`, labels: { app: `app-${i % 100}` } };
    return client.create(kind, { metadata, ...content }, call);
  });
}
const content: object = { data: { key: 'dmFsdWU=' } };

function plane(name: string, kinds: readonly Kind[]): Plane {
  const api = createApiServer({ clock: systemClock, random: seeded(name), kinds });
  const client = clientOf(wired(api.transport), urlOf(name));
  return { name, api, client, replica: api.replica() };
}

/**
 * Requests begin in a later turn of the event loop, as on a wire, and few of them in each: without it timers would starve. With a latency, each
 * begins later by that much; what a watch tells comes at once.
 */
const wired = (transport: Transport, ms: DurationMs = 0): Transport =>
  delayed(
    intercept(transport, (next) => async (request, options) => {
      await turn();
      return next(request, options);
    }),
    ms,
  );

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

/** What an agent says of itself. */
async function details({ plane, name }: Place, id: string): Promise<void> {
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
