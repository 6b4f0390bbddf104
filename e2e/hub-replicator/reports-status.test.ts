/** Public reports about statuses that are carried: how big they are, their digits, their order, and who may write them. */
import {
  annotations,
  BackendTrafficPolicy,
  canonicalJson,
  Connector,
  findCondition,
  HTTPRoute,
  KubeEvent,
  type KubeObject,
  NetworkContext,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { condition } from './objects.ts';
import { hub, minutes, Platform, seconds, statusText, type Target } from './world.ts';

const conn = { kind: Connector, name: { namespace: 'default', name: 'conn-a' } } as const;
const { upstreamStatus, upstreamStatusTruncated } = annotations;
const limit = 262_144;
const karmadasShare = 16 * 1_024;

const bytesOf = (marks: Readonly<Record<string, string>> | null | undefined): number =>
  Object.entries(marks ?? {}).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);

it('C01: a status of 290 kB stops neither the spec nor a flip, nobody tries again and again, and the whole comes back', async () => {
  await using platform = await Platform.start({ projects: ['p1'], edges: ['e1'] });
  await platform.connector('p1', 'conn-a');
  const agent = platform.agent('p1', 'conn-a').start();
  await platform.until('online at the edge', () => platform.liveness('p1', 'conn-a', 'e1').state === 'online');
  const copy = (plane: string = hub): Connector | undefined =>
    platform.copy(Connector, 'p1', { name: 'conn-a', plane });
  const inCopy = { kind: Connector, name: { namespace: platform.mapped('p1'), name: 'conn-a' } };
  await platform.patch(hub, inCopy, { metadata: { annotations: { 'example.com/note': 'n'.repeat(20_000) } } });
  const conditions = Array.from({ length: 900 }, (_, index) =>
    condition(`C${index}`, 'True', { message: 'm'.repeat(300) }),
  );
  const mark = platform.mark;
  await platform.status('p1', conn, { capabilities: [{ type: 'ConnectTCP', conditions }] });
  expect(stringifyJson(platform.api('p1').get(Connector, conn.name)?.status).length).toBeGreaterThan(290_000);
  await platform.until('reduced', () => copy()?.metadata.annotations?.[upstreamStatusTruncated] === 'true');
  expect(bytesOf(copy()?.metadata.annotations)).toBeLessThanOrEqual(limit - karmadasShare);
  expect(platform.liveness('p1', 'conn-a').state).toBe('online');
  expect(await platform.world.processes.process('r1').metrics.text()).toContain('lifeline_mirror_truncated 1');
  const told = platform.api('p1').objects(KubeEvent);
  expect(told.map(({ reason, type }) => [reason, type])).toContainEqual(['StatusTruncated', 'Warning']);

  // Ready turns False, and the spec changes in the same moment.
  agent.stop();
  await platform.until('not ready', () => platform.ready('p1', 'conn-a')?.status === 'False');
  await platform.patch('p1', conn, { spec: { capabilities: [{ type: 'ConnectTCP' }] } });
  await platform.after(seconds(10));
  for (const plane of [hub, 'e1']) {
    expect(platform.liveness('p1', 'conn-a', plane), plane).toEqual({ state: 'offline', reason: 'NotReady' });
    expect(copy(plane)?.spec['capabilities'], plane).toEqual([{ type: 'ConnectTCP' }]);
  }
  expect(platform.writes(mark).filter(({ plane }) => plane === hub).length).toBeLessThanOrEqual(4);
  const quiet = platform.mark;
  await platform.after(minutes(2));
  expect(platform.writes(quiet)).toEqual([]);

  await platform.status('p1', conn, { capabilities: [{ type: 'ConnectTCP', conditions: conditions.slice(0, 2) }] });
  await platform.after(minutes(1));
  for (const plane of [hub, 'e1']) {
    expect(copy(plane)?.metadata.annotations, plane).not.toHaveProperty([upstreamStatusTruncated]);
    expect(statusText(copy(plane))).toBe(canonicalJson(platform.api('p1').get(Connector, conn.name)?.status));
  }
});

