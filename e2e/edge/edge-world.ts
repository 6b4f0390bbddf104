/** An edge alone: its objects as Karmada would leave them, Envoy Gateways, extension servers with their retranslators. */
import {
  annotations,
  canonicalJson,
  Connector,
  type DurationMs,
  formatTime,
  Gateway,
  HTTPProxy,
  type JsonObject,
  type Kind,
  type KubeObject,
  labels,
  Namespace,
  type ObjectName,
} from '@lifeline/core';
import type { SharedNodeIds } from '@lifeline/edge';
import { type Envoy, type EnvoyGateway, gatewayObjects, type Served, World } from '@lifeline/sim';
import { seconds } from '../durations.ts';
import { edgeServer, type EdgeServerOptions } from './server-app.ts';
import { Servers } from './servers.ts';

export const edge = 'e1';
export const namespace = 'ns-a';
export const className = 'tunnels';
export const nodeA = 'a'.repeat(64);
export const nodeB = 'b'.repeat(64);

export interface EdgeWorldOptions {
  readonly seed?: string | undefined;
  /** Default: each Gateway is translated for itself. */
  readonly merged?: boolean | undefined;
  /** Envoy Gateway processes, as the reports name them. Default one. */
  readonly callers?: readonly string[] | undefined;
  /** Default two. */
  readonly replicas?: readonly string[] | undefined;
  readonly sharedNodeIds?: SharedNodeIds | undefined;
  readonly editing?: EdgeServerOptions['editing'];
  readonly around?: EdgeServerOptions['around'];
  readonly latencyMs?: readonly [DurationMs, DurationMs] | undefined;
}

export interface ConnectorState {
  readonly ready?: 'True' | 'False' | undefined;
  readonly nodeId?: string | undefined;
  readonly homeRelay?: string | undefined;
  readonly namespace?: string | undefined;
  readonly project?: string | undefined;
}

/** A stamp as a retranslator wrote it. */
export interface Stamped {
  readonly by: string;
  readonly name: string;
  readonly stamp: string | undefined;
  readonly at: number;
}

type Spec = HTTPProxy['spec'];
type Hands = ReturnType<World['hands']>;

/** The rules of a proxy with one backend. */
export const through = (
  connector: string | undefined,
  endpoint = connector === undefined ? 'http://origin.example.com' : 'http://localhost:8080',
): Spec['rules'] => [{ backends: [{ endpoint, ...(connector !== undefined && { connector: { name: connector } }) }] }];

export class EdgeWorld implements AsyncDisposable {
  readonly world: World;
  readonly servers: Servers;
  readonly replicas: readonly string[];
  readonly callers: readonly string[];
  readonly #merged: boolean;

  constructor(options: EdgeWorldOptions = {}) {
    const { seed = 'edge', merged = false, callers = ['10.0.0.1'], replicas = ['x1', 'x2'] } = options;
    const { sharedNodeIds, editing, around } = options;
    this.replicas = replicas;
    this.callers = callers;
    this.#merged = merged;
    const servers = new Servers(() => this.world.processes);
    this.servers = servers;
    this.world = new World({
      seed,
      planes: [{ name: edge, role: 'edge' }],
      latencyMs: options.latencyMs,
      apps: replicas.map((replica) => ({
        replicas: [replica],
        versions: [
          edgeServer({ replica, plane: edge, replicas, servers, classes: [className], sharedNodeIds, editing, around }),
        ],
      })),
      edges: callers.map((name) => ({ plane: edge, name, merged, hooks: () => servers.hooks(replicas, name) })),
    });
  }

  /** A world whose servers listen. */
  static async start(options: EdgeWorldOptions = {}): Promise<EdgeWorld> {
    const world = new EdgeWorld(options);
    await world.namespace(namespace);
    world.startServers();
    await world.after(seconds(1));
    return world;
  }

  startServers(): void {
    for (const replica of this.replicas) this.world.processes.start(replica);
  }

  get hands(): Hands {
    return this.world.hands('karmada');
  }

  do<T>(work: Promise<T>): Promise<T> {
    return this.world.clock.run(work, seconds(600));
  }

  after(ms: DurationMs): Promise<void> {
    return this.world.after(ms);
  }

