/** The platform that hub replicators work in: projects behind a control plane, a hub, edges behind Karmada, agents and the gateway controller. */
import type { ApiServer } from '@lifeline/apiserver';
import {
  annotations,
  Backend,
  classifyLiveness,
  ClusterPropagationPolicy,
  type Condition,
  ConfigMap,
  Connector,
  ConnectorClass,
  downstreamNamespace,
  type DurationMs,
  findCondition,
  formatTime,
  HTTPProxy,
  type Kind,
  type KubeObject,
  labels,
  type Liveness,
  Namespace,
  type ObjectName,
  Project,
  Secret,
} from '@lifeline/core';
import { app, config, type ReplicatorConfig } from '@lifeline/hub-replicator';
import { kubeconfig } from '@lifeline/k8s/testing';
import {
  gatewayFixture,
  kindsOfRole,
  type Launch,
  launch,
  type PlaneSpec,
  urlOf,
  World,
  type WorldSpec,
} from '@lifeline/sim';
import { minutes, seconds } from '../durations.ts';
import { Agent, type AgentOptions } from './agent.ts';

export const hub = 'hub';
export const control = 'control';
/** The lease duration of shards in these worlds: the first hold comes after one of them. */
export const shardMs = 5_000;
/** By when a world whose replicators start with empty caches is as it should be. */
export const settleMs = 30_000;

export type Settings = Partial<Record<keyof ReplicatorConfig, unknown>>;

export interface PlatformOptions {
  readonly seed?: string | undefined;
  /** Default `p1`, `p2`. */
  readonly projects?: readonly string[] | undefined;
  /** Members of Karmada. Default: none, and no Karmada. */
  readonly edges?: readonly string[] | undefined;
  /** Default `r1`. */
  readonly replicas?: readonly string[] | undefined;
  /** Over the defaults of production. */
  readonly settings?: Settings | undefined;
  /** The same for a second version, which replicas may be started with. */
  readonly next?: Settings | undefined;
  /** The gateway controller runs beside, as replica `gateway`. */
  readonly gateway?: boolean | undefined;
  /** The hub is the one project. */
  readonly single?: boolean | undefined;
  readonly latencyMs?: WorldSpec['latencyMs'];
  /** Kinds that Karmada carries beside those that it always does. */
  readonly carried?: readonly Kind[] | undefined;
  /** What a world has beside that. */
  readonly beside?: Pick<WorldSpec, 'apps' | 'edges'> | undefined;
  /** Kinds of a plane in place of those of its role. */
  readonly kinds?: Readonly<Record<string, readonly Kind[]>> | undefined;
}

export interface Target<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly name: ObjectName;
  readonly subresource?: 'status' | undefined;
}

/** The upstream object's namespace and name, and the plane that is looked at. */
export interface CopyPlace {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly plane?: string | undefined;
}

export { minutes, seconds };

const hubKubeconfig = '/etc/hub.kubeconfig';
const controlKubeconfig = '/etc/control.kubeconfig';
const projectPath = (name: string): string =>
  `${urlOf(control)}/apis/resourcemanager.miloapis.com/v1alpha1/projects/${name}/control-plane`;

/** What a replicator of a world is configured with. */
export const productionConfig = ({ single = false, settings = {} }: PlatformOptions): ReplicatorConfig =>
  config.parse({
    hub: { kubeconfig: hubKubeconfig },
    projects: single ? { mode: 'single' } : { mode: 'projects', kubeconfig: controlKubeconfig },
    connector: {},
    sweep: {},
    ...settings,
    shards: { count: 4, durationMs: shardMs, ...(settings.shards ?? {}) },
  });

function versionsOf(options: PlatformOptions): readonly [Launch, ...Launch[]] {
  const { settings, next } = options;
  const first = launch(app, productionConfig(options));
  return next ? [first, launch(app, productionConfig({ ...options, settings: { ...settings, ...next } }))] : [first];
}

