/**
 * One handler changes an object of the cache in place; another one, which reads it later, sees what was never stored and does not write.
 * Source: datum-cloud/network-services-operator PR #249 (issue #246).
 * Cause:  readers got the cached object itself, and nothing kept them from changing it.
 * Guard:  tests and simulations run on deeply frozen caches, so that the change throws where it is made; the types say read-only.
 */
import { ConfigMap, parseKey } from '@lifeline/core';
import { type Controller, defineController, self, watch } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { appWith, mirrored, type Planes } from './test-app.ts';
import { configMap, seconds, World } from './world.ts';

const note = 'example.dev/note';

const controller = (name: string, planes: Planes, reconcile: Controller['reconcile']): Controller =>
  defineController({
    name,
    watches: [watch(planes.sources, ConfigMap, { ...mirrored(planes), mapper: self })],
    writes: [
      { plane: 'source', kind: ConfigMap, verbs: ['patch'], fields: [`metadata.annotations["${note}"]`], owner: name },
    ],
    reconcile,
  });

/** A bug: it writes into what it read. */
const careless = (planes: Planes): Controller =>
  controller('careless', planes, async ({ cluster: name, key }, { cluster }) => {
    const { metadata } = cluster(planes.sources, name).store(ConfigMap).get(key) as ConfigMap;
    if (metadata.annotations) metadata.annotations[note] = 'wanted';
    else metadata.annotations = { [note]: 'wanted' };
    return {};
  });

const careful = (planes: Planes): Controller =>
  controller('careful', planes, async ({ cluster: name, key }, { cluster, signal }) => {
    const source = cluster(planes.sources, name);
    if (source.store(ConfigMap).get(key)?.metadata.annotations?.[note] === 'wanted') return {};
    const body = { metadata: { annotations: { [note]: 'wanted' } } };
    await source.write(
      { verb: 'patch', kind: ConfigMap, name: parseKey(key), patch: { type: 'merge', body } },
      { signal },
    );
    return {};
  });

it.each([
  { name: 'no annotations', annotations: undefined },
  { name: 'annotations', annotations: { 'example.dev/other': 'x' } },
])('C44: a handler that changes a cached object with $name hides nothing from another', async ({ annotations }) => {
  await using world = new World({ app: appWith((planes) => [careless(planes), careful(planes)]) });
  world.source().put(ConfigMap, configMap('web', { v: '1' }, annotations ? { annotations } : {}));
  world.start();
  await world.after(seconds(30));
  const stored = world.source().get(ConfigMap, { namespace: 'default', name: 'web' });
  expect(stored?.metadata.annotations).toEqual({ ...annotations, [note]: 'wanted' });
  expect(world.writes()).toHaveLength(1);
  expect(
    world.sim.logLines.filter((line) => line.includes('reconcile threw') && line.includes('careless')),
  ).not.toEqual([]);
});
