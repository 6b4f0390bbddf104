/**
 * Public reports about many planes: what one of them lacks, forbids, or shows of the past, and planes that come and go. As large as reported
 * in the full tier, smaller in the default suite.
 */
import {
  BackendTLSPolicy,
  bodyOf,
  Connector,
  findCondition,
  HTTPProxy,
  type Kind,
  Lease,
  Namespace,
  Project,
  type TransportInterceptor,
} from '@lifeline/core';
import { seedsLimitMs, sized } from '@lifeline/core/testing';
import { kindsOfRole } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { reshaped } from '../reports/wires.ts';
import { proxy } from './objects.ts';
import { control, hub, minutes, Platform, seconds, settleMs, shardMs } from './world.ts';

const conn = { namespace: 'default', name: 'conn-a' };
const answer =
  (status: number): TransportInterceptor =>
  () =>
  () =>
    Promise.resolve({ status, headers: { 'content-type': 'text/plain' }, body: bodyOf(new Uint8Array()) });

const c27 = async (): Promise<void> => {
  const projects = Array.from({ length: sized(8, 300) }, (_, index) => `p${index}`);
  const withoutLeases = projects.slice(0, sized(4, 40));
  const [forbidden = '', newer = '', losing = ''] = projects.slice(withoutLeases.length);
  const newest = kindsOfRole('project').map((kind) =>
    kind.id === BackendTLSPolicy.id ? { ...kind, versions: ['v1'], version: 'v1' } : kind,
  );
  const platform = new Platform({ projects, kinds: { [newer]: newest } });
  await using _platform = platform;
  await platform.prepare();
  const spec = {
    targetRefs: [{ group: '', kind: 'Service', name: 's' }],
    validation: { wellKnownCACertificates: 'System', hostname: 'app.internal' },
  };
  for (const project of projects) {
    await platform.connector(project, conn.name);
    await platform.make(project, HTTPProxy, proxy('web'));
    await platform.make(project, BackendTLSPolicy, { metadata: { ...conn, name: 'tls' }, spec });
  }
  let asked = 0;
  const lacking = platform.world.wires.put(({ plane, request, actor }) => {
    if (actor !== 'r1') return undefined;
    if (withoutLeases.includes(plane) && request.url.includes('/coordination.k8s.io/')) {
      if (request.method === 'GET' && !request.url.includes('/leases/')) asked++;
      return answer(404);
    }
    return plane === forbidden && request.url.includes('/httpproxies') ? answer(403) : undefined;
  });
  platform.startReplicas();
  await platform.after(settleMs);
  const copied = (kind: Kind, name: string): readonly string[] =>
    projects.filter((project) => platform.copy(kind, project, name) !== undefined);
  expect(copied(Connector, conn.name)).toEqual(projects);
  expect(copied(HTTPProxy, 'web')).toEqual(projects.filter((project) => project !== forbidden));
  expect(copied(BackendTLSPolicy, 'tls')).toEqual(projects);
  for (const project of projects) {
    const { conditions } = platform.api(project).get(Connector, conn)?.status ?? {};
    expect(findCondition(conditions, 'Accepted')?.status, project).toBe('True');
    expect(platform.api(project).objects(Lease), project).toHaveLength(withoutLeases.includes(project) ? 0 : 1);
  }
  const before = asked;
  await platform.after(minutes(5));
  expect(asked - before).toBeGreaterThan(0);
  // Half a minute, then twice as long each time, five minutes at most; and once per lease period for each connector.
  expect(asked - before).toBeLessThanOrEqual(withoutLeases.length * 6);

  lacking[Symbol.dispose]();
  await platform.until(
    'all there',
    () =>
      copied(HTTPProxy, 'web').length === projects.length &&
      projects.every((project) => platform.api(project).objects(Lease).length === 1),
    minutes(6),
  );
  // A kind is taken off a plane while it is watched: nothing is concluded from that.
  const mark = platform.mark;
  using _gone = platform.world.wires.put(
    ({ request }) => (request.url.includes('/httpproxies') ? answer(404) : undefined),
    { actor: 'r1', plane: losing },
  );
  platform.api(losing).endWatches({ kind: HTTPProxy });
  await platform.after(minutes(6));
  expect(copied(HTTPProxy, 'web')).toEqual(projects);
  expect(platform.writes(mark)).toEqual([]);
  await platform.patch(losing, { kind: Connector, name: conn }, { spec: { capabilities: [{ type: 'ConnectTCP' }] } });
  await platform.after(seconds(2));
  expect(platform.copy(Connector, losing, conn.name)?.spec['capabilities']).toHaveLength(1);
};

it(
  'C27: what a plane lacks, forbids, or serves newer costs that kind alone, is asked for slowly, and is used when it is there',
  c27,
  seedsLimitMs(30_000),
);

