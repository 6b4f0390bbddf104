/** A project and a hub on scripted planes, and controllers on them: for the tests of this folder. */
import {
  ConfigMap,
  identityOf,
  type JsonObject,
  Namespace,
  ResourceBinding,
  Secret,
  seeded,
  SecurityPolicy,
  untilAborted,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import {
  type ClusterProvider,
  type Controller,
  createLog,
  type Env,
  type FleetControl,
  fleetFactory,
  type Metrics,
  runManager,
  staticSource,
} from '@lifeline/k8s';
import { connection, createScriptedApi, filesOf, type ScriptedApi, SimulatedProcess } from '@lifeline/k8s/testing';
import { EngagedProjects } from '../mirror/engaged.ts';
import { secretBinding } from './spread.ts';

export const cluster = 'org-a/p1';
export const namespace = 'default';
export const mapped = 'ns-1b4e28ba-2fa1-11d2-883f-0016d3cca427';

/** Where the tenant works. */
export class Project {
  readonly api: ScriptedApi;

  constructor(api: ScriptedApi) {
    this.api = api;
  }

  /** Makes or changes a policy of `default` that names these Secrets. */
  policy(name: string, secrets: readonly string[], metadata: Partial<SecurityPolicy['metadata']> = {}): SecurityPolicy {
    const held = this.api.get(SecurityPolicy, { namespace, name });
    const { resourceVersion: _read, ...kept } = held?.metadata ?? { name };
    return this.api.put(SecurityPolicy, {
      ...held,
      metadata: { ...kept, namespace, name, ...metadata },
      spec: specOf(secrets),
    });
  }

  secret(name: string, metadata: Partial<Secret['metadata']> = {}): Secret {
    return this.api.put(Secret, { metadata: { namespace, name, ...metadata }, data: { key: 'c2VjcmV0' } });
  }

  /** The marks of a Secret, in short. */
  marks(name: string): readonly string[] {
    const { labels, annotations } = this.api.get(Secret, { namespace, name })?.metadata ?? {};
    return [...Object.keys(labels ?? {}), ...Object.keys(annotations ?? {})].map((key) => key.replace(/.*\//, ''));
  }
}

/** Where copies are, in the namespace that stands for the tenant's. */
export class Hub {
  readonly api: ScriptedApi;

  constructor(api: ScriptedApi) {
    this.api = api;
  }

  secret(name: string): Secret {
    return this.api.put(Secret, { metadata: { ...this.#identity('', 'Secret', name), namespace: mapped, name } });
  }

  policy(name: string, secrets: readonly string[]): SecurityPolicy {
    const identity = this.#identity(SecurityPolicy.group, SecurityPolicy.kind, name);
    return this.api.put(SecurityPolicy, { metadata: { ...identity, namespace: mapped, name }, spec: specOf(secrets) });
  }

  /** Karmada’s word on a Secret. */
  spread(name: string, applied: Readonly<Record<string, boolean>>): void {
    const { uid = '' } = this.api.get(Secret, { namespace: mapped, name })?.metadata ?? {};
    const clusters = Object.keys(applied);
    const held = this.api.get(ResourceBinding, secretBinding({ namespace: mapped, name }));
    this.api.put(ResourceBinding, {
      metadata: { ...secretBinding({ namespace: mapped, name }) },
      spec: {
        resource: { apiVersion: 'v1', kind: 'Secret', namespace: mapped, name, uid },
        clusters: clusters.map((each) => ({ name: each })),
      },
      status: {
        schedulerObservedGeneration: Number(held?.metadata.generation ?? 1),
        aggregatedStatus: clusters.map((each) => ({ clusterName: each, applied: applied[each] === true })),
      },
    });
  }

  #identity(group: string, kind: string, name: string): ReturnType<typeof identityOf> {
    return identityOf({ cluster, group, kind, namespace, name, uid: `uid-${name}` }, 'test');
  }
}

const specOf = (secrets: readonly string[]): SecurityPolicy['spec'] & JsonObject => ({
  targetRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' },
  apiKeyAuth: { credentialRefs: secrets.map((name) => ({ name })) },
});

export interface Planes {
  readonly projects: ClusterProvider;
  readonly hub: ClusterProvider;
  readonly engaged: EngagedProjects;
  readonly env: Env;
}

export interface World {
  readonly clock: VirtualClock;
  readonly project: Project;
  readonly hub: Hub;
  /** What was logged as a warning or worse. */
  readonly complaints: readonly string[];
  readonly metrics: Metrics;
  /** Of the project. */
  readonly fleet: FleetControl;
  /** The project is engaged again. */
  resume(): void;
  stop(): Promise<void>;
}

/** Controllers on a project and a hub, settled on what `prepare` left there. */
export async function world(
  define: (planes: Planes) => readonly Controller[],
  prepare: (planes: { project: Project; hub: Hub }) => void = () => undefined,
  { isKarmada = true } = {},
): Promise<World> {
  const clock = new VirtualClock();
  const complaints: string[] = [];
  const kinds = [Namespace, ConfigMap, Secret, SecurityPolicy];
  const api = (name: string): ScriptedApi =>
    createScriptedApi({
      clock,
      random: seeded(name),
      kinds: name === 'hub' && isKarmada ? [...kinds, ResourceBinding] : kinds,
      latencyMs: 20,
    });
  const project = new Project(api('project'));
  const hub = new Hub(api('hub'));
  prepare({ project, hub });
  const process = new SimulatedProcess({
    name: 'replicator',
    clock,
    random: seeded('secrets'),
    transport: ({ server }, life) => connection((server === 'https://hub' ? hub.api : project.api).transport, life),
    files: filesOf({}),
    log: createLog({ clock, write: (line) => complaints.push(line), level: 'warn' }),
  });
  const fleet = fleetFactory(process.env, 'lifeline');
  const at = (server: string): { endpoint: { server: string } } => ({ endpoint: { server } });
  const control = Promise.withResolvers<FleetControl>();
  const projects = fleet({
    plane: 'project',
    source: async (steered, signal) => {
      control.resolve(steered);
      steered.engage(cluster, at('https://project'));
      await untilAborted(signal);
    },
  });
  const hubs = fleet({ plane: 'hub', source: staticSource({ hub: at('https://hub') }) });
  const controllers = define({ projects, hub: hubs, engaged: new EngagedProjects(projects), env: process.env });
  const done = runManager(process.env, { fleets: [projects, hubs], controllers });
  await clock.advance(1000);
  const steered = await control.promise;
  return {
    clock,
    project,
    hub,
    complaints,
    metrics: process.env.metrics,
    fleet: steered,
    resume: () => steered.engage(cluster, at('https://project')),
    async stop() {
      process.terminate();
      await clock.run(done);
    },
  };
}
