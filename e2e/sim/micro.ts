/** The micro world: one controller, a source or two, a target, a handful of objects. */
import { ConfigMap, type DurationMs, type JsonObject, type Random } from '@lifeline/core';
import { mirror } from '@lifeline/example-mirror';
import type { ClusterProvider } from '@lifeline/k8s';
import { kubeconfig } from '@lifeline/k8s/testing';
import { type FaultId, launch, type Pace, type Scenario, type Setting, urlOf } from '@lifeline/sim';
import { microApp, type MicroConfig, sourceKubeconfig } from './micro-app.ts';
import { copies, mirrorSubject, target } from './mirror-subject.ts';
import { drawActs, mirrorActs, objectIn, prepare } from './mirror-users.ts';

interface Shape {
  readonly sources: readonly string[];
  readonly replicas: readonly string[];
  readonly objects: number;
  readonly acts: number;
  readonly stormMs: number;
  readonly latencyMs: readonly [number, number];
  /** Of each version. */
  readonly knobs: readonly [MicroConfig, MicroConfig];
}

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

const knobs = (random: Random, elects: boolean): MicroConfig => ({
  elects,
  floorMs: pick(random, [30_000, 60_000]),
  workers: pick(random, [1, 2, 4]),
  deadlineMs: pick(random, [20_000, 60_000]),
  leaseMs: pick(random, [15_000, 30_000]),
});

function shape(random: Random): Shape {
  const replicas = random.int(3) === 0 ? ['a', 'b'] : ['a'];
  return {
    replicas,
    sources: random.int(4) === 0 ? ['p1', 'p2'] : ['p1'],
    objects: 2 + random.int(2),
    acts: 6 + random.int(10),
    stormMs: 30_000 + random.int(60_000),
    latencyMs: pick(random, [
      [0, 0],
      [0, 0],
      [1, 5],
      [5, 200],
    ]),
    knobs: [knobs(random, replicas.length > 1), knobs(random, replicas.length > 1)],
  };
}

function setting(drawn: JsonObject): Setting {
  const { sources, replicas, latencyMs, knobs: versions, stormMs, acts } = drawn as unknown as Shape;
  const [now, next] = versions;
  const elects = replicas.length > 1;
  return {
    world: {
      planes: [
        { name: target, role: 'hub', kinds: [] },
        ...sources.map((name) => ({ name, role: 'project' as const, kinds: [] })),
      ],
      apps: [{ replicas, versions: [launch(microApp, now), launch(microApp, next)] }],
      files: {
        // A folder that is empty does not exist, and a hidden name is no plane.
        '/sources/.keep': '',
        ...Object.fromEntries(sources.map((plane) => [sourceKubeconfig(plane), kubeconfig(urlOf(plane))])),
      },
      ...(latencyMs[1] > 0 && { latencyMs }),
    },
    subjects: [
      mirrorSubject({
        app: microApp.name,
        replicas,
        sources,
        elects,
        writes: mirrorWrites,
        floorMs: Math.min(now.floorMs, next.floorMs),
      }),
    ],
    terrain: {
      replicas,
      stormMs,
      planes: [{ name: target, role: 'hub' }, ...sources.map((name) => ({ name, role: 'project' as const }))],
      kinds: [ConfigMap.id],
      versions: 2,
      writes: acts,
    },
    prepare,
  };
}

/** The example's own table: it does not depend on where the planes are. */
const nowhere = (plane: string): ClusterProvider => ({ plane }) as ClusterProvider;
export const mirrorWrites = mirror({ sources: nowhere('source'), target: nowhere(target), namespace: copies }).writes;

/** Faults that users bring about: the twin has them too. */
const usual: ReadonlySet<FaultId> = new Set(['F18', 'F21', 'F24', 'F26']);
/** A watch that says nothing is given up after 150 s: a silent one, and one of a plane that came back from a backup. */
const silenceMs: DurationMs = 200_000;
/** A list that fails again and again is tried every 30 s in the end. */
const listsMs: DurationMs = 75_000;

function pace(drawn: JsonObject, fired: ReadonlySet<FaultId>): Pace {
  const { replicas, knobs: versions } = drawn as unknown as Shape;
  const floorMs = Math.max(...versions.map((knob) => knob.floorMs));
  const calm = fired.difference(usual).size === 0;
  return {
    // A folder of kubeconfigs is looked at every 10 s; what a server said of its kinds is believed for up to five minutes.
    boundMs: calm ? 30_000 : 1.1 * 600_000 + 10_000,
    restMs:
      fired.has('F07') || fired.has('F11')
        ? silenceMs
        : calm
          ? 5_000
          : fired.has('F12') || fired.has('F13')
            ? listsMs
            : 30_000,
    // Renewals cost more than all the rest: where there is a leader, one floor will do.
    idleMs: replicas.length > 1 ? floorMs : 3 * floorMs,
  };
}

export const micro: Scenario = {
  name: 'micro',
  file: 'e2e/sim/micro.sim.test.ts',
  shape: (random) => shape(random) as unknown as JsonObject,
  workload: (random, drawn) => {
    const { sources, objects, acts, stormMs } = drawn as unknown as Shape;
    return { stormMs, acts: drawActs(random, { sources, objects, acts, stormMs: stormMs * 0.9 }) };
  },
  setting,
  acts: mirrorActs,
  about: objectIn,
  pace,
  drawnFaults: () => ['F24'],
};