const c28 = async (): Promise<void> => {
  await using platform = await Platform.start({ projects: ['p1'] });
  const empty = platform.api('p1').snapshot();
  await platform.connector('p1', conn.name);
  await platform.after(seconds(10));
  const process = platform.world.processes.process('r1');
  const left = async (): Promise<object> => ({
    watches: platform.world.wires.watches({ plane: 'p1' }).length,
    timers: platform.clock.pending,
    series: (await process.metrics.text()).split('\n').filter((line) => line.includes('cluster="p1"')).length,
  });
  const cycle = async (): Promise<void> => {
    for (const ready of [false, true]) {
      await platform.projectReady('p1', ready);
      await platform.after(500);
    }
    await platform.delete(control, Project, { name: 'p1' });
    await platform.after(500);
    await platform.register('p1');
    await platform.after(500);
  };
  for (let index = 0; index < 3; index++) await cycle();
  await platform.after(minutes(1));
  const baseline = await left();
  const mark = platform.mark;
  for (let index = 0; index < sized(25, 500); index++) await cycle();
  await platform.after(minutes(1));
  expect(await left()).toEqual(baseline);
  expect(platform.writes(mark)).toEqual([]);

  // While it is not ready, whatever happens.
  await platform.projectReady('p1', false);
  await platform.after(seconds(1));
  const away = platform.mark;
  const copy = { namespace: platform.mapped('p1'), name: conn.name };
  await platform.patch(hub, { kind: Connector, name: copy }, { spec: { connectorClassName: 'theirs' } });
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.after(minutes(12));
  expect(platform.writes(away)).toEqual([]);

  // It is made anew: another uid, nothing of what it held, something else in its place.
  await platform.delete(control, Project, { name: 'p1' });
  await platform.after(seconds(5));
  platform.api('p1').restore(empty);
  await platform.make('p1', HTTPProxy, proxy('other'));
  await platform.register('p1');
  await platform.after(seconds(30));
  expect(platform.copy(HTTPProxy, 'p1', 'other')).toBeDefined();
  expect(platform.copy(HTTPProxy, 'p1', 'web')).toBeUndefined();
};

it(
  'C28: planes that come and go leave no watch, no timer and no series, and a plane that is not ready is let alone',
  c28,
  seedsLimitMs(30_000),
);

it('C34: a server that shows the past after a restart brings nothing back', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  await platform.connector('p1', conn.name);
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.after(seconds(20));
  const behind = platform.api('p1').replica();
  behind.freeze();
  await platform.delete('p1', Connector, conn);
  await platform.after(seconds(20));
  expect(platform.api('p1').objects(Connector)).toEqual([]);
  expect(platform.api(hub).objects(Connector)).toEqual([]);
  await platform.patch(
    'p1',
    { kind: HTTPProxy, name: { ...conn, name: 'web' } },
    { spec: { hostnames: ['new.example'] } },
  );
  await platform.after(seconds(5));

  platform.world.wires.view('r1', 'p1', behind.transport);
  platform.world.processes.start('r1');
  const mark = platform.mark;
  await platform.after(seconds(60));
  const made = platform.world.audit.writes.filter(
    ({ plane, revision: { object } }, index) => index >= mark && plane === hub && object.kind === 'Connector',
  );
  expect(made).toEqual([]);
  expect(platform.api(hub).get(Namespace, { name: platform.mapped('p1') })).toBeDefined();
  behind.thaw();
  await platform.after(seconds(60));
  expect(platform.api(hub).objects(Connector)).toEqual([]);
  expect(platform.copy(HTTPProxy, 'p1', 'web')?.spec.hostnames).toEqual(['new.example']);
});

const managedFields = Array.from({ length: 20 }, () => ({
  manager: 'kubectl',
  operation: 'Update',
  fieldsV1: { 'f:data': { 'f:blob': 'x'.repeat(1_000) } },
}));

/** Twenty kilobytes of managed fields in each object that is listed or watched; told how many. */
const heavy = (sent: (count: number) => void): TransportInterceptor => {
  const opening = '"metadata":{"namespace"';
  const heavier = `"metadata":{"managedFields":${JSON.stringify(managedFields)},"namespace"`;
  return reshaped(
    (chunk) => {
      const parts = new TextDecoder().decode(chunk).split(opening);
      sent(parts.length - 1);
      return [new TextEncoder().encode(parts.join(heavier))];
    },
    () => true,
  );
};

const c30 = async (): Promise<void> => {
  const projects = Array.from({ length: sized(20, 300) }, (_, index) => `p${index}`);
  const objects = sized(300, 10_000);
  const busy = projects.slice(0, -1);
  const quiet = projects.at(-1) ?? '';
  const platform = new Platform({ projects, latencyMs: [150, 150] });
  await using _platform = platform;
  await platform.prepare();
  for (let index = 0; index < objects; index++)
    await platform.make(busy[index % busy.length] ?? quiet, HTTPProxy, proxy(`web-${index}`));
  let sent = 0;
  const interceptor = heavy((count) => (sent += count));
  using _heavy = platform.world.wires.put(({ request: { method, url }, actor, plane }) =>
    actor === 'r1' && projects.includes(plane) && method === 'GET' && /\/httpproxies\?/.test(url)
      ? interceptor
      : undefined,
  );
  platform.startReplicas();
  const held = (): boolean => platform.writes().some(({ plane }) => plane !== hub);
  await platform.until('the first finalizer is on', held);
  await platform.connector(quiet, 'conn-new');
  const there = (): boolean => platform.copy(Connector, quiet, 'conn-new') !== undefined;
  expect(await platform.until('conn-new is on the hub', there)).toBeLessThan(seconds(4));
  // It did not wait for the others.
  expect(platform.api(hub).objects(HTTPProxy).length).toBeLessThan(objects);
  await platform.until('all are there', () => platform.api(hub).objects(HTTPProxy).length === objects, minutes(30));

  expect(sent).toBeGreaterThanOrEqual(objects);

  const beats = platform.world.audit.writes.filter(
    ({ plane, by, revision: { object } }) => plane === hub && by?.actor === 'r1' && object.kind === 'Lease',
  );
  const last = new Map<string, number>();
  let latest = 0;
  for (const { at, revision } of beats) {
    const { name } = revision.object.metadata;
    latest = Math.max(latest, at - (last.get(name) ?? at));
    last.set(name, at);
  }
  expect(beats.length).toBeGreaterThan(10);
  expect(latest).toBeLessThan((2 / 3) * shardMs);
};

it(
  'C30: while thousands of objects of many planes are read at 300 ms a request, a new one is there in seconds, and no Lease is late',
  c30,
  seedsLimitMs(30_000),
);