it('C03: every digit arrives as it was written, and a change of the nineteenth is a change', async () => {
  const kinds = [{ group: NetworkContext.group, kind: NetworkContext.kind, mirrorStatusToAnnotation: true }];
  await using platform = await Platform.start({ projects: ['p1'], settings: { kinds } });
  const numbers = (last: number): string =>
    `{"big":1e21,"bytesIn":922337203685477580${last},"neg":-0,"observedGeneration":9007199254740993,"ratio":1.0}`;
  const target = { kind: NetworkContext, name: { namespace: 'default', name: 'n' } };
  const spec = { network: { name: 'n' }, counters: parseJson(numbers(7)) };
  await platform.make('p1', NetworkContext, { metadata: target.name, spec });
  await platform.status('p1', target, { conditions: null, counters: parseJson(numbers(7)) });
  await platform.after(minutes(1));
  const copy = (): NetworkContext | undefined => platform.copy(NetworkContext, 'p1', 'n');
  const upstream = (): string => canonicalJson(platform.api('p1').get(NetworkContext, target.name)?.status);
  // An integer of a plane has at most 63 bits: whatever its digits, none of them becomes an exponent.
  for (const digits of [':9223372036854775807', ':9007199254740993']) expect(upstream()).toContain(digits);
  expect(statusText(copy())).toBe(upstream());
  expect(stringifyJson(copy()?.spec)).toBe(stringifyJson(platform.api('p1').get(NetworkContext, target.name)?.spec));
  const marks = copy()?.metadata.annotations;

  await platform.status('p1', target, { counters: parseJson(numbers(6)) });
  await platform.after(minutes(1));
  expect(statusText(copy())).toBe(marks?.[upstreamStatus]?.replace('9223372036854775807', '9223372036854775806'));
  const quiet = platform.mark;
  await platform.after(minutes(2));
  expect(platform.writes(quiet)).toEqual([]);
});

/** What a watch says that cannot go on. */
const expired = new TextEncoder().encode(
  `${stringifyJson({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 } })}\n`,
);

/** The same value with the keys of every object in the opposite order. */
const turned = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(turned) as T;
  if (typeof value !== 'object' || value === null || 'text' in value) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)]),
  ) as T;
};

it('C04: a relist in another order writes nothing, and equal content is equal bytes after a restart and on another replica', async () => {
  const kinds = [{ group: NetworkContext.group, kind: NetworkContext.kind, mirrorStatusToAnnotation: true }];
  await using platform = await Platform.start({ projects: ['p1'], replicas: ['r1', 'r2'], settings: { kinds } });
  await platform.connector('p1', 'conn-a');
  const target = { kind: NetworkContext, name: { namespace: 'default', name: 'n' } };
  const ports = { 8080: 'alt', 443: 'tls', 80: 'plain', zone: 'b', area: 'a' };
  await platform.make('p1', NetworkContext, { metadata: target.name, spec: { network: { name: 'n' }, ports } });
  await platform.status('p1', target, { ports });
  await platform.after(minutes(1));
  const copies = (): readonly unknown[] => [
    platform.copy(Connector, 'p1', 'conn-a'),
    platform.copy(NetworkContext, 'p1', 'n'),
  ];
  const before = copies();
  expect(statusText(platform.copy(NetworkContext, 'p1', 'n'))).toBe(
    '{"ports":{"443":"tls","80":"plain","8080":"alt","area":"a","zone":"b"}}',
  );
  const mark = platform.mark;
  let relists = 0;
  using _order = platform.world.deliveries.put(({ delta, plane }, deliver) => {
    if (delta.type === 'replaced' && plane === 'p1') relists++;
    deliver(turned(delta));
  });
  for (const plane of ['p1', hub]) for (const watch of platform.world.wires.watches({ plane })) watch.end(expired);
  await platform.after(minutes(2));
  expect(relists).toBeGreaterThan(0);
  expect(platform.writes(mark)).toEqual([]);
  // Whoever looks after the project, it writes the same.
  platform.world.processes.kill('r1');
  await platform.after(minutes(1));
  platform.world.processes.start('r1');
  platform.world.processes.kill('r2');
  await platform.after(minutes(2));
  expect(platform.writes(mark)).toEqual([]);
  expect(copies()).toEqual(before);
});