/** Planes and files of a platform, before anything stands in them. */
export function platformSpec(options: PlatformOptions): Omit<WorldSpec, 'seed'> {
  const { projects = ['p1', 'p2'], edges = [], replicas = ['r1'], single = false, latencyMs, kinds = {} } = options;
  const plane = (name: string, role: PlaneSpec['role'], more: Partial<PlaneSpec> = {}): PlaneSpec => ({
    name,
    role,
    ...(kinds[name] && { kinds: kinds[name] }),
    ...more,
  });
  return {
    planes: [
      plane(hub, 'hub', single ? { kinds: kindsOfRole('hub') } : {}),
      ...(single ? [] : [plane(control, 'management')]),
      ...(single ? [] : projects.map((name) => plane(name, 'project', { alias: projectPath(name) }))),
      ...edges.map((name) => plane(name, 'edge')),
    ],
    apps: [
      { replicas, versions: versionsOf(options) },
      ...(options.gateway === true
        ? [
            {
              replicas: ['gateway'],
              versions: [
                launch(gatewayFixture, {
                  kubeconfigs: '/projects',
                  gatewayClassName: 'tunnels',
                  logLevel: 'warn',
                  healthPort: 0,
                  metricsPort: 0,
                  shutdownMs: 30_000,
                }),
              ] as const,
            },
          ]
        : []),
      ...(options.beside?.apps ?? []),
    ],
    edges: options.beside?.edges,
    files: {
      [hubKubeconfig]: kubeconfig(urlOf(hub)),
      [controlKubeconfig]: kubeconfig(urlOf(control)),
      ...Object.fromEntries(
        (single ? [hub] : projects).map((name) => [`/projects/${name}.kubeconfig`, kubeconfig(urlOf(name))]),
      ),
    },
    latencyMs,
    // Fleets call the one cluster of the control plane by its role.
    planeOf: ({ cluster }) => (cluster === 'control-plane' ? control : cluster),
    ...(edges.length > 0 && {
      karmada: { hub, members: edges, settings: { probeEveryMs: 60_000, discoveryEveryMs: 300_000 } },
    }),
  };
}

/** A world with its replicators, and what people do to it. */
export class Platform implements AsyncDisposable {
  readonly world: World;
  readonly projects: readonly string[];
  readonly edges: readonly string[];
  readonly replicas: readonly string[];
  readonly #single: boolean;
  readonly #carried: readonly Kind[];

  constructor(options: PlatformOptions = {}) {
    const { seed = 'platform', single = false, carried = [] } = options;
    this.#single = single;
    this.#carried = carried;
    this.projects = single ? [hub] : (options.projects ?? ['p1', 'p2']);
    this.edges = options.edges ?? [];
    this.replicas = options.replicas ?? ['r1'];
    this.world = new World({ ...platformSpec(options), seed });
  }

  /** A platform that runs: projects are ready, classes are there, replicators have synced. */
  static async start(options: PlatformOptions = {}): Promise<Platform> {
    const platform = new Platform(options);
    await platform.prepare();
    platform.startReplicas();
    if (options.gateway === true) platform.world.processes.start('gateway');
    await platform.after(settleMs);
    return platform;
  }

