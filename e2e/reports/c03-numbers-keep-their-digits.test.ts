/**
 * JavaScript clients change integers above 2^53 when they read an object and write it back.
 * Source: kubernetes/kubernetes#17095.
 * Cause:  JSON numbers became doubles: 9007199254740993 came back as …992, 1.0 as 1, 1e21 as 1e+21, and …807 equalled …806.
 * Guard:  a number that a double would not print back keeps its text, in every read, comparison and write.
 */
import {
  canonicalJson,
  deepEqual,
  defineKind,
  type KubeObject,
  objectMetaSchema,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { type Controller, defineController, self, watch } from '@lifeline/k8s';
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

/** Copies spec as it is, and status as the text of one annotation, where either differs: what the hub replicator does to a Connector. */
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
        reads: true,
      },
    ],
    reconcile: async ({ cluster: name, key }, { cluster, signal }) => {
      const meter = cluster(sources, name).store(Meter).get(key);
      if (!meter) return {};
      const to = cluster(target);
      const copy = await to.live.find(Meter, copyName, { signal });
      const text = canonicalJson(meter.status);
      if (deepEqual(copy?.spec, meter.spec) && copy?.metadata.annotations?.[textOf] === text) return {};
      const metadata = { ...copyName, annotations: { [textOf]: text } };
      await to.write({ verb: 'apply', kind: Meter, force: true, object: { metadata, spec: meter.spec } }, { signal });
      return {};
    },
  });

const name = { namespace: 'default', name: 'm' };
const copyName = { namespace: 'mirrors', name: 'm' };

const specText = (limit: string): string => `{"limit":${limit},"share":0.10,"many":1e21,"none":-0}`;
const statusText = (bytesIn: string): string =>
  `{"big":1e21,"bytesIn":${bytesIn},"neg":-0,"observedGeneration":9007199254740993,"ratio":1.0}`;
const meter = (last: { readonly limit: string; readonly bytesIn: string }): Meter => ({
  apiVersion: 'example.dev/v1',
  kind: 'Meter',
  metadata: name,
  spec: parseJson(specText(last.limit)),
  status: parseJson(statusText(last.bytesIn)),
});

const [most, oneLess] = ['9223372036854775807', '9223372036854775806'];

it.each([
  { name: 'a streamed', streamingLists: true },
  { name: 'a paged', streamingLists: false },
])(
  'C03: every digit reaches the copy through $name list and a watch, and the smallest change is a change',
  async (row) => {
    await using world = new World({ app: appWith((planes) => [meterMirror(planes)]), kinds: [Meter] });
    const plane = world.source();
    plane.streamingLists = row.streamingLists;
    const copied = (): { spec: string; status: string | undefined; writes: number } => {
      const copy = world.target.get(Meter, copyName);
      const writes = world.target.writes.filter(({ kind }) => kind === Meter).length;
      return { spec: stringifyJson(copy?.spec), status: copy?.metadata.annotations?.[textOf], writes };
    };
    plane.put(Meter, meter({ limit: most, bytesIn: most }));
    world.start();
    await world.after(seconds(30));
    expect(copied()).toEqual({ spec: specText(most), status: statusText(most), writes: 1 });

    // Seen by the watch.
    plane.put(Meter, meter({ limit: oneLess, bytesIn: most }));
    await world.after(seconds(1));
    expect(copied()).toEqual({ spec: specText(oneLess), status: statusText(most), writes: 2 });

    // Found by a list.
    plane.endWatches();
    plane.put(Meter, meter({ limit: oneLess, bytesIn: oneLess }));
    world.forget(plane);
    await world.after(minutes(1));
    expect(copied()).toEqual({ spec: specText(oneLess), status: statusText(oneLess), writes: 3 });
  },
);
