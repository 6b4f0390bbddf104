/** The stage of the demo: five planes, a small Karmada and three replicas of the example app, in this process, on a virtual clock. */
import type { ApiServer } from '@lifeline/apiserver';
import { ConfigMap, type DurationMs, Lease, objectKey, type ObjectName } from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import { app, config, copyName, type MirrorConfig } from '@lifeline/example-mirror';
import { kubeconfig } from '@lifeline/k8s/testing';
import { type Karmada, launch, urlOf, World } from '@lifeline/sim';

export const projects = ['project-a', 'project-b'] as const;
export const edges = ['edge-1', 'edge-2'] as const;
export const replicas = ['a', 'b', 'c'] as const;
export type Project = (typeof projects)[number];
export type Edge = (typeof edges)[number];
export type Replica = (typeof replicas)[number];
export type PlaneName = Project | 'hub' | Edge;

/** A message between a replica and a plane is under way this long, either way: from, to. */
export const latencyMs = [2, 12] as const;

/** The app's settings, defaults included. */
export const settings: MirrorConfig = config.parse({
  sources: { kubeconfigs: '/etc/projects' },
  target: { kubeconfig: '/etc/hub.yaml' },
  leaderElection: {},
});

/** Who holds the Lease at a moment: an identity that no other process ever has. */
export type Identity = string;

/** One who is none of ours, and may do anything. */
type Somebody = ReturnType<World['hands']>;

export class DemoPlanes implements AsyncDisposable {
  readonly world: World;

  constructor(seed: string) {
    this.world = new World({
      seed,
      planes: [
        ...projects.map((name) => ({ name, role: 'project' as const })),
        { name: 'hub', role: 'hub' },
        ...edges.map((name) => ({ name, role: 'edge' as const })),
      ],
      karmada: { hub: 'hub', members: edges },
      apps: [{ replicas, versions: [launch(app, settings)] }],
      files: {
        '/etc/hub.yaml': kubeconfig(urlOf('hub')),
        ...Object.fromEntries(projects.map((name) => [`/etc/projects/${name}.yaml`, kubeconfig(urlOf(name))])),
      },
      latencyMs,
    });
  }

  get clock(): VirtualClock {
    return this.world.clock;
  }

  get karmada(): Karmada {
    return this.world.karmada as Karmada;
  }

  /** The planes themselves, as no controller sees them. */
  api(plane: PlaneName): ApiServer {
    return this.world.plane(plane).api;
  }

  get apis(): readonly ApiServer[] {
    return Array.from(this.world.planes.values(), ({ api }) => api);
  }

  /** Does something to the planes as somebody who is none of ours, and waits for the answers. */
  run<T>(act: (somebody: Somebody) => Promise<T>): Promise<T> {
    return this.clock.run(act(this.world.hands('somebody')));
  }

  /** The copy of a project's object, in the hub or an edge. */
  copyOf(project: Project, name: ObjectName, plane: PlaneName): ConfigMap | undefined {
    return this.api(plane).get(ConfigMap, copyOfName(project, name));
  }

  /** Undefined while nobody does. */
  leaseHolder(): Identity | undefined {
    return this.api('hub').get(Lease, settings.leaderElection)?.spec?.holderIdentity || undefined;
  }

  /** The replicas that are certain to lead, as their own metrics say. */
  async leaders(): Promise<readonly Replica[]> {
    const gauge = `leader_election_master_status{name="${settings.leaderElection.name}"} 1`;
    const running = replicas.filter((name) => this.world.processes.isRunning(name));
    const texts = await Promise.all(running.map((name) => this.world.processes.process(name).metrics.text()));
    return running.filter((_, index) => texts[index]?.split('\n').includes(gauge));
  }

  /** How often objects were written so far, in all planes: Leases, and all others. */
  writes(): { readonly leases: number; readonly others: number } {
    const { writes } = this.world.audit;
    const leases = writes.filter(({ revision }) => revision.object.kind === 'Lease').length;
    return { leases, others: writes.length - leases };
  }

  /** Stops Karmada and all replicas. */
  async stop(): Promise<void> {
    await this.clock.run(this.karmada.propagation.stop());
    await this.world.processes.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }

  /** Moves time from event to event until something holds. @throws Error when it does not in time */
  async until(what: string, holds: () => boolean | Promise<boolean>, limitMs: DurationMs = 60_000): Promise<void> {
    const { clock } = this;
    const started = clock.monotonic();
    await clock.settle();
    while (!(await holds())) {
      if (clock.monotonic() - started > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
      if (!(await clock.step())) throw new Error(`nothing is left that could bring it about: ${what}`);
    }
  }

  /** Moves time until something holds of each place, and names each at the moment when it does. */
  async *asTheyCome<P extends PlaneName>(
    what: string,
    places: readonly P[],
    holds: (place: P) => boolean,
  ): AsyncGenerator<P, void, undefined> {
    let waiting = places;
    while (waiting.length > 0) {
      await this.until(`${what} (${waiting.join(', ')})`, () => waiting.some(holds));
      yield* waiting.filter(holds);
      waiting = waiting.filter((place) => !holds(place));
    }
  }
}

/** What a project's object is called in the hub, and so in the edges. */
export const copyOfName = (project: Project, name: ObjectName): ObjectName => ({
  namespace: settings.target.namespace,
  name: copyName(project, objectKey(name)),
});
