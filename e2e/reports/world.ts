/** The example app over scripted planes: the world in which the public bug reports are told again. */
import { app, config, copyOf, finalizer, mirrorLabel, type MirrorConfig } from '@lifeline/example-mirror';
import {
  ConfigMap,
  deepEqual,
  type DurationMs,
  intercept,
  isDeleting,
  keyOf,
  type Kind,
  type KubeObject,
  Lease,
  type MonotonicMs,
  type ObjectMeta,
  type TransportInterceptor,
  type TransportRequest,
} from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import type { App } from '@lifeline/k8s';
import {
  kubeconfig,
  type ScriptedApi,
  type ScriptedApiOptions,
  type SimulatedProcess,
  Simulation,
} from '@lifeline/k8s/testing';

export interface WorldOptions {
  /** Default: the same for all. */
  readonly seed?: string | undefined;
  /** Default `p1`. */
  readonly sources?: readonly string[] | undefined;
  /** Default: the example app. */
  readonly app?: App<MirrorConfig> | undefined;
  /** Served by every plane beside ConfigMap and Lease. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Of every plane. */
  readonly api?: Partial<ScriptedApiOptions> | undefined;
  /** URL of a plane. Default: an origin for each. */
  readonly server?: ((plane: string) => string) | undefined;
}

/** A request that a replica sent. */
export interface Call {
  readonly at: MonotonicMs;
  readonly replica: string;
  readonly plane: string;
  readonly method: string;
  /** With the query, without the plane's base path. */
  readonly path: string;
  /** Undefined while there is no answer, and for good when there never is one. */
  status: number | undefined;
}

interface Wire {
  readonly plane: string;
  /** Undefined: of all. */
  readonly replica: string | undefined;
  readonly interceptor: TransportInterceptor;
}

export { minutes, seconds } from '../durations.ts';

const target = 'target';
const serverOf = (plane: string): string => Simulation.serverOf(plane);
const namespace = 'mirrors';

/** `configMap('a')`: `default/a`, labelled to be mirrored. */
export const configMap = (
  name: string,
  data: Record<string, string> = {},
  metadata: Partial<ObjectMeta> = {},
): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', labels: { [mirrorLabel]: 'true' }, ...metadata, name },
  data,
});

/**
 * Guarantee, checked when it is disposed: whatever happened, nobody wrote without holding the Lease at that moment; and once all replicas
 * were stopped, no timer and no watch is left.
 */
export class World implements AsyncDisposable {
  readonly sim: Simulation<MirrorConfig>;
  readonly files: Record<string, string>;
  readonly calls: Call[] = [];
  /** The most watches that were ever open at once, by plane. */
  readonly mostWatches = new Map<string, number>();
  readonly #server: (plane: string) => string;
  readonly #sources: readonly string[];
  readonly #wires: Wire[] = [];
  /** Replica by the identity under which it wrote the Lease. */
  readonly #identities = new Map<string, string>();
  readonly #trespasses: string[] = [];

  constructor({ sources = ['p1'], kinds = [], api, server = serverOf, ...options }: WorldOptions = {}) {
    this.#server = server;
    this.#sources = sources;
    this.files = {
      '/target.kubeconfig': kubeconfig(server(target)),
      // A folder that is empty does not exist, and a hidden name is no plane.
      '/sources/.keep': '',
      ...Object.fromEntries(sources.map((name) => [sourceFile(name), kubeconfig(server(name))])),
    };
    this.sim = new Simulation({
      seed: options.seed ?? 'reports',
      planes: [target, ...sources],
      kinds: [ConfigMap, Lease, ...kinds],
      app: options.app ?? app,
      config: config.parse({
        sources: { kubeconfigs: '/sources' },
        target: { kubeconfig: '/target.kubeconfig' },
        leaderElection: {},
      }),
      files: this.files,
      api,
      server,
      faults: (replica, plane) => this.#between(replica, plane),
    });
    // Somebody led before, and stopped in order.
    this.target.put(Lease, { metadata: { namespace, name: 'example-mirror' }, spec: { holderIdentity: '' } });
  }

  get clock(): VirtualClock {
    return this.sim.clock;
  }

  get target(): ScriptedApi {
    return this.sim.plane(target);
  }

  source(name = 'p1'): ScriptedApi {
    return this.sim.plane(name);
  }

  start(replica = 'a'): SimulatedProcess {
    return this.sim.start(replica);
  }

