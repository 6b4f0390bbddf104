/** Karmada in small. */
import {
  type Clock,
  intercept,
  linkAbort,
  type LinkedAbort,
  ownValue,
  type Random,
  type Transport,
  untilAborted,
} from '@lifeline/core';
import { createLog, createMetrics, type DeliveryInterceptor, type Log, type TransportFactory } from '@lifeline/k8s';
import { bindingController } from './binding/controller.ts';
import { clusterController } from './cluster/controller.ts';
import { Members } from './cluster/members.ts';
import { clusterStatusController } from './cluster/status-controller.ts';
import { bindingCollector } from './collector/controller.ts';
import { detector } from './detector/controller.ts';
import { Applier } from './execution/applier.ts';
import { executionController } from './execution/controller.ts';
import type { Faults } from './faults.ts';
import { Hub } from './hub.ts';
import { customizations } from './interpreter/customizations.ts';
import { Interpreters, type KindInterpreter } from './interpreter/interpreter.ts';
import { LuaMachine } from './interpreter/lua/lua-machine.ts';
import { nativeInterpreters } from './interpreter/native/index.ts';
import type { Discovered } from './kinds/discovery.ts';
import { HubKinds } from './kinds/hub-kinds.ts';
import type { KindName } from './manifest.ts';
import { namespaceController } from './namespace/controller.ts';
import { policyController } from './policy/controller.ts';
import type { CacheParts } from './runtime/caches.ts';
import { type Delays, type HopControl, Hops } from './runtime/hops.ts';
import { Plane } from './runtime/plane.ts';
import type { Part, Run } from './runtime/run.ts';
import { rateLimited, TokenBucket } from './runtime/token-bucket.ts';
import { scheduler } from './scheduler/controller.ts';
import { completeSettings, type GivenSettings, type Rate, type Settings } from './settings.ts';
import { bindingStatusController } from './status/binding-status-controller.ts';
import { workStatusController } from './status/work-status-controller.ts';

export interface PropagationOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The plane that serves Karmada's own kinds, garbage collection included. `baseUrl`: absolute, with the base path. */
  readonly hub: { readonly transport: Transport; readonly baseUrl: string };
  /** The ways to members: by the `spec.apiEndpoint` of their Clusters, with the token of their `spec.secretRef`. */
  readonly members: TransportFactory;
  readonly settings?: GivenSettings | undefined;
  /** Default `seen`. */
  readonly delays?: Delays | undefined;
  readonly faults?: Faults | undefined;
  /** Interpreters in TypeScript, by kind (`networking.datumapis.com/v1alpha1 Connector`): asked after customizations, before built-in ones. */
  readonly interpreters?: Readonly<Record<KindName, KindInterpreter>> | undefined;
  /** Kinds whose objects may be carried. Default: all that can be listed, watched and deleted. Each costs the hub a watch. */
  readonly carries?: ((kind: Discovered) => boolean) | undefined;
  readonly log?: Log | undefined;
  /** How caches are kept. For tests and simulators. */
  readonly caches?:
    { readonly freeze?: boolean | undefined; readonly intercept?: DeliveryInterceptor | undefined } | undefined;
}

/** A Karmada that can be started, stopped and started again, as its processes can. */
export interface Propagation extends Disposable {
  readonly settings: Settings;
  /** Faults of its steps. They outlive a restart. */
  readonly hops: HopControl;
  readonly isRunning: boolean;
  /** Starts it, with nothing in memory: every object is looked at again. No-op while it runs. */
  start(): void;
  /** Resolves when nothing of it runs any more: no watch, no timer, no request. */
  stop(): Promise<void>;
  /** Runs until the signal aborts: `start` and `stop` in one. */
  run(signal: AbortSignal): Promise<void>;
}

export const createPropagation = (options: PropagationOptions): Propagation => new SmallKarmada(options);

