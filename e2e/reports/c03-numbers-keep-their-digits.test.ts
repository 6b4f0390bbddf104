/**
 * JavaScript clients change integers above 2^53 when they read an object and write it back.
 * Source: kubernetes/kubernetes#17095.
 * Cause:  JSON numbers became doubles: 9007199254740993 came back as …992, 1.0 as 1, 1e21 as 1e+21, and …807 equalled …806.
 * Guard:  a number that a double would not print back keeps its text, in every read, comparison and write.
 */
import {
  ConfigMap,
  canonicalJson,
  defineKind,
  type KubeObject,
  objectKey,
  objectMetaSchema,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { type Controller, defineController, self, watch, type Write } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { appWith, type Planes } from './test-app.ts';
import { minutes, seconds, World } from './world.ts';

interface Meter extends KubeObject {
  spec?: unknown;
  status?: unknown;
}

const Meter = defineKind<Meter>({
  group: 'example.dev',
  version: 'v1',
  kind: 'Meter',
  plural: 'meters',
  scope: 'Namespaced',
  statusSubresource: true,
  schema: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema }),
});

const textOf = 'example.dev/status';

/** Copies spec as it is, and status as the text of one annotation: what the hub replicator does to a Connector. */
const meterMirror = ({ sources, target }: Planes): Controller =>
  defineController({
    name: 'meter-mirror',
    watches: [watch(sources, Meter, { mapper: self })],
    writes: [
      {
        plane: 'target',
        kind: Meter,
        verbs: ['apply'],
        fields: ['spec', `metadata.annotations["${textOf}"]`],
        owner: 'meter',
      },
    ],
    reconcile: async ({ cluster: name, key }, { cluster, signal }) => {
      const meter = cluster(sources, name).store(Meter).get(key);
      if (!meter) return {};
      const copy: Write<Meter> = {
        verb: 'apply',
        kind: Meter,
        force: true,
        object: {
          metadata: {
            name: meter.metadata.name,
            namespace: 'mirrors',
            annotations: { [textOf]: canonicalJson(meter.status) },
          },
          spec: meter.spec,
        },
      };
      await cluster(target).write(copy, { signal });
      return {};
    },
  });

const status = (bytesIn: string): string =>
  `{"bytesIn":${bytesIn},"big":1e21,"neg":-0,"observedGeneration":9007199254740993,"ratio":1.0}`;
const canonicalStatus = (bytesIn: string): string =>
  `{"big":1e21,"bytesIn":${bytesIn},"neg":-0,"observedGeneration":9007199254740993,"ratio":1.0}`;
const spec = '{"limit":9223372036854775807,"share":0.10,"many":1e21}';

const name = { namespace: 'default', name: 'm' };
const meter = (bytesIn: string): Meter => ({
  apiVersion: 'example.dev/v1',
  kind: 'Meter',
  metadata: name,
  spec: parseJson(spec),
  status: parseJson(status(bytesIn)),
});

it('C03: every digit reaches the copy, and the smallest change is a change', async () => {
  await using world = new World({ app: appWith((planes) => [meterMirror(planes)]), kinds: [Meter] });
  world.source().put(Meter, meter('9223372036854775807'));
  world.start();
  await world.after(seconds(30));
  const copy = (): Meter | undefined => world.target.get(Meter, { namespace: 'mirrors', name: 'm' });
  expect(copy()?.metadata.annotations?.[textOf]).toBe(canonicalStatus('9223372036854775807'));
  expect(stringifyJson(copy()?.spec as never)).toBe(spec);
  expect(world.target.writes.filter(({ key }) => key === objectKey({ namespace: 'mirrors', name: 'm' }))).toHaveLength(
    1,
  );

  world.source().put(Meter, meter('9223372036854775806'));
  await world.after(seconds(1));
  expect(copy()?.metadata.annotations?.[textOf]).toBe(canonicalStatus('9223372036854775806'));
  expect(stringifyJson(copy()?.spec as never)).toBe(spec);
});

/** The example app compares what it copies before it writes: an equal number in another notation is no change, another number is. */
it('C03: the mirror itself sees a change of one digit in a text, and none where there is none', async () => {
  await using world = new World();
  const put = (text: string): void => {
    const held = world.source().get(ConfigMap, name)?.metadata;
    world.source().put(ConfigMap, {
      metadata: { ...name, labels: { 'example.lifeline.dev/mirror': 'true' }, ...held },
      data: { status: text },
    });
  };
  put(status('9223372036854775807'));
  world.start();
  await world.after(minutes(1));
  const writes = world.writes().length;
  put(status('9223372036854775807'));
  await world.after(seconds(5));
  expect(world.writes()).toHaveLength(writes);
  put(status('9223372036854775806'));
  await world.after(seconds(5));
  expect(world.copies()).toEqual({ 'p1 default/m': { status: status('9223372036854775806') } });
});
