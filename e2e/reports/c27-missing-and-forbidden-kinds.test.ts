/**
 * One API that is missing or forbidden in one plane stops the controller there, or all of that plane's informers, in a loop of 5 s.
 * Source: datum-cloud/network-services-operator PR #301, #197, #324; karmada-io/karmada#4927, #6598.
 * Cause:  a plane was ready when all of its caches were, so that one kind held up the rest; a 404 was read as "there are no objects".
 * Guard:  readiness by kind; a kind that is missing or forbidden is asked for slowly, and is unknown, not empty.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap, defineKind, type Kind, type KubeObject, Lease, objectMetaSchema } from '@lifeline/core';
import { type ClusterTarget, type Controller, defineController, self, staticSource, watch } from '@lifeline/k8s';
import { Refusal, Simulation } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { appWith, type Planes } from './test-app.ts';
import { minutes, seconds, World } from './world.ts';

/** We speak its older version. */
const Gadget = defineKind<KubeObject>({
  group: 'example.dev',
  version: 'v1beta1',
  versions: ['v1', 'v1beta1'],
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
  statusSubresource: false,
  schema: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema }),
});

/** A ConfigMap in the target for each object of a kind: it is called after the plane, and goes with the object. */
const shadows = (kind: Kind, { sources, target }: Planes): Controller =>
  defineController({
    name: `${kind.plural}-shadows`,
    watches: [watch(sources, kind, { mapper: self })],
    writes: [
      { plane: 'target', kind: ConfigMap, verbs: ['apply', 'delete'], fields: ['data'], owner: 'shadows', reads: true },
    ],
    reconcile: async ({ cluster: plane, key }, { cluster, signal }) => {
      const object = cluster(sources, plane).store(kind).get(key);
      const name = { namespace: kind.plural, name: plane };
      const to = cluster(target);
      const shadow = await to.live.find(ConfigMap, name, { signal });
      if (object && !shadow) {
        await to.write(
          { verb: 'apply', kind: ConfigMap, object: { metadata: name, data: { key } }, force: true },
          { signal },
        );
      }
      if (!object && shadow) {
        await to.write({ verb: 'delete', kind: ConfigMap, name, uid: shadow.metadata.uid ?? '' }, { signal });
      }
      return {};
    },
  });

const planes = Array.from({ length: 300 }, (_, index) => `p${index}`);
const endpointOf = (plane: string): ClusterTarget => ({ endpoint: { server: Simulation.serverOf(plane) } });
const withoutLeases = planes.slice(0, 40);
const [forbidden, newer] = ['p40', 'p41'];
const losing = planes.slice(50, 60);

it('C27: a kind that a plane does not serve, or forbids, costs that kind alone', async () => {
  const app = appWith(
    (all) => [mirror({ ...all, namespace: 'mirrors' }), shadows(Lease, all), shadows(Gadget, all)],
    // A folder of three hundred files is polled, which takes its time.
    { source: () => staticSource(Object.fromEntries(planes.map((plane) => [plane, endpointOf(plane)]))) },
  );
  await using world = new World({ sources: planes, kinds: [Gadget], app, api: { bookmarkEveryMs: 140_000 } });
  for (const plane of planes) {
    world.edit(plane, 'conn', { v: '1' });
    world.source(plane).put(Lease, { metadata: { namespace: 'default', name: 'beat' } });
    world.source(plane).put(Gadget, { metadata: { namespace: 'default', name: 'gadget' } });
  }
  for (const plane of withoutLeases) world.source(plane).unserve(Lease);
  world.source(forbidden).refuse = ({ kind }) =>
    kind === Gadget ? new Refusal({ code: 403, reason: 'Forbidden', message: 'gadgets is forbidden' }) : undefined;
  world.source(newer).serve(Gadget, ['v1']);
  const shadowsOf = ({ plural }: Kind): string[] =>
    world.target.objects(ConfigMap).flatMap(({ metadata }) => (metadata.namespace === plural ? [metadata.name] : []));

  world.start();
  await world.after(minutes(1));
  expect(world.differences()).toEqual([]);
  expect(shadowsOf(Lease).toSorted()).toEqual(planes.filter((plane) => !withoutLeases.includes(plane)).toSorted());
  expect(shadowsOf(Gadget).toSorted()).toEqual(planes.filter((plane) => plane !== forbidden).toSorted());

  const asked = (plane: string, { group }: Kind): number =>
    world.calls.filter((call) => call.plane === plane && call.path.startsWith(`/apis/${group}/`)).length;
  await world.after(minutes(14));
  // Half a minute, then twice as long each time, five minutes at most; what is forbidden, first as if its server had only just started.
  for (const plane of withoutLeases) expect(asked(plane, Lease)).toBeLessThanOrEqual(10);
  expect(asked(forbidden, Gadget)).toBeLessThanOrEqual(15);

  for (const plane of withoutLeases) world.source(plane).serve(Lease);
  world.source(forbidden).refuse = () => undefined;
  await world.after(minutes(6));
  expect(shadowsOf(Lease)).toHaveLength(300);
  expect(shadowsOf(Gadget)).toHaveLength(300);

  world.sim.logLines.length = 0;
  const writes = world.writes().length;
  for (const plane of losing) world.source(plane).unserve(Gadget);
  await world.after(minutes(10));
  expect(shadowsOf(Gadget)).toHaveLength(300);
  expect(world.writes()).toHaveLength(writes);
  const complaints = world.sim.logLines.filter((line) => line.includes('"level":"warn"'));
  expect(complaints.filter((line) => !line.includes('unavailable'))).toEqual([]);
  expect(complaints).toHaveLength(losing.length);

  for (const plane of losing) world.edit(plane, 'conn', { v: '2' });
  await world.after(seconds(10));
  expect(world.differences()).toEqual([]);
  for (const plane of losing) world.source(plane).serve(Gadget);
  world.source('p50').remove(Gadget, { namespace: 'default', name: 'gadget' });
  await world.after(minutes(6));
  expect(shadowsOf(Gadget).toSorted()).toEqual(planes.filter((plane) => plane !== 'p50').toSorted());
});
