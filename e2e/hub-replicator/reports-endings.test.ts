/** Public reports about deletion: what is not ours, what is gone already, what cannot be reached, and finalizers. */
import {
  annotations,
  bodyOf,
  Connector,
  finalizers,
  HTTPProxy,
  type KubeObject,
  labels,
  Namespace,
  Project,
  stringifyJson,
  type TransportInterceptor,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { proxy, proxySpec } from './objects.ts';
import { control, hub, minutes, Platform, seconds } from './world.ts';

const web = { namespace: 'default', name: 'web' };
const target = { kind: HTTPProxy, name: web };

it('C19: of what stands in a Namespace of ours, only what carries our installation goes, by deletion and by sweep', async () => {
  await using platform = await Platform.start();
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.make('p1', HTTPProxy, proxy('left'));
  await platform.after(seconds(20));
  const namespace = platform.mapped('p1');
  const marks = platform.copy(HTTPProxy, 'p1', 'web')?.metadata.labels ?? {};
  const put = (name: string, more: Readonly<Record<string, string>> | undefined): Promise<HTTPProxy> =>
    platform.make(hub, HTTPProxy, { metadata: { namespace, name, labels: more }, spec: proxySpec() });
  await put('theirs', { ...marks, [labels.upstreamName]: 'theirs', [labels.installation]: 'another' });
  await put('strange', undefined);
  const names = (): readonly string[] =>
    platform
      .api(hub)
      .objects(HTTPProxy)
      .map(({ metadata }) => metadata.name)
      .toSorted();
  await platform.delete('p1', HTTPProxy, web);
  await platform.after(minutes(1));
  expect(platform.api('p1').get(HTTPProxy, web)).toBeUndefined();
  expect(names()).toEqual(['left', 'strange', 'theirs']);

  // The project goes: it is swept, and its Namespace stays for the sake of the others.
  await platform.delete(control, Project, { name: 'p1' });
  await platform.after(minutes(4));
  expect(names()).toEqual(['left', 'strange', 'theirs']);
  await platform.after(minutes(4));
  expect(names()).toEqual(['strange', 'theirs']);
  expect(platform.api(hub).get(Namespace, { name: namespace })).toBeDefined();
});

it('C21: a copy that somebody deleted in the same moment is gone: the object is let go of', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.after(seconds(20));
  const copy = { namespace: platform.mapped('p1'), name: 'web' };
  // The replicator hears of neither until both are done.
  const away = platform.world.processes.process('r1');
  away.pause();
  await platform.delete(hub, HTTPProxy, copy);
  await platform.delete('p1', HTTPProxy, web);
  away.resume();
  await platform.until('gone', () => platform.api('p1').get(HTTPProxy, web) === undefined, seconds(5));
  expect(platform.api(hub).objects(HTTPProxy)).toEqual([]);
});

// Without the hub no shard is held, and without a shard nothing is written: not even on the object, why it waits.
it('C21: while the hub cannot be reached, the object stays, and the replicator says that it is not ready; then it goes', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.after(seconds(20));
  const isReady = (): boolean => platform.world.processes.process('r1').health.readyz().ok;
  expect(isReady()).toBe(true);
  {
    using _cut = platform.world.wires.cut(hub);
    await platform.delete('p1', HTTPProxy, web);
    await platform.after(minutes(5));
    expect(platform.api('p1').get(HTTPProxy, web)?.metadata.finalizers).toEqual([finalizers.replicator]);
    expect(isReady()).toBe(false);
  }
  await platform.until('gone', () => platform.api('p1').get(HTTPProxy, web) === undefined, minutes(2));
  expect(platform.api(hub).objects(HTTPProxy)).toEqual([]);
});

it('C23: a copy that is deleted by hand comes back within seconds, once', async () => {
  await using platform = await Platform.start({ projects: ['p1'], edges: ['e1'] });
  await platform.connector('p1', 'conn-a');
  await platform.after(seconds(20));
  const before = platform.copy(Connector, 'p1', 'conn-a');
  const upstream = platform.api('p1').get(Connector, { namespace: 'default', name: 'conn-a' });
  const mark = platform.mark;
  await platform.delete(hub, Connector, { namespace: platform.mapped('p1'), name: 'conn-a' });
  const again = (): boolean => platform.copy(Connector, 'p1', 'conn-a') !== undefined;
  expect(await platform.until('back', again)).toBeLessThan(seconds(3));
  await platform.after(seconds(10));
  const after = platform.copy(Connector, 'p1', 'conn-a');
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  const { [annotations.upstreamStatusObservedAt]: _then, ...was } = before?.metadata.annotations ?? {};
  expect(after?.metadata.annotations).toMatchObject(was);
  expect(platform.writes(mark).filter(({ type }) => type === 'ADDED')).toMatchObject([
    { plane: hub, kind: 'Connector' },
  ]);
  expect(platform.api('e1').objects(Connector)).toHaveLength(1);
  expect(platform.api('p1').get(Connector, { namespace: 'default', name: 'conn-a' })).toEqual(upstream);
});

