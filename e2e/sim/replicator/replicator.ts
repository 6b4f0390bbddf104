/** Hub replicators as in production, one or two of them, with a project or two behind a control plane. */
import {
  Backend,
  ConnectorClass,
  installationConfigMap,
  type JsonObject,
  Project,
  type Random,
  watermarkConfigMap,
} from '@lifeline/core';
import type { FaultId, Pace, Scenario, Setting, World } from '@lifeline/sim';
import { connectorClass, control, hub, platformSpec, productionConfig } from '../../hub-replicator/world.ts';
import { installation, replicatorSubject, usedKinds } from './subject.ts';
import { drawActs, projectReady, replicatorActs, subjectOf } from './users.ts';

interface Shape {
  readonly projects: readonly string[];
  readonly replicas: readonly string[];
  readonly objects: number;
  readonly acts: number;
  readonly stormMs: number;
  readonly latencyMs: readonly [number, number];
  readonly shardMs: number;
}

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

const shape = (random: Random): Shape => ({
  projects: random.int(2) === 0 ? ['p1'] : ['p1', 'p2'],
  replicas: random.int(3) === 0 ? ['a', 'b'] : ['a'],
  objects: 1 + random.int(2),
  acts: 14 + random.int(14),
  stormMs: 60_000 + random.int(60_000),
  latencyMs: pick(random, [
    [0, 0],
    [1, 5],
    [5, 200],
  ]),
  shardMs: pick(random, [15_000, 30_000]),
});

function setting(drawn: JsonObject): Setting {
  const { projects, replicas, latencyMs, shardMs, stormMs, acts } = drawn as unknown as Shape;
  // Of a kind whose status nobody here decides: what vanishes from it has vanished.
  const kinds = [{ group: Backend.group, kind: Backend.kind, mirrorStatusToAnnotation: true }];
  const settings = { installation, kinds, shards: { count: 2, durationMs: shardMs }, statusPaceMs: 5_000 };
  const options = { projects, replicas, settings, ...(latencyMs[1] > 0 && { latencyMs }) };
  return {
    world: platformSpec(options),
    subjects: [replicatorSubject({ replicas, projects, config: productionConfig(options) })],
    terrain: {
      replicas,
      stormMs,
      planes: [
        { name: hub, role: 'hub' },
        { name: control, role: 'management' },
        ...projects.map((name) => ({ name, role: 'project' as const })),
      ],
      kinds: usedKinds.map(({ id }) => id),
      versions: 1,
      writes: 4 * acts,
    },
    prepare: (world) => prepare(world, projects),
  };
}

async function prepare(world: World, projects: readonly string[]): Promise<void> {
  const operator = world.hands('operator');
  for (const name of projects) {
    const spec = { ownerRef: { kind: 'Organization', name: 'acme' } } as const;
    await operator.create(control, Project, { metadata: { name }, spec });
    await projectReady(world, name, true);
    await operator.create(name, ConnectorClass, connectorClass as never);
  }
}

/** Faults that users bring about: the twin has them too. */
const usual: ReadonlySet<FaultId> = new Set(['F18', 'F21', 'F24', 'F26']);

function pace(_drawn: JsonObject, fired: ReadonlySet<FaultId>): Pace {
  const calm = fired.difference(usual).size === 0;
  return {
    boundMs: calm ? 120_000 : 1.1 * 600_000 + 10_000,
    // An agent that fell silent last of all is given up a lease later.
    restMs: fired.has('F07') || fired.has('F11') ? 200_000 : calm ? 45_000 : 75_000,
    idleMs: 60_000,
  };
}

/**
 * Messages tell how readiness was lost; times and counts tell of the way. A Namespace on the hub stays when the last copy leaves it:
 * whether there ever was one hangs on who looked when.
 */
const blur = (end: string): string =>
  end
    .split('\n')
    .filter((line, _index, lines) => !passing.test(line) && !isEmptyNamespace(line, lines))
    .join('\n')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)')
    .replace(/(\\?"message\\?":\\?")The [^"\\]*/g, '$1(words)')
    .replace(/(upstream-generation":|observedGeneration\\?":)"?\d+"?/g, '$1(count)');

/** The beats; and the installation id, which is made once: whoever takes it away lives with it until the next start. */
const passing = new RegExp(`/(${watermarkConfigMap}|${installationConfigMap}) `);

function isEmptyNamespace(line: string, lines: readonly string[]): boolean {
  const [, name] = /^hub Namespace (ns-\S+) /.exec(line) ?? [];
  return name !== undefined && !lines.some((other) => other.includes(` ${name}/`));
}

export const replicator: Scenario = {
  name: 'replicator',
  file: 'e2e/sim/replicator/replicator.sim.test.ts',
  shape: (random) => shape(random) as unknown as JsonObject,
  workload: (random, drawn) => {
    const { projects, objects, acts, stormMs } = drawn as unknown as Shape;
    return { stormMs, acts: drawActs(random, { projects, objects, acts, stormMs: stormMs * 0.9 }) };
  },
  setting,
  acts: replicatorActs,
  about: subjectOf,
  pace,
  blur,
};
