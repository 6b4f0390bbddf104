/** A hub, members and a small Karmada, on one virtual clock: what the recording was made with. */
import { type ApiServer, createApiServer, type Revision, type Snapshot } from '@lifeline/apiserver';
import {
  ClusterPropagationPolicy,
  type Condition,
  ConfigMap,
  findCondition,
  intercept,
  KarmadaCluster,
  type Kind,
  type KubeObject,
  type LabelSelector,
  Namespace,
  type ObjectName,
  PropagationPolicy,
  type Random,
  ResourceBinding,
  thirdPartyKinds,
  type Transport,
  untilAborted,
  Work,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { type Client, createClient, type Draft, type Endpoint, TransportError } from '@lifeline/k8s';
import { connection } from '@lifeline/k8s/testing';
import type { Manifest, StringMap } from '../manifest.ts';
import { bindingName, executionNamespace, workName } from '../names.ts';
import { createPropagation, type Propagation, type PropagationOptions } from '../propagation.ts';
import { type GivenSettings, recordedSettings } from '../settings.ts';
import { changedPaths, type Line } from './lines.fixture.ts';
import { Connector, Nosub, OtherConnector, WorkloadDeployment } from './kinds.fixture.ts';

export type PlaneName = 'hub' | 'm1' | 'm2';

const karmadaKinds = thirdPartyKinds.filter(({ group }) => group.endsWith('karmada.io'));
const carriedKinds = [Connector, WorkloadDeployment, OtherConnector, Nosub];

export interface RigOptions extends Pick<PropagationOptions, 'delays' | 'faults' | 'interpreters'> {
  readonly seed?: string | number;
  /** Over {@link recordedSettings}. */
  readonly settings?: GivenSettings;
  /** Karmada's own settings alone. */
  readonly plainSettings?: GivenSettings;
  /** Labels of the members' Clusters. Default: `edge: 'true'` on both. */
  readonly labels?: Readonly<Record<string, StringMap>>;
  readonly kinds?: Partial<Record<PlaneName, readonly Kind[]>>;
  readonly namespaces?: readonly string[];
  /** Members' watch events reach caches so late. Default: at once. */
  readonly cacheLagMs?: number;
  /** False: the hub collects no garbage, and ends no namespace. */
  readonly hubControllers?: boolean;
}

export class Rig implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly propagation: Propagation;
  readonly lines: Line[] = [];
  /** Ways to members that were opened. */
  readonly endpoints: Endpoint[] = [];
  readonly #planes: ReadonlyMap<PlaneName, ApiServer>;
  readonly #clients: ReadonlyMap<PlaneName, Client>;
  readonly #down = new Set<PlaneName>();
  readonly #deaf = new Set<PlaneName>();
  readonly #life = new AbortController();

  private constructor(options: RigOptions) {
    const { seed = 1, kinds = {}, hubControllers = true, cacheLagMs = 0, plainSettings, settings, ...rest } = options;
    const { clock } = this;
    this.random = seeded(`${seed}/user`);
    const plane = (name: PlaneName, own: readonly Kind[], controllers: boolean): [PlaneName, ApiServer] => [
      name,
      createApiServer({ clock, random: seeded(`${seed}/${name}`), kinds: own, controllers }),
    ];
    this.#planes = new Map([
      plane('hub', [...karmadaKinds, ...(kinds.hub ?? carriedKinds)], hubControllers),
      plane('m1', kinds.m1 ?? carriedKinds, false),
      plane('m2', kinds.m2 ?? carriedKinds, false),
    ]);
    this.#clients = new Map(
      Array.from(this.#planes, ([name, { transport }]) => [
        name,
        createClient({ transport, baseUrl: urlOf(name), clock, random: this.random, userAgent: 'user' }),
      ]),
    );
    for (const [name, server] of this.#planes) server.tap((revision) => this.#record(name, revision));
    this.propagation = createPropagation({
      clock,
      random: seeded(`${seed}/karmada`),
      hub: { transport: this.#way('hub'), baseUrl: urlOf('hub') },
      members: (endpoint, life) => {
        this.endpoints.push(endpoint);
        return connection(this.#way(new URL(endpoint.server).hostname.split('.')[0] as PlaneName), life);
      },
      settings: plainSettings ?? {
        ...recordedSettings,
        ...settings,
        workers: { ...recordedSettings.workers, ...settings?.workers },
      },
      carries: ({ group, kind }) => group.includes('.') || kind === 'ConfigMap' || kind === 'Deployment',
      caches: {
        freeze: true,
        intercept: (delta, deliver, { plane }) => {
          if (plane === 'member' && cacheLagMs > 0 && delta.type !== 'replaced')
            clock.timer(cacheLagMs, () => deliver(delta));
          else deliver(delta);
        },
      },
      ...rest,
    });
  }

  /** Nothing runs yet, and no member has joined. */
  static idle(options: RigOptions = {}): Rig {
    return new Rig(options);
  }

  /** Members joined and ready, namespaces everywhere. */
  static async start(options: RigOptions = {}): Promise<Rig> {
    const rig = new Rig(options);
    const { labels = { m1: { edge: 'true' }, m2: { edge: 'true' } }, namespaces = ['t1'] } = options;
    rig.propagation.start();
    await rig.run(
      Promise.all([
        ...Object.entries(labels).map(([name, own]) => rig.join(name as PlaneName, own)),
        ...namespaces.map((name) => rig.create('hub', Namespace, { metadata: { name } })),
      ]),
    );
    await rig.clock.advance(3_000);
    rig.lines.length = 0;
    return rig;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clock.run(this.propagation.stop());
    this.#life.abort();
    for (const plane of this.#planes.values()) plane[Symbol.dispose]();
  }

  plane(name: PlaneName): ApiServer {
    return this.#planes.get(name) as ApiServer;
  }

  client(name: PlaneName): Client {
    return this.#clients.get(name) as Client;
  }

  /** A store with nothing but what a new plane has, and no kinds. */
  get empty(): Snapshot {
    using plane = createApiServer({ clock: this.clock, random: this.random });
    return plane.snapshot();
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  run<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work);
  }

  // What a user does.

  join(name: PlaneName, labels: StringMap): Promise<KarmadaCluster> {
    return this.create('hub', KarmadaCluster, {
      metadata: { name, labels: { ...labels } },
      spec: { syncMode: 'Push', apiEndpoint: urlOf(name) },
    });
  }

  create<T extends KubeObject>(plane: PlaneName, kind: Kind<T>, object: Draft<T>): Promise<T> {
    return this.run(this.client(plane).create(kind, object, { signal: this.signal, fieldValidation: 'Ignore' }));
  }

  /** A merge patch. */
  patch<T extends KubeObject>(plane: PlaneName, target: Target<T>, body: object): Promise<T> {
    return this.#patch(this.client(plane), target, { body });
  }

  status<T extends KubeObject>(plane: PlaneName, target: Target<T>, status: object): Promise<T> {
    return this.#patch(this.client(plane), target, { body: { status }, subresource: 'status' });
  }

  async delete<T extends KubeObject>(plane: PlaneName, target: Target<T>): Promise<void> {
    const uid = this.find(plane, target)?.metadata.uid ?? '';
    await this.run(this.client(plane).delete(target, { signal: this.signal, uid }));
  }

  /** The policy of the recording: Connectors with the label, to clusters with `edge`. */
  connectors(): Promise<ClusterPropagationPolicy> {
    const matchLabels = { edge: 'true' };
    return this.create('hub', ClusterPropagationPolicy, {
      metadata: { name: 'connectors' },
      spec: {
        resourceSelectors: [{ ...typeOf(Connector), labelSelector: { matchLabels: upstream } }],
        placement: { clusterAffinity: { labelSelector: { matchLabels } } },
      },
    });
  }

  connector(name: string, extra: Partial<Manifest> = {}, namespace = 't1'): Promise<Manifest> {
    const { metadata, ...rest } = extra;
    return this.create('hub', Connector, {
      spec: { connectorClassName: 'x' },
      ...rest,
      metadata: { ...metadata, namespace, name, labels: { ...upstream, ...metadata?.labels } },
    });
  }

  configMap(name: string, namespace = 't1'): Promise<ConfigMap> {
    return this.create('hub', ConfigMap, { metadata: { namespace, name } });
  }

  policy(
    name: string,
    spec: Partial<PropagationPolicy['spec']> & { readonly pick?: LabelSelector; readonly to?: readonly string[] },
    namespace = 't1',
  ): Promise<PropagationPolicy> {
    const { pick, to, ...rest } = spec;
    return this.create('hub', PropagationPolicy, {
      metadata: { namespace, name },
      spec: {
        resourceSelectors: [{ ...typeOf(Connector), ...(pick ? { labelSelector: pick } : {}) }],
        ...(to ? { placement: { clusterAffinity: { clusterNames: [...to] } } } : {}),
        ...rest,
      },
    });
  }

  // What there is.

  find<T extends KubeObject>(plane: PlaneName, { kind, name }: Target<T>): T | undefined {
    return this.plane(plane).get(kind, name);
  }

  /** @throws TypeError when it is not there */
  get<T extends KubeObject>(plane: PlaneName, target: Target<T>): T {
    const found = this.find(plane, target);
    if (!found) throw new TypeError(`${plane} has no ${target.kind.kind} ${target.name.name}`);
    return found;
  }

  objects<T extends KubeObject>(plane: PlaneName, kind: Kind<T>): readonly T[] {
    return this.plane(plane).objects(kind);
  }

  binding({ kind, name }: Target): ResourceBinding | undefined {
    return this.find('hub', the(ResourceBinding, bindingName({ kind: kind.kind, ...name }), name.namespace));
  }

  work(cluster: string, { kind, name }: Target): Work | undefined {
    return this.find('hub', the(Work, workName({ kind: kind.kind, ...name }), executionNamespace(cluster)));
  }

  condition(
    object: { status?: { conditions?: Condition[] | null | undefined } | null | undefined } | undefined,
    type: string,
  ): Condition | undefined {
    return findCondition(object?.status?.conditions, type);
  }

  /** Where among the lines a write stands; -1: nowhere. */
  placeOf(where: string, what: string): number {
    return this.lines.findIndex((line) => line.where === where && line.what.includes(what));
  }

  /** Writes to objects whose place begins so, since the lines were last cleared. */
  written(where: string): readonly string[] {
    return this.lines.filter((line) => line.where.startsWith(where)).flatMap(({ what }) => what);
  }

  // What goes wrong.

  /** Nothing reaches the plane, and its watches break. */
  down(name: PlaneName): void {
    this.#down.add(name);
    this.plane(name).endWatches({ error: refused(name) });
  }

  /** Requests to the plane are never answered. */
  swallow(name: PlaneName): void {
    this.#deaf.add(name);
  }

  up(name: PlaneName): void {
    this.#down.delete(name);
  }

  #way(name: PlaneName): Transport {
    return intercept(this.plane(name).transport, (next) => async (request, options) => {
      if (this.#down.has(name)) throw refused(name);
      if (this.#deaf.has(name)) await untilAborted(options.signal);
      options.signal.throwIfAborted();
      return next(request, options);
    });
  }

  #patch<T extends KubeObject>(
    client: Client,
    target: Target<T>,
    { body, subresource }: { readonly body: object; readonly subresource?: 'status' },
  ): Promise<T> {
    const patch = { type: 'merge', body: body as Record<string, unknown> } as const;
    return this.run(client.patch(target, patch, { signal: this.signal, fieldValidation: 'Ignore', subresource }));
  }

  #record(plane: PlaneName, { type, object, previous }: Revision): void {
    const { namespace, name } = object.metadata;
    const where = `${plane} ${object.kind} ${namespace ? `${namespace}/` : ''}${name}`;
    const what = type === 'MODIFIED' ? changedPaths(previous, object) : [type];
    this.lines.push({ at: this.clock.monotonic(), where, what });
  }
}

/** Which object, of which kind. */
export interface Target<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly name: ObjectName;
}

/** By name. @param namespace Default `t1`; `''`: none */
export const the = <T extends KubeObject>(kind: Kind<T>, name: string, namespace = 't1'): Target<T> => ({
  kind,
  name: namespace ? { namespace, name } : { name },
});

export const upstream = { 'meta.datumapis.com/upstream-cluster-name': 'cluster-p1' };

export const typeOf = ({ apiVersion, kind }: Kind): { apiVersion: string; kind: string } => ({ apiVersion, kind });

const urlOf = (name: PlaneName): string => `https://${name}.test`;

const refused = (name: PlaneName): TransportError =>
  new TransportError('connect-failed', `${name} refuses connections`);
