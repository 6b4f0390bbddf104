/** Every kind of the default table once, by the app as it is in production: what travels down, and what comes back up. */
import {
  annotations,
  Backend,
  BackendTLSPolicy,
  BackendTrafficPolicy,
  canonicalJson,
  ConfigMap,
  Connector,
  Gateway,
  HTTPProxy,
  HTTPRoute,
  HTTPRouteFilter,
  type JsonObject,
  type Kind,
  type KubeObject,
  labels,
  NetworkContext,
  Secret,
  SecurityPolicy,
  Subnet,
  TrafficProtectionPolicy,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { condition, proxySpec } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

type Flow = 'up' | 'mirror' | 'none';
interface Row {
  readonly kind: Kind;
  readonly content: object;
  readonly flow: Flow;
  readonly carries?: readonly string[];
  readonly isOff?: boolean;
}

const target = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
const policy = { spec: { targetRefs: [target] } };
const tls = {
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 's' }],
    validation: { wellKnownCACertificates: 'System', hostname: 'app.internal' },
  },
};
const place = { location: { name: 'lax', namespace: 'default' } };
const rules = [{ backendRefs: [{ name: 's', port: 80 }] }];
const placed = [labels.location, labels.network];

const table: readonly Row[] = [
  { kind: ConfigMap, content: { data: { a: 'b' } }, flow: 'none' },
  { kind: Secret, content: { data: { a: 'Yg==' }, type: 'Opaque' }, flow: 'none' },
  { kind: Backend, content: { spec: { endpoints: [{ ip: { address: '192.0.2.1', port: 80 } }] } }, flow: 'up' },
  { kind: BackendTrafficPolicy, content: policy, flow: 'up' },
  { kind: SecurityPolicy, content: policy, flow: 'up' },
  { kind: HTTPRouteFilter, content: { spec: { urlRewrite: {} } }, flow: 'up' },
  { kind: BackendTLSPolicy, content: tls, flow: 'up' },
  { kind: TrafficProtectionPolicy, content: { spec: { targetRefs: [target] } }, flow: 'none' },
  { kind: HTTPProxy, content: { spec: proxySpec() }, flow: 'none' },
  { kind: Connector, content: { spec: { connectorClassName: 'tunnels' } }, flow: 'mirror' },
  { kind: NetworkContext, content: { spec: { network: { name: 'n' }, ...place } }, flow: 'none', carries: placed },
  {
    kind: Subnet,
    content: {
      spec: {
        subnetClass: 'private',
        networkContext: { name: 'n' },
        ...place,
        ipFamily: 'IPv4',
        startAddress: '10.0.0.0',
        prefixLength: 20,
      },
    },
    flow: 'none',
    carries: placed,
  },
  {
    kind: Gateway,
    content: { spec: { gatewayClassName: 'c', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } },
    flow: 'up',
    isOff: true,
  },
  { kind: HTTPRoute, content: { spec: { parentRefs: [{ name: 'web' }], rules } }, flow: 'up', isOff: true },
];

const name = 'web';
const opted = { [labels.gatewaySync]: 'true', [labels.location]: 'lax', [labels.network]: 'n', private: 'yes' };
const isOpted = ({ kind }: Row): boolean => kind.id === ConfigMap.id || kind.id === Secret.id;

async function everything(): Promise<Platform> {
  const platform = await Platform.start({ projects: ['p1'] });
  for (const { kind, content } of table)
    await platform.make('p1', kind, { metadata: { namespace: 'default', name, labels: opted }, ...content });
  await platform.after(minutes(1));
  return platform;
}

const copyIn = (platform: Platform, kind: Kind): KubeObject | undefined => platform.copy(kind, 'p1', name);

it('each kind is copied with its content, its identity and the labels that it carries, and nothing else of its metadata', async () => {
  await using platform = await everything();
  for (const row of table) {
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
  for (const { kind } of table)
    await platform.patch(
      'p1',
      { kind, name: { namespace: 'default', name } },
      { metadata: { labels: { [labels.gatewaySync]: null } } },
    );
  await platform.after(seconds(30));
  for (const row of table.filter(({ isOff = false }) => !isOff))
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
  const statusOf = ({ kind }: Row): JsonObject => {
    if (kind.id === Backend.id || kind.id === Gateway.id)
      return { conditions: [condition('Accepted', 'True')] } as JsonObject;
    if (kind.id === HTTPRoute.id) return { parents } as JsonObject;
    return { ancestors } as JsonObject;
  };
  const up = table.filter(({ kind, flow, isOff = false }) => flow === 'up' && !isOff && kind.statusSubresource);
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
  for (const { kind, flow, isOff = false } of table) {
    if (isOff) continue;
    const text = copyIn(platform, kind)?.metadata.annotations?.[annotations.upstreamStatus];
    expect(text !== undefined, kind.id).toBe(flow === 'mirror');
  }
});
