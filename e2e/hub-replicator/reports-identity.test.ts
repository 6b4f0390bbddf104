/** Public reports about names: too long for a label, the same in two places, and one key of several connectors. */
import {
  annotations,
  ConfigMap,
  Connector,
  defineKind,
  type DurationMs,
  finalizers,
  Gateway,
  HTTPProxy,
  isLabelValue,
  type KubeObject,
  labels,
  Namespace,
  objectMetaSchema,
} from '@lifeline/core';
import { kindsOfRole } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { nodeId } from './agent.ts';
import { proxy } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const gone: DurationMs = seconds(20);

it('C11: whatever projects, namespaces and objects are called, labels are valid, tell them apart, and lead back', async () => {
  const project = `p-${'q'.repeat(70)}`;
  await using platform = await Platform.start({ projects: [project] });
  const namespace = 'n'.repeat(63);
  await platform.make(project, Namespace, { metadata: { name: namespace } });
  const names = [
    'x'.repeat(63),
    `${'x'.repeat(60)}${'y'.repeat(20)}`,
    `${'x'.repeat(60)}${'z'.repeat(20)}`,
    `${'d'.repeat(62)}-${'d'.repeat(10)}`,
    `${'d'.repeat(62)}.${'d'.repeat(10)}`,
    `${'e'.repeat(39)}-${'e'.repeat(30)}`,
  ];
  for (const name of names) await platform.make(project, HTTPProxy, proxy(name, { namespace }));
  await platform.after(seconds(30));
  const copies = (): readonly HTTPProxy[] => platform.api(hub).objects(HTTPProxy);
  expect(
    copies()
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  ).toEqual(names.toSorted());
  const keys = Object.values(labels).filter((key) => key.includes('upstream-'));
  for (const { metadata } of copies())
    for (const key of keys) {
      const label = metadata.labels?.[key];
      expect(label === undefined || isLabelValue(label), `${metadata.name} ${key}`).toBe(true);
    }
  expect(new Set(copies().map(({ metadata }) => metadata.labels?.[labels.upstreamName])).size).toBe(names.length);
  // As it always was, where it fits; else with the whole beside it.
  const marksOf = (name: string | undefined): KubeObject['metadata'] | undefined =>
    copies().find(({ metadata }) => metadata.name === name)?.metadata;
  expect(marksOf(names[0])?.labels?.[labels.upstreamName]).toBe(names[0]);
  expect(marksOf(names[0])?.annotations).not.toHaveProperty([labels.upstreamName]);
  expect(marksOf(names[1])?.annotations?.[labels.upstreamName]).toBe(names[1]);
  expect(marksOf(names[1])?.annotations?.[labels.upstreamCluster]).toBe(project);

  // The labels lead back: what goes from the hub returns, and what is deleted is found.
  const mapped = platform.mapped(project, namespace);
  for (const name of names) await platform.delete(hub, HTTPProxy, { namespace: mapped, name });
  await platform.after(gone);
  expect(copies()).toHaveLength(names.length);
  await platform.delete(project, HTTPProxy, { namespace, name: names[1] ?? '' });
  await platform.after(gone);
  expect(
    copies()
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  ).toEqual(names.filter((name) => name !== names[1]).toSorted());
});

it('C11: a cluster without a name has no label rather than an invalid one', async () => {
  await using platform = await Platform.start({ single: true });
  await platform.make(hub, HTTPProxy, proxy('web'));
  await platform.after(seconds(20));
  const copy = platform.copy(HTTPProxy, hub, 'web');
  expect(copy?.metadata.labels).toMatchObject({ [labels.upstreamName]: 'web' });
  expect(copy?.metadata.labels).not.toHaveProperty([labels.upstreamCluster]);
});

/** Gateway is a kind of other groups too. */
const OtherGateway = defineKind<KubeObject & { spec: object }>({
  group: 'mesh.example',
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  scope: 'Namespaced',
  statusSubresource: false,
  schema: z.looseObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: objectMetaSchema,
    spec: z.looseObject({}),
  }),
});

