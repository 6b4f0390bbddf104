/** The mirrors alone, over in-process planes: what they read and write there, and nothing else. */
import { createApiServer, type ApiServer } from '@lifeline/apiserver';
import {
  type Clock,
  ConfigMap,
  Connector,
  encodeCluster,
  type DurationMs,
  HTTPProxy,
  intercept,
  type Kind,
  type KubeObject,
  labels,
  Namespace,
  type ObjectName,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import {
  defaultSweepRules,
  EmptiedKinds,
  EngagedProjects,
  type KindSetting,
  kindSetting,
  Lag,
  mirrorControllers,
  policiesOf,
  SweepGate,
} from '@lifeline/hub-replicator';
import {
  type ClusterProvider,
  createClient,
  createFleet,
  createInformer,
  createLog,
  createMetrics,
  createRetryBudget,
  type Client,
  type FleetControl,
  noFence,
  runController,
  type WriteTarget,
} from '@lifeline/k8s';
import { kindsOfRole } from '@lifeline/sim';

export interface MirrorWorldOptions {
  /** Names of project planes. Default `p1`. */
  readonly projects?: readonly string[] | undefined;
  readonly kinds?: readonly (Partial<KindSetting> & { readonly kind: string })[] | undefined;
  readonly installation?: string | undefined;
  /** Project and hub are one plane, by this name. */
  readonly single?: string | undefined;
  readonly statusPaceMs?: DurationMs | undefined;
  /** Kinds that a project plane serves. Default: those of its role. */
  readonly serves?: Readonly<Record<string, readonly Kind[]>> | undefined;
}

/** A request that a replicator sent. */
export interface MirrorCall {
  readonly plane: string;
  readonly method: string;
  readonly path: string;
  /** Of a patch: what kind of patch. */
  readonly type: string;
}

export { minutes, seconds } from '../durations.ts';

const hubName = 'hub';
const call = { signal: new AbortController().signal };

type Wire = (request: TransportRequest) => Promise<TransportResponse | void> | TransportResponse | void;

interface Running {
  readonly stop: () => Promise<void>;
  readonly control: FleetControl;
  readonly lag: Lag;
}

export class MirrorWorld implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly calls: MirrorCall[] = [];
  readonly logLines: string[] = [];
  readonly metrics = createMetrics();
  readonly hub: ApiServer;
  readonly #planes = new Map<string, ApiServer>();
  readonly #options: MirrorWorldOptions;
  readonly #routes = new Map<string, Transport>();
  readonly #wires = new Map<string, Wire>();
  readonly #answers = new Map<string, (request: TransportRequest) => void>();
  #running: Running | undefined;
  #starts = 0;

  constructor(options: MirrorWorldOptions = {}) {
    this.#options = options;
    const { projects = ['p1'], single } = options;
    this.hub = this.#plane(hubName, single === undefined ? kindsOfRole('hub') : [...kindsOfRole('hub')]);
    if (single !== undefined) this.#planes.set(single, this.hub);
    else
      for (const name of projects)
        this.#planes.set(name, this.#plane(name, options.serves?.[name] ?? kindsOfRole('project')));
  }

  #plane(name: string, kinds: readonly Kind[]): ApiServer {
    return createApiServer({ clock: this.clock, random: seeded(`mirror/${name}`), kinds });
  }

  project(name = this.#options.single ?? this.#options.projects?.[0] ?? 'p1'): ApiServer {
    const plane = this.#planes.get(name);
    if (!plane) throw new TypeError(`no plane ${name}`);
    return plane;
  }

  /** A client of a plane as somebody else has one. */
  client(plane: ApiServer): Client {
    return this.#client(plane.transport, 'somebody-else', this.clock);
  }

  #client(transport: Transport, userAgent: string, clock: Clock): Client {
    const random = seeded(userAgent);
    const budget = createRetryBudget({ clock, random });
    return createClient({ transport, baseUrl: 'https://plane.test', clock, random, budget, userAgent });
  }

  /** Runs a call to its end. */
  async do<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work);
  }

  async after(ms: DurationMs): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Through which server of a plane the replicator goes from its next start on. */
  route(plane: string, transport: Transport): void {
    this.#routes.set(plane, transport);
  }

  /** Each request of the replicator to a plane passes here first, and may be answered here. */
  wire(plane: string, act: Wire | undefined): void {
    if (act) this.#wires.set(plane, act);
    else this.#wires.delete(plane);
  }

  /** Each answer of a plane to the replicator passes here. */
  answers(plane: string, act: ((request: TransportRequest) => void) | undefined): void {
    if (act) this.#answers.set(plane, act);
    else this.#answers.delete(plane);
  }

  start(override: Partial<MirrorWorldOptions> = {}): Running {
    const { kinds = [], installation = 'here', single, statusPaceMs } = { ...this.#options, ...override };
    const { clock, metrics } = this;
    const random = seeded(`replicator/${++this.#starts}`);
    const log = createLog({ clock, write: (line) => this.logLines.push(line), level: 'warn' });
    const names = [...this.#planes.keys()];
    let control: FleetControl | undefined;
    const fleet = (plane: string, clusters: readonly string[], byName: (name: string) => ApiServer): ClusterProvider =>
      createFleet({
        plane,
        source: async (fleetControl, signal) => {
          if (plane === 'project') control = fleetControl;
          for (const name of clusters)
            fleetControl.engage(name, { endpoint: { server: `https://${name || 'one'}.test` } });
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        },
        clock,
        log,
        metrics,
        connect: ({ server }) => {
          const name = clusters.find((cluster) => server === `https://${cluster || 'one'}.test`) ?? '';
          return this.#client(this.#wired(plane === 'hub' ? hubName : name, byName(name)), 'hub-replicator', clock);
        },
        createInformer: (kind, { name, client }, options) =>
          createInformer(kind, { client, clock, random, metrics, log, cluster: name, plane, freeze: true, ...options }),
      });
    const projects = fleet('project', names, (name) => this.project(name));
    const hub = fleet('hub', [hubName], () => this.hub);
    const lag = new Lag({ clock, metrics });
    const { policies } = policiesOf(kinds.map((setting) => kindSetting.parse(setting)));
    const controllers = mirrorControllers({
      projects,
      hub,
      engaged: new EngagedProjects(projects),
      policies,
      installation,
      lag,
      emptied: new EmptiedKinds(new SweepGate({ clock, metrics }, defaultSweepRules)),
      env: { clock, metrics, log },
      single: single !== undefined,
      statusPaceMs,
      gatewayControllerName: 'lifeline.test/gateways',
    });
    const stopping = new AbortController();
    const env = { clock, random, log, metrics };
    const running = [
      projects.run(stopping.signal),
      hub.run(stopping.signal),
      ...controllers.map((controller) =>
        runController(controller, { env, fence: () => noFence, signal: stopping.signal }),
      ),
    ];
    const ended = Promise.all(running);
    this.#running = {
      lag,
      get control(): FleetControl {
        if (!control) throw new TypeError('not started yet');
        return control;
      },
      stop: async () => {
        stopping.abort(new Error('stop'));
        await this.clock.run(ended);
      },
    };
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async restart(override: Partial<MirrorWorldOptions> = {}): Promise<Running> {
    await this.stop();
    return this.start(override);
  }

  #wired(plane: string, server: ApiServer): Transport {
    return intercept(this.#routes.get(plane) ?? server.transport, (next) => async (request, options) => {
      const url = new URL(request.url);
      const type = request.headers['content-type'] ?? '';
      this.calls.push({ plane, method: request.method, path: url.pathname + url.search, type });
      const answer = await this.#wires.get(plane)?.(request);
      const response = answer ?? (await next(request, options));
      this.#answers.get(plane)?.(request);
      return response;
    });
  }

  /** What was asked since: no watches, no Events. */
  requests(since = 0): readonly MirrorCall[] {
    return this.calls.slice(since).filter(({ path }) => !path.includes('watch=') && !path.includes('/events'));
  }

  writes(since = 0): readonly MirrorCall[] {
    return this.requests(since).filter(({ method }) => method !== 'GET');
  }

  async make<T extends KubeObject>(plane: ApiServer, kind: Kind<T>, object: unknown): Promise<T> {
    return this.do(this.client(plane).create(kind, object as never, { ...call, fieldManager: 'user' }));
  }

  async patch<T extends KubeObject>(plane: ApiServer, target: WriteTarget<T>, body: unknown): Promise<T> {
    const patch = { type: 'merge', body: body as Record<string, unknown> } as const;
    return this.do(this.client(plane).patch(target, patch, { ...call, fieldManager: 'user' }));
  }

  async status<T extends KubeObject>(plane: ApiServer, target: WriteTarget<T>, status: unknown): Promise<T> {
    const patch = { type: 'merge', body: { status } } as const;
    const options = { ...call, fieldManager: 'agent', subresource: 'status' } as const;
    return this.do(this.client(plane).patch(target, patch, options));
  }

  async delete(plane: ApiServer, kind: Kind, name: ObjectName): Promise<void> {
    const uid = plane.get(kind, name)?.metadata.uid ?? '';
    await this.do(this.client(plane).delete({ kind, name }, { ...call, uid }));
  }

  async namespace(name = 'default', project = this.project()): Promise<string> {
    const found = project.get(Namespace, { name });
    const made = found ?? (await this.make(project, Namespace, { metadata: { name } }));
    return `ns-${made.metadata.uid}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const plane of new Set([...this.#planes.values(), this.hub])) plane[Symbol.dispose]();
  }
}

/** The five labels as the Go system writes them. */
export const goLabels = (
  cluster: string,
  kind: Kind,
  { namespace = '', name }: ObjectName,
): Record<string, string> => ({
  [labels.upstreamCluster]: encodeCluster(cluster)?.label ?? '',
  [labels.upstreamGroup]: kind.group,
  [labels.upstreamKind]: kind.kind,
  [labels.upstreamName]: name,
  [labels.upstreamNamespace]: namespace,
});

export { ConfigMap, Connector, HTTPProxy, Namespace };