  /** Moves time from event to event until something holds, and says how long it took. @throws Error when it does not in time */
  async until(what: string, holds: () => boolean, limitMs: DurationMs = seconds(30)): Promise<DurationMs> {
    const { clock } = this.world;
    const began = clock.monotonic();
    await clock.settle();
    while (!holds()) {
      if (clock.monotonic() - began > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
      if (!(await clock.step())) throw new Error(`nothing is left that could bring it about: ${what}`);
    }
    return clock.monotonic() - began;
  }

  async namespace(name: string, mapped = true): Promise<void> {
    const metadata = { name, ...(mapped && { labels: { [labels.upstreamNamespace]: 'default' } }) };
    await this.do(this.hands.create(edge, Namespace, { metadata }));
  }

  /** A connector as Karmada brings it, for the first time or again. */
  async connector(name: string, state: ConnectorState = {}): Promise<void> {
    const { namespace: where = namespace, project = 'cluster-acme' } = state;
    const key = { namespace: where, name };
    const metadata = {
      labels: { [labels.upstreamCluster]: project },
      annotations: {
        [annotations.upstreamStatus]: canonicalJson(statusOf(state)),
        [annotations.upstreamStatusObservedAt]: formatTime(this.world.clock.now()),
      },
    };
    if (this.get(Connector, key)) await this.patch(Connector, key, { metadata });
    else
      await this.do(
        this.hands.create(edge, Connector, {
          metadata: { ...key, ...metadata },
          spec: { connectorClassName: 'tunnel' },
        }),
      );
  }

  /** An HTTPProxy with the Gateway, route and backends that the gateway controller makes of it; changed if it is there. */
  async publish(name: string, spec: Partial<Spec> & Pick<Spec, 'rules'>, where = namespace): Promise<void> {
    const key = { namespace: where, name };
    const whole = { hostnames: [hostOf(name)], ...spec };
    const proxy = this.get(HTTPProxy, key)
      ? await this.patch(HTTPProxy, key, { spec: whole })
      : await this.do(this.hands.create(edge, HTTPProxy, { metadata: key, spec: whole }));
    for (const { kind, object } of gatewayObjects(proxy, { gatewayClassName: className })) {
      if (this.get(kind, object.metadata)) await this.patch(kind, object.metadata, { spec: object['spec'] });
      else await this.do(this.hands.create(edge, kind, object as never));
    }
  }

  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName): T | undefined {
    return this.world.plane(edge).api.get(kind, name);
  }

  patch<T extends KubeObject>(kind: Kind<T>, name: ObjectName, body: Record<string, unknown>): Promise<T> {
    return this.do(this.hands.patch(edge, { kind, name }, { type: 'merge', body }));
  }

  async delete(kind: Kind, name: string, where = namespace): Promise<void> {
    await this.do(this.hands.delete(edge, kind, { namespace: where, name }));
  }

  gateway(caller = this.callers[0] ?? ''): EnvoyGateway {
    const found = this.world.edges.get(caller);
    if (!found) throw new TypeError(`no Envoy Gateway ${caller}`);
    return found;
  }

  envoy(name: string, { caller, where = namespace }: { caller?: string | undefined; where?: string } = {}): Envoy {
    return this.gateway(caller).envoy(this.#merged ? className : `${where}/${name}`);
  }

  /** What a client of a proxy's host gets. */
  serve(name: string, { caller, path }: { caller?: string; path?: string } = {}): Served {
    return this.envoy(name, { caller }).serve(hostOf(name), path);
  }

  /** The same in a word: `tunnel <node>`, `503`, `direct`. */
  shows(name: string, at: { caller?: string; path?: string } = {}): string {
    const served = this.serve(name, at);
    if ('cluster' in served) return served.tunnel ? `tunnel ${served.tunnel.nodeId.slice(0, 1)}` : 'direct';
    return String(served.status);
  }

  /** Whether every Envoy Gateway's Envoys show this for a proxy. */
  everywhere(name: string, shown: string): boolean {
    return this.callers.every((caller) => this.shows(name, { caller }) === shown);
  }

  /** What retranslators wrote since, in order. */
  stamps(since = 0): readonly Stamped[] {
    return this.world.audit.writes.slice(since).flatMap(({ by, at, revision: { object } }) => {
      if (by === undefined || !this.replicas.includes(by.actor) || object.kind !== Gateway.kind) return [];
      const stamp = object.metadata.annotations?.[annotations.intent];
      return [{ by: by.actor, name: object.metadata.name, stamp, at }];
    });
  }

  get mark(): number {
    return this.world.audit.writes.length;
  }

  /** A replica's caches hear nothing new of the edge, or of one kind in it, until disposed; then all of it, in order. */
  holdBack(replica: string, kind?: Kind): Disposable {
    let held: (() => void)[] | undefined = [];
    const fault = this.world.deliveries.put(
      ({ delta }, deliver) => {
        if (held) held.push(() => deliver(delta));
        else deliver(delta);
      },
      { actor: replica, plane: edge, kind: kind?.id },
    );
    return {
      [Symbol.dispose]: () => {
        const late = held ?? [];
        held = undefined;
        fault[Symbol.dispose]();
        for (const deliver of late) deliver();
      },
    };
  }

  /** Calls of the hook that all Envoy Gateways have made. */
  get calls(): number {
    return [...this.world.edges.values()].reduce((sum, { attempts }) => sum + attempts, 0);
  }

  /** Gateways that some retranslator still works on. */
  get unconverged(): number {
    return Math.max(0, ...this.replicas.map((replica) => this.servers.find(replica)?.unconverged() ?? 0));
  }

  /** Lines of a level that are still kept. */
  logs(level: 'info' | 'warn' | 'error'): readonly string[] {
    return this.world.logs.lines().filter((line) => line.includes(`"level":"${level}"`));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

export const hostOf = (name: string): string => `${name}.example.com`;

export const statusOf = ({ ready = 'True', nodeId = nodeA, homeRelay }: ConnectorState): JsonObject => ({
  conditions: [{ type: 'Ready', status: ready }],
  connectionDetails: {
    type: 'PublicKey',
    publicKey: { id: nodeId, homeRelay: homeRelay ?? 'https://relay.example/', addresses: [] },
  },
});
