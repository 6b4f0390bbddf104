/** Project planes with agents, and the connector controller on them. */
import {
  abortable,
  Connector,
  ConnectorClass,
  conditionTypes,
  type Condition,
  type DurationMs,
  epochMs,
  findCondition,
  formatMicroTime,
  Lease,
  seeded,
  type Transport,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, fleetFactory, runManager, staticSource } from '@lifeline/k8s';
import {
  connection,
  createScriptedApi,
  filesOf,
  type ScriptedApi,
  type ScriptedWrite,
  SimulatedProcess,
} from '@lifeline/k8s/testing';
import { connectors } from './controller.ts';

export const namespace = 'default';
export const className = 'datum-connect';
export const seconds = (n: number): DurationMs => n * 1000;

/** What a Connector's status starts with, by its CRD. */
const nobodyLooked: Condition = {
  type: conditionTypes.accepted,
  status: 'Unknown',
  reason: 'Pending',
  message: 'waiting for a controller',
  lastTransitionTime: '1970-01-01T00:00:00Z',
};

const kinds = [Connector, ConnectorClass, Lease];

/** An API server in a project, and what happens there. */
export class Plane {
  readonly api: ScriptedApi;
  /** Requests that come meanwhile are answered when it resolves. */
  stalled: Promise<void> = Promise.resolve();
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, seed: string) {
    this.#clock = clock;
    this.api = createScriptedApi({ clock, random: seeded(seed), kinds, latencyMs: 20 });
    this.api.put(ConnectorClass, { metadata: { name: className }, spec: { controllerName: 'example.dev/tunnel' } });
  }

  readonly transport: Transport = async (request, options) => {
    await abortable(this.stalled, options.signal);
    return this.api.transport(request, options);
  };

  /** Makes or changes a Connector, with the status that its CRD starts it with. */
  connector(name: string, over: Partial<Connector> = {}): Connector {
    const held = this.api.get(Connector, { namespace, name });
    return this.api.put(Connector, {
      spec: { connectorClassName: className },
      status: { conditions: [nobodyLooked] },
      ...held,
      ...over,
      metadata: { ...held?.metadata, ...over.metadata, namespace, name },
    });
  }

  /** The agent renews its Lease, by a clock that is off by so much. Nothing when there is no Lease: it may not create one. */
  renew(name: string, skewMs: DurationMs = 0): void {
    const lease = this.lease(name);
    if (!lease) return;
    const renewTime = formatMicroTime(epochMs(this.#clock.now() + skewMs));
    this.api.put(Lease, { ...lease, spec: { ...lease.spec, holderIdentity: name, renewTime } }, 'agent');
  }

  /** The agent renews every `everyMs`, from now on until disposed. */
  agent(name: string, { everyMs = seconds(10), skewMs = 0 } = {}): Disposable {
    const beat = (): Disposable => {
      this.renew(name, skewMs);
      return this.#clock.timer(everyMs, () => (timer = beat()));
    };
    let timer = beat();
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }

  lease(name: string): Lease | undefined {
    return this.api.get(Lease, { namespace, name });
  }

  condition(name: string, type: string): Condition | undefined {
    return findCondition(this.api.get(Connector, { namespace, name })?.status?.conditions, type);
  }

  ready(name: string): Condition | undefined {
    return this.condition(name, conditionTypes.ready);
  }

  accepted(name: string): Condition | undefined {
    return this.condition(name, conditionTypes.accepted);
  }

  /** What the controller wrote. */
  get writes(): readonly ScriptedWrite[] {
    return this.api.writes.filter(({ who }) => who === 'lifeline-connector');
  }
}

export interface World {
  readonly clock: VirtualClock;
  readonly plane: Plane;
  readonly planes: Readonly<Record<string, Plane>>;
  readonly process: SimulatedProcess;
  /** What was logged as a warning or worse. */
  readonly complaints: readonly string[];
  /** Starts the controller anew, as after a crash. */
  restart(): void;
  reconciles(): Promise<number>;
  stop(): Promise<void>;
}

/** A running controller, settled on the planes as `prepare` left them. */
export async function world(
  prepare: (plane: Plane, name: string) => void = () => undefined,
  { names = ['p1'], seed = 'connectors', leaseDurationSeconds = 30 } = {},
): Promise<World> {
  const clock = new VirtualClock();
  const complaints: string[] = [];
  const planes = Object.fromEntries(names.map((name) => [name, new Plane(clock, `${seed}/${name}`)]));
  for (const [name, plane] of Object.entries(planes)) prepare(plane, name);

  const start = (incarnation: number): { process: SimulatedProcess; done: Promise<void> } => {
    const process = new SimulatedProcess({
      name: 'replicator',
      clock,
      random: seeded(`${seed}/${incarnation}`),
      transport: ({ server }, life) => connection((planes[new URL(server).hostname] as Plane).transport, life),
      files: filesOf({}),
      log: createLog({ clock, write: (line) => complaints.push(line), level: 'warn' }),
    });
    const targets = names.map((name) => [name, { endpoint: { server: `https://${name}` } }] as const);
    const projects = fleetFactory(
      process.env,
      'lifeline',
    )({
      plane: 'project',
      source: staticSource(Object.fromEntries(targets)),
    });
    const controller = connectors({ projects, env: process.env, leaseDurationSeconds, installation: 'test' });
    return { process, done: runManager(process.env, { fleets: [projects], controllers: [controller] }) };
  };
  let incarnation = 0;
  let running = start(incarnation);
  await clock.advance(1000);
  return {
    clock,
    planes,
    plane: planes[names[0] as string] as Plane,
    complaints,
    get process() {
      return running.process;
    },
    restart() {
      running.process.kill();
      running = start(++incarnation);
    },
    async reconciles() {
      const text = await running.process.metrics.text();
      return [...text.matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    },
    async stop() {
      running.process.terminate();
      await clock.run(running.done);
    },
  };
}
