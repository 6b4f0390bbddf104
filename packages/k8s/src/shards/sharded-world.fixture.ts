/** A small sharded app over scripted planes, and a judge who sees every write that reaches a project. */
import { abortable, ConfigMap, type DurationMs, Lease, type Random, type TransportInterceptor } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import { z } from 'zod';
import { defineApp } from '../app/define-app.ts';
import type { Env } from '../app/env.ts';
import { defineController } from '../controller/define-controller.ts';
import { self } from '../controller/mapper.ts';
import { watch } from '../controller/watch.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import { fleetFactory } from '../fleet/fleet-factory.ts';
import { staticSource } from '../fleet/sources/static-source.ts';
import { runManager } from '../manager/manager.ts';
import { evenFaults, withFaults } from '../testing/faults.ts';
import { Simulation } from '../testing/simulation.ts';
import { TransportError } from '../transport/transport-error.ts';
import { shardedSource } from './sharded-source.ts';
import { createShards, type Shards } from './shards.ts';

export const count = 6;
export const durationMs: DurationMs = 10_000;
export const projects = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'];
const object = { namespace: 'default', name: 'settings' };
const copyOf = (project: string): { namespace: string; name: string } => ({ namespace: 'copies', name: project });

type Cut = 'refuses' | 'hangs';

export class ShardedWorld {
  readonly simulation: Simulation<Record<string, never>>;
  /** What no replica may have done. */
  readonly offences: string[] = [];
  /** Writes that reached a project or its copy, by replica. */
  readonly writes = new Map<string, number>();
  readonly #shards = new Map<Env, { readonly shards: Shards; readonly engaged: ClusterProvider }>();
  readonly #names: readonly string[];
  readonly #cut = new Map<string, Cut>();
  readonly #weather: Random;
  #faulty = true;
  #version = 0;

  constructor(seed: number, names: readonly string[] = ['a', 'b', 'c']) {
    this.#names = names;
    this.#weather = seeded(`${seed}/faults`);
    this.simulation = new Simulation({
      seed,
      planes: ['hub', ...projects],
      kinds: [ConfigMap, Lease],
      app: this.#app(),
      config: {},
      files: {},
      api: { latencyMs: (random) => 5 + random.int(60) },
      faults: (replica, plane) => this.#between(replica, plane),
    });
  }

  /** Replicas that can act: neither killed nor gone. */
  get live(): readonly string[] {
    return this.#names.filter((name) => this.#isLive(name));
  }

  isStarted(name: string): boolean {
    return this.#isLive(name);
  }

  shardsOf(name: string): Shards | undefined {
    return this.#shards.get(this.simulation.process(name).env)?.shards;
  }

  /** The projects that a replica has engaged. */
  engagedOf(name: string): readonly string[] {
    const { engaged } = this.#shards.get(this.simulation.process(name).env) ?? {};
    return engaged?.list().map((cluster) => cluster.name) ?? [];
  }