class SmallKarmada implements Propagation {
  readonly settings: Settings;
  readonly hops: Hops;
  readonly #options: PropagationOptions;
  #life: { readonly abort: LinkedAbort; readonly done: Promise<void> } | undefined;

  constructor(options: PropagationOptions) {
    this.#options = options;
    this.settings = completeSettings(options.settings);
    this.hops = new Hops(options.random, options.delays ?? 'seen');
  }

  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  start(): void {
    if (this.#life) return;
    const abort = linkAbort();
    this.#life = { abort, done: live(this.#options, { settings: this.settings, hops: this.hops }, abort.signal) };
  }

  async stop(): Promise<void> {
    const life = this.#life;
    if (!life) return;
    life.abort.abort(new Error('Karmada stops'));
    await life.done;
    if (this.#life === life) this.#life = undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.start();
    await untilAborted(signal);
    await this.stop();
  }

  /** Stops it without waiting for the end. */
  [Symbol.dispose](): void {
    this.#life?.abort.abort(new Error('Karmada stops'));
  }
}

async function live(
  options: PropagationOptions,
  { settings, hops }: { readonly settings: Settings; readonly hops: Hops },
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, faults = {} } = options;
  const { log = createLog({ clock, write: () => undefined, level: 'error' }) } = options;
  const { freeze = false, intercept: delivery } = options.caches ?? {};
  const caches: CacheParts = { clock, random, log, metrics: createMetrics(), freeze, intercept: delivery };
  const plane = hubPlane(options, settings, { rate: settings.hubRate, userAgent: 'karmada-controller-manager' });
  const hub = new Hub(plane, caches);
  const kinds = new HubKinds({
    plane,
    caches,
    clock,
    log,
    everyMs: settings.discoveryEveryMs,
    carries: options.carries,
  });
  const machine = new LuaMachine(settings.luaInstructions);
  const given = options.interpreters ?? {};
  const run: Run = {
    clock,
    random,
    log,
    settings,
    hub,
    kinds,
    hops,
    faults,
    schedulerPlane: hubPlane(options, settings, { rate: settings.schedulerRate, userAgent: 'karmada-scheduler' }),
    members: new Members({ hub, transport: options.members, clock, random, settings, caches }),
    interpreters: new Interpreters(
      customizations(() => hub.customizations.store.list(), machine),
      (kind) => ownValue(given, kind),
      nativeInterpreters,
    ),
  };
  await Promise.all([hub.run(signal), work(run, signal)]);
}

/** Everything is looked at once the hub's caches are complete and its kinds are known. */
async function work(run: Run, signal: AbortSignal): Promise<void> {
  try {
    await run.hub.synced(signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const parts = partsOf(run);
  const found = (): void => {
    for (const part of parts) part.watch();
  };
  await Promise.all([
    ...parts.flatMap(({ workers }) => workers.map((each) => each.run(signal))),
    run.kinds.run(signal, found),
    run.members.run(signal),
  ]);
}

function partsOf(run: Run): readonly Part[] {
  const applier = new Applier(run);
  const { collectsBindingsMs } = run.settings;
  const templates = detector(run);
  return [
    templates,
    policyController(run, 'Namespaced', templates),
    policyController(run, 'Cluster', templates),
    scheduler(run),
    bindingController(run),
    executionController(run, applier),
    workStatusController(run, applier),
    bindingStatusController(run),
    namespaceController(run),
    clusterController(run),
    clusterStatusController(run),
    ...(collectsBindingsMs ? [bindingCollector(run, collectsBindingsMs)] : []),
  ];
}

function hubPlane(
  { hub, clock, random }: PropagationOptions,
  { requestTimeoutMs: timeoutMs }: Settings,
  { rate, userAgent }: { readonly rate: Rate; readonly userAgent: string },
): Plane {
  const transport = intercept(hub.transport, rateLimited(new TokenBucket(clock, rate), clock));
  return new Plane({ transport, baseUrl: hub.baseUrl, clock, random, timeoutMs, userAgent });
}