it('C25: a finalizer of others is neither lost nor brought back, whoever writes in between', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  const held = (): readonly string[] | undefined | null => platform.api('p1').get(HTTPProxy, web)?.metadata.finalizers;
  /** The user changes the list between our read and our write, once. */
  const meanwhile = (list: readonly string[]): Disposable => {
    let done = false;
    const race: TransportInterceptor = (next) => async (request, options) => {
      const patch = { type: 'merge', body: { metadata: { finalizers: list } } } as const;
      await platform.world.hands('user').patch('p1', target, patch);
      return next(request, options);
    };
    return platform.world.wires.put(
      ({ request }) => {
        if (done || request.method !== 'PATCH' || !request.url.includes('/httpproxies/web')) return undefined;
        done = true;
        return race;
      },
      { actor: 'r1', plane: 'p1' },
    );
  };
  {
    // Both add at once.
    using _race = meanwhile(['theirs/a']);
    await platform.make('p1', HTTPProxy, proxy('web'));
    await platform.after(seconds(10));
    expect(held()?.toSorted()).toEqual([finalizers.replicator, 'theirs/a'].toSorted());
  }
  {
    // They remove theirs and put another while we remove ours, on an object that is going.
    using _race = meanwhile([finalizers.replicator]);
    await platform.patch('p1', target, { metadata: { finalizers: [finalizers.replicator, 'theirs/a'] } });
    await platform.delete('p1', HTTPProxy, web);
    await platform.until('gone', () => platform.api('p1').get(HTTPProxy, web) === undefined, seconds(20));
  }
  // Ours is taken off a dying object by somebody: it is not put back, and the copy goes.
  await platform.make('p1', HTTPProxy, { ...(proxy('web') as object), metadata: { ...web, finalizers: ['theirs/b'] } });
  await platform.after(seconds(10));
  const process = platform.world.processes.process('r1');
  process.pause();
  await platform.delete('p1', HTTPProxy, web);
  await platform.patch('p1', target, { metadata: { finalizers: ['theirs/b'] } });
  process.resume();
  await platform.after(minutes(1));
  expect(held()).toEqual(['theirs/b']);
  expect(platform.copy(HTTPProxy, 'p1', 'web')).toBeUndefined();
});

/** What a server says whose webhook refuses an object by a rule that is newer than the object. */
const refused: TransportInterceptor = () => () =>
  Promise.resolve({
    status: 422,
    headers: { 'content-type': 'application/json' },
    body: bodyOf(
      new TextEncoder().encode(
        stringifyJson({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: 'Invalid',
          message: 'spec: no',
          code: 422,
        }),
      ),
    ),
  });

it('C26: an object whose every write is refused is tried slowly, told of, and keeps none of a hundred others waiting', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  const names = Array.from({ length: 100 }, (_, index) => `fine-${index}`);
  for (const name of ['web', ...names]) await platform.make('p1', HTTPProxy, proxy(name));
  await platform.after(seconds(30));
  let tries = 0;
  const rule = platform.world.wires.put(
    ({ request }) => {
      if (request.method !== 'PATCH' || !request.url.includes('/httpproxies/web')) return undefined;
      tries++;
      // The least that can be written: one entry of one list.
      expect(request.headers['content-type']).toBe('application/json-patch+json');
      return refused;
    },
    { actor: 'r1', plane: 'p1' },
  );
  await platform.delete('p1', HTTPProxy, web);
  for (const name of names.slice(0, 50)) await platform.delete('p1', HTTPProxy, { ...web, name });
  for (const name of names.slice(50))
    await platform.patch('p1', { kind: HTTPProxy, name: { ...web, name } }, { spec: { hostnames: ['new.example'] } });
  const others = (): readonly HTTPProxy[] =>
    platform
      .api(hub)
      .objects(HTTPProxy)
      .filter(({ metadata }) => metadata.name !== 'web');
  await platform.until(
    'all others are done',
    () => others().length === 50 && others().every(({ spec }) => spec.hostnames?.[0] === 'new.example'),
    seconds(20),
  );
  await platform.after(minutes(10));
  expect(tries).toBeGreaterThan(1);
  expect(tries).toBeLessThanOrEqual(30);
  const failures = await platform.world.processes.process('r1').metrics.text();
  expect(failures).toMatch(
    /controller_runtime_reconcile_total\{controller="mirror-httpproxies",result="error"\} [1-9]/,
  );

  rule[Symbol.dispose]();
  await platform.until('gone', () => platform.api('p1').get(HTTPProxy, web) === undefined, minutes(20));
  expect(platform.copy<KubeObject>(HTTPProxy, 'p1', 'web')).toBeUndefined();
});
