/**
 * Objects of one name from different planes, namespaces or API groups overwrite each other, and deleting one takes the other along.
 * Source: karmada-io/karmada#2099, #358, #2071.
 * Cause:  names of copies, cache keys and queue keys were built from less than the whole identity.
 * Guard:  a copy's name, the caches and the queue go by plane, group, kind, namespace and name.
 */
import { ConfigMap, defineKind, type KubeObject, objectMetaSchema } from '@lifeline/core';
import { defineController, self, watch } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { appWith, type Planes } from './test-app.ts';
import { configMap, minutes, seconds, World } from './world.ts';

it('C13: copies of namesakes live beside each other, and go one by one', async () => {
  await using world = new World({ sources: ['org-a', 'org-b'] });
  const [first, second] = [world.source('org-a'), world.source('org-b')];
  first.put(ConfigMap, configMap('web', { of: 'org-a default' }));
  first.put(ConfigMap, configMap('web', { of: 'org-a other' }, { namespace: 'other' }));
  second.put(ConfigMap, configMap('web', { of: 'org-b default' }));
  world.start();
  await world.after(seconds(30));
  const all = {
    'org-a default/web': { of: 'org-a default' },
    'org-a other/web': { of: 'org-a other' },
    'org-b default/web': { of: 'org-b default' },
  };
  expect(world.copies()).toEqual(all);

  const kept = world.target.objects(ConfigMap).find(({ data }) => data?.of === 'org-b default');
  first.put(ConfigMap, {
    ...configMap('web'),
    metadata: { name: 'web', namespace: 'default', labels: {}, finalizers: held },
  });
  await world.after(seconds(10));
  expect(Object.keys(world.copies())).toEqual(expect.arrayContaining(['org-a other/web', 'org-b default/web']));
  expect(Object.keys(world.copies())).toHaveLength(2);
  expect(world.target.objects(ConfigMap)).toContainEqual(kept);
  expect(world.writes(({ method }) => method === 'DELETE')).toHaveLength(1);
  expect(world.differences()).toEqual([]);
});

const held = ['example.lifeline.dev/mirror'];

interface Route extends KubeObject {
  spec: { host: string };
}

/** Two kinds that share all but their group. */
const route = (group: string): ReturnType<typeof defineKind<Route>> =>
  defineKind<Route>({
    group,
    version: 'v1',
    kind: 'Route',
    plural: 'routes',
    scope: 'Namespaced',
    statusSubresource: false,
    schema: z.looseObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: objectMetaSchema,
      spec: z.looseObject({ host: z.string() }),
    }),
  });

it('C13: namesakes of two API groups have caches of their own', async () => {
  const kinds = [route('one.dev'), route('two.dev')];
  const hosts = new Map<string, string | undefined>();
  const reader = (group: string, { sources }: Planes) => {
    const kind = kinds.find((known) => known.group === group) as (typeof kinds)[number];
    return defineController({
      name: `reader-${group.replace('.', '-')}`,
      watches: [watch(sources, kind, { mapper: self })],
      writes: [],
      reconcile: async ({ cluster: name, key }, { cluster }) => {
        hosts.set(`${group} ${key}`, cluster(sources, name).store(kind).get(key)?.spec.host);
        return {};
      },
    });
  };
  const app = appWith((planes) => kinds.map(({ group }) => reader(group, planes)));
  await using world = new World({ app, kinds });
  for (const kind of kinds) {
    world.source().put(kind, { metadata: { name: 'web', namespace: 'default' }, spec: { host: kind.group } });
  }
  world.start();
  await world.after(minutes(1));
  expect(Object.fromEntries(hosts)).toEqual({ 'one.dev default/web': 'one.dev', 'two.dev default/web': 'two.dev' });
  world.source().remove(kinds[0] as (typeof kinds)[number], { name: 'web', namespace: 'default' });
  await world.after(seconds(1));
  expect(Object.fromEntries(hosts)).toEqual({ 'one.dev default/web': undefined, 'two.dev default/web': 'two.dev' });
});
