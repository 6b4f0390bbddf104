/** What an operator sets: kinds taken out of the table, kinds that nobody knows, and the id of the installation. */
import {
  ConfigMap,
  defineKind,
  finalizers,
  HTTPProxy,
  installationConfigMap,
  type KubeObject,
  labels,
  NetworkContext,
  objectMetaSchema,
  serverRules,
  truthNamespace,
} from '@lifeline/core';
import { kindsOfRole } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { proxy, synced } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const conf = { namespace: 'default', name: 'conf' };
const here = { namespace: truthNamespace, name: installationConfigMap };

it('a kind that is taken out of the table loses its copies and its finalizers; all others stay', async () => {
  const retired = [{ group: HTTPProxy.group, kind: HTTPProxy.kind, enabled: false }];
  await using platform = await Platform.start({ projects: ['p1'], next: { kinds: retired } });
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.make('p1', ConfigMap, synced('conf', { a: 'b' }));
  await platform.after(seconds(10));
  expect(platform.copy(HTTPProxy, 'p1', 'web')).toBeDefined();

  platform.world.processes.start('r1', 1);
  await platform.after(minutes(1));
  expect(platform.copy(HTTPProxy, 'p1', 'web')).toBeUndefined();
  expect(platform.api('p1').get(HTTPProxy, { ...conf, name: 'web' })?.metadata.finalizers ?? []).toEqual([]);
  expect(platform.copy(ConfigMap, 'p1', 'conf')?.data).toEqual({ a: 'b' });
  expect(platform.api('p1').get(ConfigMap, conf)?.metadata.finalizers).toEqual([finalizers.replicator]);
});

it('a kind that nobody knows is copied by its documented defaults, with a warning at the start', async () => {
  const schema = z
    .looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema })
    .register(serverRules, { open: true });
  const Widget = defineKind<KubeObject>({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    scope: 'Namespaced',
    statusSubresource: false,
    schema: schema,
  });
  const kinds = {
    p1: [...kindsOfRole('project'), Widget],
    [hub]: [...kindsOfRole('hub'), Widget],
  };
  const settings = { kinds: [{ group: Widget.group, version: 'v1', kind: Widget.kind }] };
  await using platform = await Platform.start({ projects: ['p1'], kinds, settings });
  const warnings = platform.logs('warn');
  expect(warnings.filter((line) => line.includes('Widget.example.com'))).toHaveLength(1);
  await platform.make('p1', Widget, {
    metadata: { ...conf, labels: { a: 'b' } },
    spec: { size: 3 },
    status: { done: true },
  });
  await platform.after(seconds(10));
  const copy = platform.copy(Widget, 'p1', 'conf');
  expect(copy).toMatchObject({ spec: { size: 3 } });
  expect(copy?.metadata.labels).not.toHaveProperty('a');
  expect(copy).not.toHaveProperty('status');
});

it('carried labels come and go with the object', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  const context = { kind: NetworkContext, name: conf };
  await platform.make('p1', NetworkContext, {
    metadata: { ...conf, labels: { [labels.location]: 'lax' } },
    spec: { network: { name: 'n' }, location: { name: 'lax', namespace: 'default' } },
  });
  const carried = (): string | undefined =>
    platform.copy(NetworkContext, 'p1', 'conf')?.metadata.labels?.[labels.location];
  await platform.until('carried', () => carried() === 'lax');
  await platform.patch('p1', context, { metadata: { labels: { [labels.location]: 'fra' } } });
  await platform.until('changed', () => carried() === 'fra');
  await platform.patch('p1', context, { metadata: { labels: { [labels.location]: null } } });
  await platform.until('gone', () => carried() === undefined);
});

it('the id of the installation is made once and kept; another one that is configured refuses to start', async () => {
  await using platform = await Platform.start({ projects: ['p1'], next: { installation: 'other' } });
  const id = platform.api(hub).get(ConfigMap, here)?.data;
  expect(id).toBeDefined();
  await platform.make('p1', ConfigMap, synced('conf', { a: '1' }));
  await platform.after(seconds(10));
  expect(platform.copy(ConfigMap, 'p1', 'conf')?.metadata.labels?.[labels.installation]).toBe(id?.['id']);

  platform.world.processes.start('r1', 1);
  const before = platform.mark;
  await platform.patch('p1', { kind: ConfigMap, name: conf }, { data: { a: '2' } });
  await platform.after(minutes(1));
  expect(platform.writes(before)).toEqual([]);
  expect(platform.api(hub).get(ConfigMap, here)?.data).toEqual(id);
  expect(platform.world.trace.tail(400)).toContain('take the setting away');

  platform.world.processes.start('r1', 0);
  await platform.after(minutes(1));
  expect(platform.copy(ConfigMap, 'p1', 'conf')?.data).toEqual({ a: '2' });
});
