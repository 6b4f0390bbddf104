/**
 * The stage of the demo: the platform's planes, a small Karmada, two hub replicators, and at each edge an Envoy Gateway with two extension
 * servers, in this process, on a virtual clock.
 */
import type { ApiServer } from '@lifeline/apiserver';
import { demoInstallation, type DurationMs, Lease, shardOf, truthNamespace, watermarkConfigMap } from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import type { Karmada, World } from '@lifeline/sim';
import type { Agent } from '../hub-replicator/agent.ts';
import { EdgePlatform, serversOf } from '../edge/platform.ts';
import { hub } from '../hub-replicator/world.ts';

export const projects = ['project-a', 'project-b'] as const;
export const edges = ['edge-1', 'edge-2'] as const;
export const replicas = ['a', 'b'] as const;
export type Project = (typeof projects)[number];
export type Edge = (typeof edges)[number];
export type Replica = (typeof replicas)[number];
/** Where copies are. */
export type Downstream = 'hub' | Edge;
export type PlaneName = Project | Downstream;

/** The extension servers of all edges. */
export const servers: readonly string[] = edges.flatMap((edge) => serversOf(edge));

export const downstream: readonly Downstream[] = ['hub', ...edges];

/** A message between a replica and a plane is under way this long, either way: from, to. */
export const latencyMs = [2, 12] as const;

/** Few, and waited for less long than in production. */
export const shards = { count: 6, durationMs: 10_000 } as const;

/** The connector that every project has. That of project-a has an agent. */
export const connector = { namespace: 'default', name: 'office' };
/** The proxy to it that every project has, and the Backend that the gateway controller makes of that. */
export const proxy = { namespace: 'default', name: 'www' };
export const backend = { namespace: 'default', name: 'www-0-0' };
export const agentEveryMs: DurationMs = 10_000;

/** The shard of a project. */
export const shardOfProject = (project: Project): number => shardOf(project, shards.count);

export interface Writes {
  readonly leases: number;
  /** Of the watermark, on the hub. */
  readonly watermarks: number;
  /** By Karmada, to bring the watermark to the edges. */
  readonly carrying: number;
  readonly others: number;
}

export type Write = World['audit']['writes'][number];

/** One who is none of ours, and may do anything. */
type Somebody = ReturnType<World['hands']>;

export class DemoPlanes implements AsyncDisposable {
  readonly platform: EdgePlatform;
  readonly agent: Agent;

  constructor(seed: string) {
    this.platform = new EdgePlatform({
      seed,
      projects,
      edges,
      replicas,
      merged: false,
      latencyMs,
      settings: { installation: demoInstallation, shards },
    });
    this.agent = this.platform.agent(projects[0], connector.name, { everyMs: agentEveryMs });
  }

  get world(): World {
    return this.platform.world;
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

  /** All replicas, the gateway controller beside them, and what runs at the edges. */
  start(): void {
    this.platform.startAll();
  }

  get running(): readonly Replica[] {
    return replicas.filter((name) => this.world.processes.isRunning(name));
  }

  /** The shards that a replica holds, as its own metrics say. */
  async shardsOf(replica: Replica): Promise<readonly number[]> {
    const text = await this.world.processes.process(replica).metrics.text();
    return Array.from(text.matchAll(/^lifeline_shard_held\{shard="(\d+)"\} 1$/gm), ([, shard]) => Number(shard));
  }

  /** Who each shard's Lease says holds it: identities that no other process ever has. Undefined: nobody. */
  shardHolders(): readonly (string | undefined)[] {
    const lease = (shard: number): Lease | undefined =>
      this.api(hub).get(Lease, { namespace: truthNamespace, name: `hub-replicator-shard-${shard}` });
    return Array.from({ length: shards.count }, (_, shard) => lease(shard)?.spec?.holderIdentity || undefined);
  }

  /** How often objects were written since the first `mark` writes, in all planes. */
  writes(mark: number): Writes {
    const kindOf = ({ plane, revision }: Write): keyof Writes => {
      const { kind, metadata } = revision.object;
      if (kind === Lease.kind) return 'leases';
      if (!metadata.name.startsWith(watermarkConfigMap)) return 'others';
      return plane === hub && metadata.name === watermarkConfigMap ? 'watermarks' : 'carrying';
    };
    const counted = { leases: 0, watermarks: 0, carrying: 0, others: 0 };
    for (const write of this.world.audit.writes.slice(mark)) counted[kindOf(write)]++;
    return counted;
  }

  /** Stops the agent, Karmada, the Envoy Gateways and all replicas. */
  async stop(): Promise<void> {
    this.agent.stop();
    for (const edge of edges) this.platform.envoyGateway(edge)[Symbol.dispose]();
    await this.clock.run(this.karmada.propagation.stop());
    await this.world.processes.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.agent.stop();
    return this.platform[Symbol.asyncDispose]();
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
  async *asTheyCome<P extends string>(
    what: string,
    places: readonly P[],
    holds: (place: P) => boolean | Promise<boolean>,
  ): AsyncGenerator<P, void, undefined> {
    let waiting = places;
    while (waiting.length > 0) {
      const there: P[] = [];
      await this.until(`${what} (${waiting.join(', ')})`, async () => {
        for (const place of waiting) if (await holds(place)) there.push(place);
        return there.length > 0;
      });
      yield* there;
      waiting = waiting.filter((place) => !there.includes(place));
    }
  }
}
