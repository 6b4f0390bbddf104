/** The whole landscape: three projects, a hub, two edges and a cell, Karmada in small, and the example app as it is in production. */
import { app, config } from '@lifeline/example-mirror';
import {
  ClusterPropagationPolicy,
  ConfigMap,
  type DurationMs,
  type JsonObject,
  keyOf,
  objectKey,
  type Random,
  Work,
} from '@lifeline/core';
import { kubeconfig } from '@lifeline/k8s/testing';
import {
  launch,
  type Output,
  type PlaneSpec,
  type Scenario,
  type Setting,
  type Truth,
  urlOf,
  type World,
} from '@lifeline/sim';
import { sourceKubeconfig, targetKubeconfig } from './micro-app.ts';
import { mirrorWrites } from './micro.ts';
import { copies, mirrorSubject, target } from './mirror-subject.ts';
import { drawActs, mirrorActs, objectIn, prepare } from './mirror-users.ts';

const sources = ['p1', 'p2', 'p3'];
const members = ['e1', 'e2', 'c1'];
const edges = ['e1', 'e2'];

interface Shape {
  readonly replicas: readonly string[];
  readonly objects: number;
  readonly acts: number;
  readonly stormMs: DurationMs;
  readonly leaseMs: DurationMs;
  readonly merged: boolean;
}

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

const shape = (random: Random): Shape => ({
  replicas: pick(random, [['a'], ['a', 'b'], ['a', 'b', 'c']]),
  objects: 2 + random.int(3),
  acts: 10 + random.int(20),
  stormMs: 120_000 + random.int(180_000),
  leaseMs: pick(random, [15_000, 60_000]),
  merged: random.int(2) === 0,
});

const planes: readonly PlaneSpec[] = [
  { name: target, role: 'hub' },
  ...sources.map((name) => ({ name, role: 'project' as const })),
  ...edges.map((name) => ({ name, role: 'edge' as const })),
  { name: 'c1', role: 'cell' },
];

/**
 * What the hub holds of ours is on both edges, and nothing else is, as far as Karmada knows of it: of a hub that came back from a backup the
 * Works made since are forgotten, and what they put on a member stays there until somebody cleans up. (Of a template that is deleted the Work
 * goes after the member's object.)
 */
const carried: Output = {
  oracle: 'L1',
  want: (truth) => new Map(edges.flatMap((edge) => dataOf(truth.objects(target, ConfigMap), edge))),
  have: (truth) =>
    new Map(
      edges.flatMap((edge) =>
        dataOf(
          truth.objects(edge, ConfigMap).filter((object) => isKnown(object, truth)),
          edge,
        ),
      ),
    ),
};

/** Its Work, or at least its template, is on the hub. */
const isKnown = ({ metadata }: ConfigMap, truth: Truth): boolean =>
  truth.objects(target, ConfigMap).some((template) => keyOf(template) === objectKey(metadata)) ||
  truth
    .objects(target, Work)
    .some(
      (work) =>
        work.metadata.name === metadata.annotations?.['work.karmada.io/name'] &&
        work.metadata.namespace === metadata.annotations['work.karmada.io/namespace'],
    );

const dataOf = (objects: readonly ConfigMap[], edge: string): [string, unknown][] =>
  objects
    .filter(({ metadata }) => metadata.namespace === copies)
    .map((object) => [`${target} ${keyOf(object)} on ${edge}`, object.data ?? {}]);

function setting(drawn: JsonObject): Setting {
  const { replicas, stormMs, leaseMs, acts } = drawn as unknown as Shape;
  const production = config.parse({
    sources: { kubeconfigs: '/sources' },
    target: { kubeconfig: targetKubeconfig },
    leaderElection: { durationMs: leaseMs },
  });
  const mirror = mirrorSubject({
    app: app.name,
    replicas,
    sources,
    writes: mirrorWrites,
    elects: true,
    floorMs: 600_000,
  });
  return {
    world: {
      planes,
      apps: [{ replicas, versions: [launch(app, production)] }],
      files: {
        [targetKubeconfig]: kubeconfig(urlOf(target)),
        '/sources/.keep': '',
        ...Object.fromEntries(sources.map((plane) => [sourceKubeconfig(plane), kubeconfig(urlOf(plane))])),
      },
      latencyMs: [1, 10],
      karmada: {
        hub: target,
        members,
        // Probes and discovery cost more than all the rest, and nothing here is about them.
        settings: { retryMaxMs: 10_000, probeEveryMs: 60_000, discoveryEveryMs: 300_000 },
        carries: ({ kind, group }) => group === '' && kind === 'ConfigMap',
      },
    },
    subjects: [{ ...mirror, outputs: [...(mirror.outputs ?? []), carried] }],
    terrain: {
      replicas,
      stormMs,
      planes: planes.map(({ name, role }) => ({ name, role })).filter(({ role }) => role !== 'cell' && role !== 'edge'),
      kinds: [ConfigMap.id],
      versions: 1,
      writes: acts,
    },
    prepare: ready,
  };
}

async function ready(world: World): Promise<void> {
  await prepare(world);
  await world.karmada?.start();
  await world.hands('operator').create(target, ClusterPropagationPolicy, {
    metadata: { name: 'copies' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: copies }],
      placement: { clusterAffinity: { clusterNames: [...edges] } },
    },
  });
}

export const world: Scenario = {
  name: 'world',
  file: 'e2e/sim/world.sim.test.ts',
  shape: (random) => shape(random) as unknown as JsonObject,
  workload: (random, drawn) => {
    const { objects, acts, stormMs } = drawn as unknown as Shape;
    return { stormMs, acts: drawActs(random, { sources, objects, acts, stormMs: stormMs * 0.9 }) };
  },
  setting,
  acts: mirrorActs,
  about: objectIn,
  pace: (_shape, fired) => ({
    boundMs: 1.1 * 600_000 + 10_000,
    restMs: fired.has('F07') || fired.has('F11') ? 200_000 : 75_000,
    idleMs: 600_000,
  }),
};
