/** Every kind of the default table once, by the app as it is in production: what travels down, and what comes back up. */
import {
  annotations,
  Backend,
  canonicalJson,
  ConfigMap,
  Gateway,
  HTTPRoute,
  type JsonObject,
  type Kind,
  type KubeObject,
  labels,
  Secret,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { type KindRow, kindTable, target } from './kind-table.ts';
import { condition } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const name = 'web';
const opted = { [labels.gatewaySync]: 'true', [labels.location]: 'lax', [labels.network]: 'n', private: 'yes' };
const isOpted = ({ kind }: KindRow): boolean => kind.id === ConfigMap.id || kind.id === Secret.id;

async function everything(): Promise<Platform> {
  const platform = await Platform.start({ projects: ['p1'] });
  for (const { kind, content } of kindTable)
    await platform.make('p1', kind, { metadata: { namespace: 'default', name, labels: opted }, ...content });
  await platform.after(minutes(1));
  return platform;
}

const copyIn = (platform: Platform, kind: Kind): KubeObject | undefined => platform.copy(kind, 'p1', name);

it('each kind is copied with its content, its identity and the labels that it carries, and nothing else of its metadata', async () => {
  await using platform = await everything();
  for (const row of kindTable) {
    const { kind, content, carries = [], isOff = false } = row;
    const copy = copyIn(platform, kind);
    if (isOff) {
      expect(copy, kind.id).toBeUndefined();
      continue;
    }
    expect(copy, kind.id).toMatchObject(content);
    const upstream = platform.api('p1').get(kind, { namespace: 'default', name });
    expect(copy?.metadata.annotations, kind.id).toMatchObject({ [annotations.upstreamUid]: upstream?.metadata.uid });
    const marks = Object.entries(copy?.metadata.labels ?? {}).filter(([key]) => Object.hasOwn(opted, key));
    expect(Object.fromEntries(marks), kind.id).toEqual(
      Object.fromEntries(carries.map((key) => [key, opted[key as keyof typeof opted]])),
    );
  }
});

it('ConfigMaps and Secrets travel only while they say so; the others whatever they say', async () => {
  await using platform = await everything();
  for (const { kind } of kindTable)
    await platform.patch(
      'p1',
      { kind, name: { namespace: 'default', name } },
      { metadata: { labels: { [labels.gatewaySync]: null } } },
    );
  await platform.after(seconds(30));
  for (const row of kindTable.filter(({ isOff = false }) => !isOff))
    expect(copyIn(platform, row.kind) === undefined, row.kind.id).toBe(isOpted(row));
});

it('status: up for what is decided downstream, down in an annotation for connectors, and nowhere for the rest', async () => {
  await using platform = await everything();
  const ancestors = [
    { ancestorRef: target, controllerName: 'theirs.example/c', conditions: [condition('Accepted', 'True')] },
  ];
  const parents = [
    { parentRef: { name: 'web' }, controllerName: 'theirs.example/c', conditions: [condition('Accepted', 'True')] },
  ];
  const statusOf = ({ kind }: KindRow): JsonObject => {
    if (kind.id === Backend.id || kind.id === Gateway.id)
      return { conditions: [condition('Accepted', 'True')] } as JsonObject;
    if (kind.id === HTTPRoute.id) return { parents } as JsonObject;
    return { ancestors } as JsonObject;
  };
  const up = kindTable.filter(({ kind, flow, isOff = false }) => flow === 'up' && !isOff && kind.statusSubresource);
  expect(up).toHaveLength(4);
  for (const row of up) {
    const copy = copyIn(platform, row.kind);
    await platform.status(hub, { kind: row.kind, name: copy?.metadata ?? { name: '' } }, statusOf(row));
  }
  await platform.after(minutes(1));
  const says = (object: KubeObject | undefined): string =>
    canonicalJson((object as { status?: unknown } | undefined)?.status ?? {});
  for (const { kind } of up)
    expect(says(platform.api('p1').get(kind, { namespace: 'default', name })), kind.id).toContain(
      '"status":"True","type":"Accepted"',
    );
  for (const { kind, flow, isOff = false } of kindTable) {
    if (isOff) continue;
    const text = copyIn(platform, kind)?.metadata.annotations?.[annotations.upstreamStatus];
    expect(text !== undefined, kind.id).toBe(flow === 'mirror');
  }
});
