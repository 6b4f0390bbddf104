/**
 * A plane that is not ready, or is made anew under its name, is never let go: watches, timers and maps pile up, the old cache acts on.
 * Source: milo-os/milo PR #638; kubernetes-sigs/cluster-api PR #2835; kcp-dev/kcp#1679.
 * Cause:  a plane was engaged on Ready and nothing was done on NotReady, on deletion, and on another uid.
 * Guard:  a plane's signal is its life, and everything of it hangs on that; NotReady refuses reads and writes; another uid is another plane.
 */
import { getEventListeners } from 'node:events';
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap, Project } from '@lifeline/core';
import { pathEndpoint, projectSource } from '@lifeline/k8s';
import { Simulation } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { appWith } from './test-app.ts';
import { noAnswer } from './wires.ts';
import { minutes, seconds, World } from './world.ts';

const host = { server: 'https://host.test' };
const endpointOf = pathEndpoint(host);

/** Projects live in the target plane; their own planes under paths of one host. */
function projects(): World {
  const app = appWith((planes) => [mirror({ ...planes, namespace: 'mirrors' })], {
    source: ({ log }, target) =>
      projectSource({ controlPlane: target, kind: Project, readyCondition: 'Ready', endpoint: endpointOf, log }),
  });
  const server = (plane: string): string =>
    plane === 'p1'
      ? endpointOf({ apiVersion: '', kind: '', metadata: { name: plane } }).server
      : Simulation.serverOf(plane);
  return new World({ app, kinds: [Project], server });
}

function project(world: World, status: 'True' | 'False', uid = 'first'): void {
  world.target.put(Project, {
    metadata: { name: 'p1', uid },
    spec: { ownerRef: { kind: 'Organization', name: 'o' } },
    status: {
      conditions: [{ type: 'Ready', status, reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  });
}

it('C28: five hundred comings and goings leave nothing behind', async () => {
  await using world = projects();
  world.edit('p1', 'conn-a', { v: '1' });
  const { env, metrics } = world.start();
  await world.after(seconds(10));
  const cycle = async (index: number): Promise<void> => {
    for (const status of ['True', 'False', 'True'] as const) {
      project(world, status, `uid-${index}`);
      await world.after(100);
    }
    expect(world.source().openWatches()).toBe(1);
    world.target.remove(Project, { name: 'p1' });
    await world.after(100);
  };
  const left = async (): Promise<object> => ({
    watches: world.source().openWatches(),
    timers: world.clock.pending,
    listeners: getEventListeners(env.signal, 'abort').length,
    series: (await metrics.text()).split('\n').filter((line) => line.includes('cluster="p1"')).length,
  });
  for (let index = 0; index < 3; index++) await cycle(index);
  const baseline = await left();
  for (let index = 3; index < 500; index++) await cycle(index);
  expect(await left()).toEqual(baseline);
  expect(world.mostWatches.get('p1')).toBe(1);
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });
  // The finalizer and the copy, once.
  expect(world.writes()).toHaveLength(2);
});

it('C28: while a plane is not ready nothing is written for it, and nothing is deleted', async () => {
  await using world = projects();
  world.edit('p1', 'conn-a', { v: '1' });
  project(world, 'True');
  world.start();
  await world.after(seconds(30));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });

  project(world, 'False');
  await world.after(seconds(1));
  const writes = world.writes().length;
  world.edit('p1', 'conn-a', { v: '2' });
  world.edit('p1', 'conn-b', { v: '1' });
  for (const { metadata } of world.target.objects(ConfigMap)) world.target.remove(ConfigMap, metadata);
  await world.after(minutes(30));
  expect(world.writes()).toHaveLength(writes);

  project(world, 'True');
  await world.after(seconds(5));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '2' }, 'p1 default/conn-b': { v: '1' } });
});

it('C28: a plane made anew under its name starts from nothing', async () => {
  await using world = projects();
  const plane = world.source();
  const empty = plane.snapshot();
  world.edit('p1', 'conn-a', { v: '1' });
  project(world, 'True');
  world.start();
  await world.after(seconds(30));
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: '1' } });

  // The new plane does not answer yet; the old one's copy is looked at meanwhile.
  const silent = world.on('p1', noAnswer);
  world.target.remove(Project, { name: 'p1' });
  project(world, 'True', 'second');
  plane.restore(empty);
  world.edit('p1', 'conn-b', { v: '1' });
  await world.after(seconds(5));
  const writes = world.writes().length;
  const [copy] = world.target.objects(ConfigMap);
  world.target.put(ConfigMap, {
    ...copy,
    metadata: { ...copy?.metadata, name: copy?.metadata.name ?? '' },
    data: { v: 'by hand' },
  });
  await world.after(seconds(20));
  expect(world.writes()).toHaveLength(writes);
  expect(world.copies()).toEqual({ 'p1 default/conn-a': { v: 'by hand' } });

  silent[Symbol.dispose]();
  await world.after(minutes(3));
  expect(world.copies()).toEqual({ 'p1 default/conn-b': { v: '1' } });
  expect(world.differences()).toEqual([]);
});