it('C13: namesakes of two projects, and of two API groups, have copies of their own, and go one by one', async () => {
  const groups = [Gateway.group, OtherGateway.group];
  const kinds = {
    p1: [...kindsOfRole('project'), OtherGateway],
    p2: [...kindsOfRole('project'), OtherGateway],
    hub: [...kindsOfRole('hub'), OtherGateway],
  };
  const settings = { kinds: groups.map((group) => ({ group, kind: 'Gateway' })) };
  await using platform = await Platform.start({ kinds, settings });
  const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
  for (const project of platform.projects) {
    const hostname = `${project}.example`;
    await platform.make(project, HTTPProxy, proxy('web', { hostname }));
    const metadata = { namespace: 'default', name: 'web' };
    await platform.make(project, Gateway, { metadata, spec: { gatewayClassName: project, listeners } });
    await platform.make(project, OtherGateway, { metadata, spec: { of: project } });
  }
  await platform.after(seconds(30));
  const web = { namespace: 'default', name: 'web' };
  const all = [HTTPProxy, Gateway, OtherGateway];
  const shown = (): readonly unknown[] =>
    platform.projects.flatMap((project) =>
      all.map(
        (kind) => (platform.copy<KubeObject & { spec?: unknown }>(kind, project, 'web') as { spec?: unknown })?.spec,
      ),
    );
  const upstream = platform.projects.flatMap((project) =>
    all.map((kind) => (platform.api(project).get<KubeObject>(kind, web) as { spec?: unknown } | undefined)?.spec),
  );
  expect(shown()).toEqual(upstream);
  expect(platform.mapped('p1')).not.toBe(platform.mapped('p2'));

  const others = (): readonly unknown[] => [
    platform.copy(HTTPProxy, 'p2', 'web'),
    platform.copy(Gateway, 'p1', 'web'),
    platform.copy(OtherGateway, 'p2', 'web'),
  ];
  const before = others();
  await platform.delete('p1', HTTPProxy, web);
  await platform.delete('p2', Gateway, web);
  await platform.delete('p1', OtherGateway, web);
  await platform.after(gone);
  expect(platform.copy(HTTPProxy, 'p1', 'web')).toBeUndefined();
  expect(platform.copy(Gateway, 'p2', 'web')).toBeUndefined();
  expect(platform.copy(OtherGateway, 'p1', 'web')).toBeUndefined();
  expect(others()).toEqual(before);
});

it('C15: of two connectors with one key, what becomes of the one is nothing to the other', async () => {
  await using platform = await Platform.start();
  const agents = [];
  for (const [project, name] of [
    ['p1', 'conn-a'],
    ['p2', 'conn-b'],
  ] as const) {
    await platform.connector(project, name);
    agents.push(platform.agent(project, name, { nodeId }).start());
  }
  await platform.until('both online', () =>
    [platform.liveness('p1', 'conn-a'), platform.liveness('p2', 'conn-b')].every(
      (liveness) => liveness.state === 'online' && liveness.nodeId === nodeId,
    ),
  );
  const other = (): unknown => platform.copy(Connector, 'p2', 'conn-b');
  const before = other();
  agents[0]?.stop();
  await platform.until('conn-a offline', () => platform.liveness('p1', 'conn-a').state === 'offline');
  expect(other()).toEqual(before);
  await platform.delete('p1', Connector, { namespace: 'default', name: 'conn-a' });
  await platform.after(minutes(1));
  expect(platform.api('p1').objects(Connector)).toEqual([]);
  expect(platform.copy(Connector, 'p1', 'conn-a')).toBeUndefined();
  expect(other()).toEqual(before);
  expect(
    platform
      .api(hub)
      .objects(ConfigMap)
      .filter(({ metadata }) => metadata.name.startsWith('anchor-')),
  ).toHaveLength(1);
  expect(platform.api('p2').get(Connector, { namespace: 'default', name: 'conn-b' })?.metadata.finalizers).toEqual([
    finalizers.replicator,
  ]);
  agents[1]?.stop();
  expect(Object.keys(platform.copy(Connector, 'p2', 'conn-b')?.metadata.annotations ?? {})).toContain(
    annotations.upstreamStatus,
  );
});
