/** Planes, apps and people in one process, on one virtual clock. */
import { createApiServer } from '@lifeline/apiserver';
import { type DurationMs, linkAbort, seeded, type Transport } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import type { CacheName, TransportFactory } from '@lifeline/k8s';
import { connection, Trace } from '@lifeline/k8s/testing';
import { EnvoyGateway } from '../edge/envoy-gateway.ts';
import type { Hooks } from '../edge/hook.ts';
import { Truth } from '../oracles/truth.ts';
import { kindsOfRole } from '../plane-roles.ts';
import { Audit } from './audit.ts';
import { type CacheOwner, Deliveries } from './deliveries.ts';
import { Hands } from './hands.ts';
import { Karmada, type KarmadaSpec } from './karmada.ts';
import { type ApiFactory, type Plane, type PlaneSpec, urlOf } from './plane.ts';
import { type AppSpec, Processes } from './processes.ts';
import { RingLog } from './ring-log.ts';
import { SkewedClock } from './skewed-clock.ts';
import { Wires } from './wires.ts';

export interface WorldSpec {
  /** Decides everything: a run is a function of its seed. */
  readonly seed: string;
  readonly planes: readonly PlaneSpec[];
  readonly apps: readonly AppSpec[];
  /** Files that every replica sees. May be changed while the world runs. */
  readonly files?: Record<string, string> | undefined;
  /** How long a message between a replica and a plane is under way, either way. Default: no time. */
  readonly latencyMs?: readonly [DurationMs, DurationMs] | undefined;
  /** The plane that an app's cluster is. Default: that of the cluster's name. */
  readonly planeOf?: ((cache: CacheName) => string) | undefined;
  readonly karmada?: KarmadaSpec | undefined;
  /** Envoy Gateways, each over a plane of the world. */
  readonly edges?: readonly EdgeSpec[] | undefined;
  /** Makes the planes. Default: API servers in this process. */
  readonly createApi?: ApiFactory | undefined;
}

export interface EdgeSpec {
  readonly plane: string;
  /** Of its own where several Envoy Gateways serve one plane. Default: the plane's. */
  readonly name?: string | undefined;
  /** All Gateways of a class on one Envoy. */
  readonly merged: boolean;
  /** The extension servers that it may ask. */
  readonly hooks: Hooks;
}

export class World implements AsyncDisposable {
  readonly seed: string;
  readonly clock = new VirtualClock();
  readonly trace = new Trace();
  readonly logs = new RingLog();
  readonly files: Record<string, string>;
  readonly planes: ReadonlyMap<string, Plane>;
  readonly audit: Audit;
  readonly wires: Wires;
  readonly deliveries: Deliveries;
  readonly processes: Processes;
  readonly truth: Truth;
  /** By name. */
  readonly edges: ReadonlyMap<string, EnvoyGateway>;
  /** The way from the hub to its members, where there is one. */
  readonly karmada: Karmada | undefined;
  readonly #hands = new Map<string, Hands>();
  readonly #life = linkAbort();
  readonly #timers = new Set<Disposable>();
  readonly #broken: unknown[] = [];

  constructor(spec: WorldSpec) {
    const { seed, files = {}, latencyMs, planeOf = (cache) => cache.cluster } = spec;
    const { clock, trace, logs } = this;
    const now = (): ReturnType<VirtualClock['monotonic']> => clock.monotonic();
    this.seed = seed;
    this.files = files;
    this.planes = new Map(spec.planes.map((plane) => [plane.name, this.#createPlane(plane, spec.createApi)]));
    this.audit = new Audit(now);
    this.wires = new Wires({ clock, trace, latencyMs, audit: this.audit, random: seeded(`${seed}/wires`) });
    this.deliveries = new Deliveries(now, planeOf);
    this.truth = new Truth({ planes: this.planes, writes: this.audit.writes, now });
    this.processes = new Processes({
      seed,
      clock,
      trace,
      logs,
      files,
      timer: (ms, fire) => this.timer(ms, fire),
      transport: (owner) => this.#network(owner),
      delivery: (owner) => this.deliveries.interceptor(owner),
    });
    for (const plane of this.planes.values()) this.audit.tap(plane);
    this.edges = new Map(
      (spec.edges ?? []).map(({ plane, name = plane, ...edge }) => {
        const { api } = this.plane(plane);
        return [name, new EnvoyGateway({ ...edge, clock, api, random: seeded(`${seed}/edge/${name}`) })];
      }),
    );
    this.karmada = spec.karmada && new Karmada(this, spec.karmada);
    for (const app of spec.apps) this.processes.add(app);
  }

  /** Aborts when the world ends. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  plane(name: string): Plane {
    const found = this.planes.get(name);
    if (!found) throw new TypeError(`no plane ${name}`);
    return found;
  }

  /** Somebody who is none of ours. */
  hands(name = 'user'): Hands {
    const known = this.#hands.get(name);
    if (known) return known;
    const hands = new Hands({
      name,
      clock: this.clock,
      random: seeded(`${this.seed}/hands/${name}`),
      plane: (plane) => this.plane(plane),
      transport: (plane) => this.wires.direct({ actor: name, incarnation: 0 }, plane),
      signal: this.signal,
    });
    this.#hands.set(name, hands);
    return hands;
  }

  /** A timer of the world's own, which ends with it. */
  timer(ms: DurationMs, fire: () => void): Disposable {
    if (this.signal.aborted) return { [Symbol.dispose]: () => undefined };
    const timer = this.clock.timer(ms, () => {
      this.#timers.delete(timer);
      fire();
    });
    this.#timers.add(timer);
    return timer;
  }

  /** Lets something go on beside everything else. What it throws while the world lasts, the world throws when it ends. */
  spawn(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.signal.aborted) this.#broken.push(error);
    });
  }

  /** Time passes. */
  after(ms: DurationMs): Promise<void> {
    return this.clock.advance(ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#life.abort(new Error('the world ends'));
    for (const timer of this.#timers) timer[Symbol.dispose]();
    await this.processes.stop();
    if (this.karmada) await this.clock.run(this.karmada.propagation.stop());
    for (const edge of this.edges.values()) edge[Symbol.dispose]();
    for (const { api } of this.planes.values()) api[Symbol.dispose]();
    if (this.#broken.length > 0) throw this.#broken[0];
  }

  #createPlane(
    { name, role, kinds = kindsOfRole(role), alias }: PlaneSpec,
    createApi: ApiFactory = createApiServer,
  ): Plane {
    const clock = new SkewedClock(this.clock);
    const api = createApi({ clock, kinds, random: seeded(`${this.seed}/plane/${name}`) });
    return { name, role, url: urlOf(name), alias, api, clock };
  }

  #network(owner: CacheOwner): TransportFactory {
    return ({ server }, life) => {
      const plane = [...this.planes.values()].find(({ url, alias }) => url === server || alias === server);
      if (!plane) throw new TypeError(`no plane at ${server}`);
      const wire = this.wires.between(owner, plane);
      return connection(server === plane.url ? wire : forwarded(wire, server, plane.url), life);
    };
  }
}

/** As the server in front of a plane passes a request on. */
const forwarded =
  (next: Transport, from: string, to: string): Transport =>
  (request, options) =>
    next({ ...request, url: to + request.url.slice(from.length) }, options);