it('C07: an empty aggregate makes what was known Unknown, once; a hub status goes nowhere where upstream is the authority', async () => {
  const kinds = [{ group: HTTPRoute.group, kind: HTTPRoute.kind, statusTransform: 'route' }];
  await using platform = await Platform.start({ projects: ['p1'], settings: { kinds } });
  const route = { kind: HTTPRoute, name: { namespace: 'default', name: 'http-route-a' } };
  const parent = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
  await platform.make('p1', HTTPRoute, {
    metadata: route.name,
    spec: { parentRefs: [parent], hostnames: ['a.example'] },
  });
  await platform.connector('p1', 'conn-a');
  await platform.after(minutes(1));
  const mapped = platform.mapped('p1');
  const onHub = { kind: HTTPRoute, name: { namespace: mapped, name: 'http-route-a' } };
  const parents = [
    { parentRef: parent, controllerName: 'example.com/edge', conditions: [condition('Accepted', 'True')] },
  ];
  await platform.status(hub, onHub, { parents });
  const accepted = (): unknown =>
    findCondition(platform.api('p1').get(HTTPRoute, route.name)?.status?.parents?.[0]?.conditions, 'Accepted');
  await platform.until('accepted', () => JSON.stringify(accepted())?.includes('"True"'));

  const mark = platform.mark;
  await platform.status(hub, onHub, null);
  await platform.status(hub, { kind: Connector, name: { ...onHub.name, name: 'conn-a' } }, { leaseRef: { name: 'x' } });
  await platform.after(minutes(3));
  expect(accepted()).toMatchObject({ status: 'Unknown', reason: 'DownstreamStatusMissing' });
  expect(platform.api('p1').get(Connector, conn.name)?.status?.leaseRef).toEqual({ name: 'conn-a' });
  expect(platform.writes(mark)).toMatchObject([{ plane: 'p1', kind: 'HTTPRoute' }]);
  const subresources = platform.world.audit.writes.filter(
    ({ plane, by }) => plane === hub && by?.actor === 'r1' && by.request.url.includes('/status'),
  );
  expect(subresources).toEqual([]);

  await platform.status(hub, onHub, { parents });
  await platform.until('accepted again', () => JSON.stringify(accepted())?.includes('"True"'));
});

// Planes refuse a time that is null; of conditions that were stored before, status-up.test.ts tells.
it('C09: times in any format, or none, are no reason to write: a hundred passes, no write', async () => {
  const kinds = [{ group: NetworkContext.group, kind: NetworkContext.kind, mirrorStatusToAnnotation: true }];
  await using platform = await Platform.start({ projects: ['p1'], settings: { kinds } });
  await platform.connector('p1', 'conn-a');
  using _agent = platform.agent('p1', 'conn-a').start();
  const policy = { kind: BackendTrafficPolicy, name: { namespace: 'default', name: 'policy' } };
  const context = { kind: NetworkContext, name: { namespace: 'default', name: 'n' } };
  const targetRef = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
  await platform.make('p1', BackendTrafficPolicy, { metadata: policy.name, spec: { targetRefs: [targetRef] } });
  await platform.make('p1', NetworkContext, { metadata: context.name, spec: { network: { name: 'n' } } });
  await platform.after(minutes(1));
  const times = ['05Z', '05.000Z', '05.123456Z', '05+02:00'].map((rest) => `2026-01-01T00:00:${rest}`);
  const odd = times.map((lastTransitionTime, index) => condition(`C${index}`, 'True', { lastTransitionTime }));
  const known = platform.api('p1').get(Connector, conn.name)?.status?.conditions ?? [];
  await platform.status('p1', conn, { conditions: [...known, ...odd] });
  await platform.status('p1', context, { conditions: odd });
  const namespace = platform.mapped('p1');
  const onHub = <T extends KubeObject>({ kind, name: { name } }: Target<T>): Target<T> => ({
    kind,
    name: { namespace, name },
  });
  const ancestor = { ancestorRef: { ...targetRef, namespace }, controllerName: 'x', conditions: odd };
  await platform.status(hub, onHub(policy), { ancestors: [ancestor] });
  await platform.after(minutes(2));
  // The text is as it was written.
  for (const time of times) expect(statusText(platform.copy(Connector, 'p1', 'conn-a'))).toContain(`"${time}"`);
  expect(platform.api('p1').get(BackendTrafficPolicy, policy.name)?.status?.ancestors).toHaveLength(1);

  const mark = platform.mark;
  for (let pass = 0; pass < 100; pass++) {
    const touched = { metadata: { annotations: { 'example.com/touched': `${pass}` } } };
    for (const target of [conn, policy, context] as readonly Target<KubeObject>[]) {
      await platform.patch('p1', target, touched);
      await platform.patch(hub, onHub(target), touched);
    }
    await platform.after(200);
  }
  expect(platform.writes(mark)).toEqual([]);
  await platform.status('p1', conn, { connectionDetails: null });
  await platform.after(seconds(10));
  expect(platform.liveness('p1', 'conn-a')).toEqual({ state: 'offline', reason: 'UnusableConnectionDetails' });
  expect(platform.writes(mark)).toMatchObject([{ plane: hub, kind: 'Connector' }]);
});