  /** What is there before replicators start. */
  async prepare(): Promise<void> {
    const operator = this.world.hands('operator');
    for (const name of this.projects) {
      if (!this.#single) await this.register(name);
      await this.do(operator.create(name, ConnectorClass, connectorClass as never));
    }
    if (this.edges.length === 0) return;
    await this.do(this.world.karmada?.start() ?? Promise.resolve());
    await this.do(operator.create(hub, ClusterPropagationPolicy, propagation(this.edges, this.#carried) as never));
  }

  /** The control plane hears of a project, and says that it is ready. */
  async register(project: string): Promise<void> {
    const spec = { ownerRef: { kind: 'Organization', name: 'acme' } } as const;
    await this.do(this.world.hands('operator').create(control, Project, { metadata: { name: project }, spec }));
    await this.projectReady(project, true);
  }

  async projectReady(project: string, ready: boolean): Promise<void> {
    const condition = {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'Ready' : 'Away',
      message: '',
      lastTransitionTime: formatTime(this.clock.now()),
    };
    const target = { kind: Project, name: { name: project }, subresource: 'status' } as const;
    const body = { status: { conditions: [condition] } };
    await this.do(this.world.hands('operator').patch(control, target, { type: 'merge', body }));
  }

  startReplicas(): void {
    for (const replica of this.replicas) this.world.processes.start(replica);
  }

  get clock(): World['clock'] {
    return this.world.clock;
  }

  api(plane: string): ApiServer {
    return this.world.plane(plane).api;
  }

  do<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work, minutes(10));
  }

  after(ms: DurationMs): Promise<void> {
    return this.world.after(ms);
  }

  /** Moves time until something holds, and says how long it took. @throws Error when it does not in time */
  async until(what: string, holds: () => boolean, limitMs: DurationMs = seconds(60)): Promise<DurationMs> {
    const began = this.clock.monotonic();
    await this.clock.settle();
    while (!holds()) {
      if (this.clock.monotonic() - began > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
      if (!(await this.clock.step())) throw new Error(`nothing is left that could bring it about: ${what}`);
    }
    return this.clock.monotonic() - began;
  }

  make<T extends KubeObject>(plane: string, kind: Kind<T>, object: unknown): Promise<T> {
    return this.do(this.world.hands('user').create(plane, kind, object as never));
  }

  patch<T extends KubeObject>(plane: string, target: Target<T>, body: unknown): Promise<T> {
    const patch = { type: 'merge', body: body as Record<string, unknown> } as const;
    return this.do(this.world.hands('user').patch(plane, target, patch));
  }

  status<T extends KubeObject>(plane: string, target: Target<T>, status: unknown): Promise<T> {
    return this.patch(plane, { ...target, subresource: 'status' }, { status });
  }

  delete(plane: string, kind: Kind, name: ObjectName): Promise<void> {
    return this.do(this.world.hands('user').delete(plane, kind, name));
  }

  /** A Connector with an agent that is not running yet. */
  async connector(project: string, name: string, namespace = 'default'): Promise<void> {
    await this.make(project, Connector, { metadata: { namespace, name }, spec: { connectorClassName: 'tunnels' } });
  }

  agent(project: string, name: string, options: AgentOptions = {}): Agent {
    return new Agent(this.world, { project, name, ...options });
  }

  /** Ends every open watch of all planes as one that cannot go on: what it held is listed anew. Returns how many they were. */
  expireWatches(): number {
    const planes = [...this.world.planes.keys()];
    const watches = planes.flatMap((plane) => [...this.world.wires.watches({ plane })]);
    for (const watch of watches) watch.end(expired);
    return watches.length;
  }

  /** Where the copies of a project's Namespace stand. */
  mapped(project: string, namespace = 'default'): string {
    return downstreamNamespace(this.api(project).get(Namespace, { name: namespace })?.metadata.uid ?? '');
  }

  /** The copy of an object of a project, on the hub or an edge. */
  copy<T extends KubeObject>(kind: Kind<T>, project: string, at: CopyPlace | string): T | undefined {
    const { name, plane = hub, namespace = 'default' } = typeof at === 'string' ? { name: at } : at;
    return this.api(plane).get(kind, { namespace: this.mapped(project, namespace), name });
  }

  ready(project: string, at: ObjectName | string): Condition | undefined {
    const name = typeof at === 'string' ? { namespace: 'default', name: at } : at;
    return findCondition(this.api(project).get(Connector, name)?.status?.conditions, 'Ready');
  }

  /** What a plane tells about a connector of a project. */
  liveness(project: string, name: string, plane: string = hub): Liveness {
    return classifyLiveness(this.copy(Connector, project, { name, plane }));
  }

  /** What replicators wrote since, Leases and Events aside. */
  writes(
    since = 0,
  ): readonly { readonly plane: string; readonly kind: string; readonly name: string; readonly type: string }[] {
    return this.world.audit.writes
      .slice(since)
      .filter(({ by }) => by !== undefined && this.replicas.includes(by.actor))
      .map(({ plane, revision: { object, type } }) => ({ plane, kind: object.kind, name: object.metadata.name, type }))
      .filter(({ kind, name }) => kind !== 'Lease' && kind !== 'Event' && name !== 'lifeline-watermark');
  }

  /** Lines of a level that are still kept. */
  logs(level: 'info' | 'warn' | 'error'): readonly string[] {
    return this.world.logs.lines().filter((line) => line.includes(`"level":"${level}"`));
  }

  get mark(): number {
    return this.world.audit.writes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

/** What a watch says that cannot go on. */
const expired = new TextEncoder().encode(
  `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 } })}\n`,
);

export const connectorClass = { metadata: { name: 'tunnels' }, spec: {} };

/** All that carries our labels goes to the edges, as the platform has it. */
const propagation = (edges: readonly string[], carried: readonly Kind[]): unknown => {
  const selected = (kind: Kind, key: string): unknown => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  return {
    metadata: { name: 'lifeline' },
    spec: {
      conflictResolution: 'Overwrite',
      resourceSelectors: [
        ...[Connector, HTTPProxy, Backend, ...carried].map((kind) => selected(kind, labels.upstreamCluster)),
        ...[Namespace, ConfigMap, Secret].map((kind) => selected(kind, labels.upstreamNamespace)),
      ],
      placement: { clusterAffinity: { clusterNames: [...edges] } },
    },
  };
};

export const statusText = (object: KubeObject | undefined): string | undefined =>
  object?.metadata.annotations?.[annotations.upstreamStatus];