  /** Time passes. */
  after(ms: DurationMs): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Puts something on the wires to a plane, or on one replica's alone, until it is disposed. The last one put is the innermost. */
  on(plane: string, interceptor: TransportInterceptor, replica?: string): Disposable {
    const wire: Wire = { plane, replica, interceptor };
    this.#wires.push(wire);
    return {
      [Symbol.dispose]: () => void (this.#wires.includes(wire) && this.#wires.splice(this.#wires.indexOf(wire), 1)),
    };
  }

  /** Takes a plane's kubeconfig out of the folder, or puts it back. */
  known(plane: string, isKnown: boolean): void {
    if (isKnown) this.files[sourceFile(plane)] = kubeconfig(this.#server(plane));
    else delete this.files[sourceFile(plane)];
  }

  /** Requests to a plane so far, those about Leases left out. */
  requests(plane: string, wanted: (call: Call) => boolean = () => true): readonly Call[] {
    return this.calls.filter((call) => call.plane === plane && !isLease(call.path) && wanted(call));
  }

  /** Requests that would change something, wherever they went, Leases left out. */
  writes(wanted: (call: Call) => boolean = () => true): readonly Call[] {
    return this.calls.filter((call) => call.method !== 'GET' && !isLease(call.path) && wanted(call));
  }

  /** The data of each copy, by `plane namespace/name` of what it is a copy of. */
  copies(): Record<string, Readonly<Record<string, string>>> {
    return Object.fromEntries(this.#copies().map((copy) => [originOf(copy), copy.data ?? {}]));
  }

  #copies(): readonly ConfigMap[] {
    return this.target.objects(ConfigMap).filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Stores a ConfigMap as somebody else would, who leaves metadata as it is. */
  edit(plane: string, name: string, data: Record<string, string>): void {
    const held = this.source(plane).get(ConfigMap, { namespace: 'default', name });
    this.source(plane).put(ConfigMap, configMap(name, data, held?.metadata));
  }

  /** Moves a plane's revision on, by something that nobody here watches. */
  elsewhere(plane: ScriptedApi): void {
    plane.put(Lease, { metadata: { namespace: 'default', name: 'elsewhere' } });
  }

  /** Lets a plane forget how it got where it is: whoever watches, or goes on with a list, has to list anew. */
  forget(plane: ScriptedApi): void {
    this.elsewhere(plane);
    plane.compact();
  }

  /** What is not yet, or wrongly, as it should be in the end. */
  differences(): string[] {
    const wanted = new Map<string, ConfigMap>();
    const faults: string[] = [];
    for (const plane of this.#sources) {
      for (const source of this.source(plane).objects(ConfigMap)) {
        const isMirrored = !isDeleting(source) && source.metadata.labels?.[mirrorLabel] === 'true';
        const isHeld = source.metadata.finalizers?.includes(finalizer) === true;
        if (isMirrored !== isHeld) faults.push(`${plane} ${keyOf(source)} is ${isHeld ? 'held' : 'not held'}`);
        if (isMirrored) wanted.set(`${plane} ${keyOf(source)}`, copyOf(source, plane, namespace));
      }
    }
    for (const copy of this.#copies()) {
      const origin = originOf(copy);
      const want = wanted.get(origin);
      if (!want) faults.push(`${origin} has a copy`);
      else if (!deepEqual(essence(want), essence(copy))) faults.push(`${origin} has another copy`);
      wanted.delete(origin);
    }
    return [...faults, ...[...wanted.keys()].map((origin) => `${origin} has no copy`)];
  }

  /** One value of the app's `/metrics`; 0 when there is no such series. */
  async metric(replica: string, name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const text = await this.sim.process(replica).metrics.text();
    const values = text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sim.stop();
    const left = [...this.sim.planes].flatMap(([name, plane]) =>
      plane.openWatches() > 0 ? [`${plane.openWatches()} watches of ${name}`] : [],
    );
    if (this.clock.pending > 0) left.push(`${this.clock.pending} timers`);
    const faults = [...this.#trespasses, ...left.map((what) => `left behind: ${what}`)];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  #between(replica: string, plane: string): TransportInterceptor {
    return (next) => async (request, options) => {
      const path = request.url.slice(this.#server(plane).length);
      const call: Call = {
        at: this.clock.monotonic(),
        replica,
        plane,
        method: request.method,
        path,
        status: undefined,
      };
      this.calls.push(call);
      const wires = this.#wires.filter((wire) => wire.plane === plane && (wire.replica ?? replica) === replica);
      const send = intercept(next, ...wires.map(({ interceptor }) => interceptor));
      const admit = (): void => {
        options.admit?.();
        this.#audit(call, request);
      };
      const response = await send(request, { signal: options.signal, admit });
      call.status = response.status;
      const open = this.sim.plane(plane).openWatches();
      this.mostWatches.set(plane, Math.max(open, this.mostWatches.get(plane) ?? 0));
      return response;
    };
  }

  /** At the moment in which the server takes a request. */
  #audit({ replica, plane, method, path }: Call, { body }: TransportRequest): void {
    if (method === 'GET') return;
    if (isLease(path)) {
      const { spec } = JSON.parse(new TextDecoder().decode(body)) as Lease;
      if (spec?.holderIdentity) this.#identities.set(spec.holderIdentity, replica);
      return;
    }
    const holder = this.target.get(Lease, electionLease)?.spec?.holderIdentity;
    const leader = holder ? this.#identities.get(holder) : undefined;
    if (leader !== replica) {
      const time = this.clock.monotonic();
      this.#trespasses.push(
        `at ${time} ${replica} sent ${method} ${path} to ${plane}, and ${leader ?? 'nobody'} leads`,
      );
    }
  }
}

/** The app's own. */
export const electionLease = { namespace: 'mirrors', name: 'example-mirror' };

const sourceFile = (plane: string): string => `/sources/${plane}.kubeconfig`;

const isLease = (path: string): boolean => path.includes('/leases');

function originOf({ metadata }: KubeObject): string {
  const read = (name: string): string => metadata.annotations?.[`example.lifeline.dev/source-${name}`] ?? '?';
  return `${read('cluster')} ${read('namespace')}/${read('name')}`;
}

const ours = (entries: ObjectMeta['labels']): unknown =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => key.startsWith('example.lifeline.dev/')));

/** What is the app's of a copy. */
const essence = ({ metadata: { name, labels, annotations }, data, binaryData }: ConfigMap): unknown => ({
  name,
  labels: ours(labels),
  annotations: ours(annotations),
  data: data ?? {},
  binaryData: binaryData ?? {},
});
