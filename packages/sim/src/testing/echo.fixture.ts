/** The smallest app with users: what a ConfigMap says in `data.text` is said again in an annotation. */
import { ConfigMap, isDeleting, type JsonObject, keyOf, seeded } from '@lifeline/core';
import {
  type ClusterProvider,
  type Controller,
  defineApp,
  defineController,
  fleetFactory,
  runManager,
  self,
  staticSource,
  watch,
} from '@lifeline/k8s';
import { z } from 'zod';
import type { Subject } from '../oracles/subject.ts';
import type { Scenario } from '../schedule/scenario.ts';
import { urlOf } from '../world/plane.ts';
import { launch } from '../world/processes.ts';

const echo = 'echo.example.com/text';

/** What may be wrong with the app. */
export type Bug = 'none' | 'undeclared-label' | 'half-said';

const controller = (plane: ClusterProvider, bug: Bug): Controller =>
  defineController({
    name: 'echo',
    watches: [watch(plane, ConfigMap, { namespace: 'default', mapper: self })],
    writes: [
      {
        plane: 'plane',
        kind: ConfigMap,
        verbs: ['patch'],
        fields: [`metadata.annotations["${echo}"]`, 'metadata.labels'],
        owner: 'echo',
      },
    ],
    async reconcile({ cluster: name, key }, { cluster, signal }) {
      const here = cluster(plane, name);
      const object = here.store(ConfigMap).get(key);
      const text = object?.data?.['text'];
      if (!object || text === undefined || object.metadata.annotations?.[echo] === text) return {};
      const said = bug === 'half-said' && text.length > 6 ? text.slice(0, 3) : text;
      if (object.metadata.annotations?.[echo] === said) return {};
      const metadata = { annotations: { [echo]: said }, ...(bug === 'undeclared-label' && { labels: { said } }) };
      const { namespace, name: own } = object.metadata;
      const patch = { type: 'merge', body: { metadata } } as const;
      await here.write({ verb: 'patch', kind: ConfigMap, name: { namespace, name: own }, patch }, { signal });
      return {};
    },
  });

const app = (bug: Bug) =>
  defineApp<Record<string, never>>({
    name: 'echo',
    description: 'says again what was said',
    config: z.strictObject({}),
    async start(env) {
      const fleet = fleetFactory(env, 'echo');
      const plane = fleet({ plane: 'plane', source: staticSource({ p1: { endpoint: { server: urlOf('p1') } } }) });
      await runManager(env, { fleets: [plane], controllers: [controller(plane, bug)] });
    },
  });

export const echoSubject: Subject = {
  app: 'echo',
  replicas: ['a'],
  writes: controller({ plane: 'plane' } as ClusterProvider, 'none').writes.map((right) => ({
    ...right,
    fields: right.fields.filter((field) => field !== 'metadata.labels'),
  })),
  planeOf: () => 'plane',
  outputs: [
    {
      oracle: 'L1',
      want: (truth) =>
        new Map(
          truth
            .objects('p1', ConfigMap)
            .filter((object) => !isDeleting(object) && object.data?.['text'] !== undefined)
            .map((object) => [`p1 ${keyOf(object)}`, object.data?.['text']]),
        ),
      have: (truth) =>
        new Map(
          truth.objects('p1', ConfigMap).flatMap((object) => {
            const said = object.metadata.annotations?.[echo];
            return said === undefined ? [] : [[`p1 ${keyOf(object)}`, said] as const];
          }),
        ),
    },
  ],
  idle: { floorMs: 600_000, requestsPerFloor: () => 1 },
};

/** @param bug of the app */
export const echoScenario = (bug: Bug = 'none'): Scenario => ({
  name: `echo-${bug}`,
  file: 'packages/sim/src/modes/batch.test.ts',
  shape: () => ({}),
  workload: (random) => ({
    stormMs: 20_000,
    acts: Array.from({ length: 4 }, (_, index) => ({
      act: 'say',
      at: random.int(18_000),
      args: { name: `o${random.int(2)}`, text: `${index}`.repeat(1 + random.int(8)) },
    })),
  }),
  setting: () => ({
    world: {
      planes: [{ name: 'p1', role: 'project', kinds: [] }],
      apps: [{ replicas: ['a'], versions: [launch(app(bug), {})] }],
    },
    subjects: [echoSubject],
    terrain: {
      replicas: ['a'],
      planes: [{ name: 'p1', role: 'project' }],
      kinds: [ConfigMap.id],
      versions: 1,
      writes: 4,
      stormMs: 20_000,
    },
  }),
  acts: {
    say: async (world, args) => {
      const { name, text } = args as JsonObject & { name: string; text: string };
      const found = world.plane('p1').api.get(ConfigMap, { namespace: 'default', name });
      if (found)
        await world
          .hands()
          .patch('p1', { kind: ConfigMap, name: found.metadata }, { type: 'merge', body: { data: { text } } });
      else await world.hands().create('p1', ConfigMap, { metadata: { namespace: 'default', name }, data: { text } });
    },
  },
  pace: () => ({ boundMs: 700_000, restMs: 200_000, idleMs: 600_000 }),
});

/** A random source that no test shares. */
export const drawing = (name: string): ReturnType<typeof seeded> => seeded(`sim test ${name}`);