  /** Somebody edits an object in each of some projects. */
  edit(some: readonly string[]): void {
    for (const project of some) {
      const plane = this.simulation.plane(project);
      const { metadata } = plane.get(ConfigMap, object) ?? { metadata: object };
      plane.put(ConfigMap, { metadata, data: { version: String(++this.#version) } });
    }
  }

  /** Projects whose copy, or what they say of it, is not up to date. */
  behind(): readonly string[] {
    return projects.filter((project) => {
      const source = this.simulation.plane(project).get(ConfigMap, object);
      const copy = this.simulation.plane('hub').get(ConfigMap, copyOf(project));
      const version = source?.data?.version;
      return copy?.data?.version !== version || source?.metadata.annotations?.copied !== version;
    });
  }

  cut(name: string, how: Cut | undefined): void {
    if (!how) return void this.#cut.delete(name);
    this.#cut.set(name, how);
    for (const plane of this.simulation.planes.values()) plane.endWatches({ error: new Error('connection reset') });
  }

  deleteLeases(random: Random): void {
    const hub = this.simulation.plane('hub');
    for (const { metadata } of hub.objects(Lease)) if (random.int(2) === 0) hub.remove(Lease, metadata);
  }

  calm(): void {
    this.#faulty = false;
    this.#cut.clear();
  }

  #isLive(name: string): boolean {
    try {
      return !this.simulation.process(name).dead;
    } catch {
      return false;
    }
  }

  #between(replica: string, plane: string): TransportInterceptor {
    const faults = withFaults(this.#weather, evenFaults(0.05), { clock: this.simulation.clock });
    return (next) => {
      const judged: typeof next = async (request, options) => {
        const response = await next(request, options);
        const { pathname } = new URL(request.url);
        const project = plane === 'hub' ? /\/configmaps\/(p\d+)$/.exec(pathname)?.[1] : plane;
        if (request.method !== 'GET' && project !== undefined) this.#judge(replica, project);
        return response;
      };
      const faulty = faults(judged);
      return async (request, options) => {
        switch (this.#cut.get(replica)) {
          case 'refuses':
            throw new TransportError('connect-failed', 'cut off');
          case 'hangs':
            return abortable(new Promise<never>(() => undefined), options.signal);
          case undefined:
            return (this.#faulty ? faulty : judged)(request, options);
        }
      };
    };
  }

  #judge(replica: string, project: string): void {
    this.writes.set(replica, (this.writes.get(replica) ?? 0) + 1);
    for (const other of this.live) {
      const shards = this.shardsOf(other);
      const isCertain = shards?.certain().has(shards.shardOf(project)) === true;
      if (isCertain !== (other === replica))
        this.offences.push(
          `${this.simulation.clock.monotonic()}: ${replica} wrote ${project}, ${other} ${isCertain ? 'holds' : 'does not hold'} its shard`,
        );
    }
  }

  #app(): ReturnType<typeof defineApp<Record<string, never>>> {
    return defineApp({
      name: 'sharded',
      description: 'copies one ConfigMap of each project to the hub',
      config: z.strictObject({}),
      start: async (env) => {
        const fleet = fleetFactory(env, 'sharded');
        const endpoint = (plane: string) => ({ endpoint: { server: Simulation.serverOf(plane) } });
        const hub = fleet({ plane: 'hub', source: staticSource({ hub: endpoint('hub') }) });
        const shards = createShards(env, { provider: hub, namespace: 'system', name: 'app', count, durationMs });
        const all = Object.fromEntries(projects.map((project) => [project, endpoint(project)]));
        const engaged = fleet({ plane: 'project', source: shardedSource(staticSource(all), shards) });
        this.#shards.set(env, { shards, engaged });
        await runManager(env, { fleets: [hub, engaged], controllers: [copies(hub, engaged)], shards });
      },
    });
  }
}

/** First the copy, then a note of it on the source: two writes, in two planes, for one project. */
const copies = (hub: ClusterProvider, engaged: ClusterProvider) =>
  defineController({
    name: 'copies',
    watches: [
      watch(engaged, ConfigMap, { mapper: self }),
      // Its requests reach every replica, whoever holds the project.
      watch(hub, ConfigMap, { mapper: ({ metadata }) => [{ cluster: metadata.name, key: 'default/settings' }] }),
    ],
    writes: [
      { plane: 'hub', kind: ConfigMap, verbs: ['apply'], fields: ['data'], owner: 'copies' },
      { plane: 'project', kind: ConfigMap, verbs: ['patch'], fields: ['metadata.annotations'], owner: 'copies' },
    ],
    async reconcile({ cluster: project, key }, { cluster, signal }) {
      const from = cluster(engaged, project);
      const source = from.store(ConfigMap).get(key);
      const version = source?.data?.version;
      if (version === undefined) return;
      const to = cluster(hub);
      const { namespace, name } = copyOf(project);
      if (to.store(ConfigMap).get(`${namespace}/${name}`)?.data?.version !== version) {
        const copy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: copyOf(project), data: { version } };
        await to.write({ verb: 'apply', kind: ConfigMap, object: copy, force: true }, { signal });
      }
      if (source?.metadata.annotations?.copied === version) return;
      const body = { metadata: { annotations: { copied: version } } };
      await from.write({ verb: 'patch', kind: ConfigMap, name: object, patch: { type: 'merge', body } }, { signal });
    },
  });
