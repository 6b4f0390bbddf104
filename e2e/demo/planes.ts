/** The stage of the demo: five scripted planes and three replicas of the example app, in this process, on a virtual clock. */
import { ConfigMap, type DurationMs, type Kind, Lease, objectKey, type ObjectName } from '@lifeline/core';
import { app, config, copyName, type MirrorConfig } from '@lifeline/example-mirror';
import { kubeconfig, type ScriptedApi, Simulation } from '@lifeline/k8s/testing';

export const sources = ['source-1', 'source-2', 'source-3', 'source-4'] as const;
export const replicas = ['a', 'b', 'c'] as const;
export type Source = (typeof sources)[number];
export type Replica = (typeof replicas)[number];

/** A request waits this long before a plane answers it: from, to. */
export const latencyMs = [5, 25] as const;

/** The app's settings, defaults included. */
export const settings: MirrorConfig = config.parse({
  sources: { kubeconfigs: '/etc/sources' },
  target: { kubeconfig: '/etc/target.yaml' },
  leaderElection: {},
});

/** Who holds the Lease at a moment: an identity that no other process ever has. */
export type Identity = string;

export class DemoPlanes {
  readonly simulation: Simulation<MirrorConfig>;
  readonly target: ScriptedApi;

  constructor(seed: string) {
    const [least, most] = latencyMs;
    this.simulation = new Simulation({
      seed,
      planes: [...sources, 'target'],
      kinds: [ConfigMap, Lease],
      app,
      config: settings,
      files: {
        '/etc/target.yaml': kubeconfig(Simulation.serverOf('target')),
        ...Object.fromEntries(
          sources.map((name) => [`/etc/sources/${name}.yaml`, kubeconfig(Simulation.serverOf(name))]),
        ),
      },
      api: { latencyMs: (random) => least + random.int(most - least + 1) },
    });
    this.target = this.simulation.plane('target');
  }

  source(name: Source): ScriptedApi {
    return this.simulation.plane(name);
  }

  get all(): readonly ScriptedApi[] {
    return [...this.simulation.planes.values()];
  }

  /** The copy of an object of a source. */
  copyOf(source: Source, name: ObjectName): ConfigMap | undefined {
    const copy = { namespace: settings.target.namespace, name: copyName(source, objectKey(name)) };
    return this.target.get(ConfigMap, copy);
  }

  /** Undefined while nobody does. */
  leaseHolder(): Identity | undefined {
    return this.target.get(Lease, settings.leaderElection)?.spec?.holderIdentity || undefined;
  }

  /** The replicas that are certain to lead, as their own metrics say. */
  async leaders(): Promise<readonly Replica[]> {
    const leading = await Promise.all(
      replicas.map(async (name) => {
        const process = this.simulation.process(name);
        if (process.dead) return false;
        const gauge = `leader_election_master_status{name="${settings.leaderElection.name}"} 1`;
        return (await process.metrics.text()).split('\n').includes(gauge);
      }),
    );
    return replicas.filter((_, index) => leading[index]);
  }

  /** How often objects of a kind were written so far, in all planes. */
  writesOf(kind: Kind): number {
    return this.all.flatMap(({ writes }) => writes).filter((write) => write.kind.id === kind.id).length;
  }

  /** Asks a source to delete an object, as anybody would: what has finalizers is only marked. */
  async requestDeletion(source: Source, { namespace, name }: ObjectName): Promise<void> {
    const { clock } = this.simulation;
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
    const request = {
      method: 'DELETE',
      url: Simulation.serverOf(source) + path,
      headers: { 'user-agent': 'somebody' },
    };
    const { status } = await clock.run(
      this.source(source).transport(request, { signal: new AbortController().signal }),
    );
    if (status !== 200) throw new Error(`DELETE ${path} in ${source}: ${status}`);
  }

  /** Moves time from event to event until something holds, and tells how long that took. @throws Error when it does not in time */
  async until(what: string, holds: () => boolean, limitMs: DurationMs = 60_000): Promise<DurationMs> {
    const { clock } = this.simulation;
    const started = clock.monotonic();
    await clock.settle();
    while (!holds()) {
      if (clock.monotonic() - started > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
      if (!(await clock.step())) throw new Error(`nothing is left that could bring it about: ${what}`);
    }
    return clock.monotonic() - started;
  }
}

/** JSON is YAML. */
