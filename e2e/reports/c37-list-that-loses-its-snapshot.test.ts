/**
 * A continue token expires in the middle of a paged list: the list fails for ever, or the pages so far are taken for all there is.
 * Source: apache/apisix#7489; folio-pro/kdashboard#70.
 * Cause:  the expired token was sent again; or a list that broke was compared with the cache, and what had not been read was deleted.
 * Guard:  a list that lost its snapshot begins anew, a bounded number of times; a list that did not finish changes nothing.
 */
import { copyOf, finalizer, mirror } from '@lifeline/example-mirror';
import { ConfigMap } from '@lifeline/core';
import { Refusal } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { appWith, describeEvent, listener } from './test-app.ts';
import { configMap, minutes, seconds, World } from './world.ts';

const count = 10_000;
const nameOf = (index: number): string => `conn-${String(index).padStart(5, '0')}`;

it('C37: neither a lost snapshot nor a page that fails deletes anything', async () => {
  const heard: string[] = [];
  const app = appWith((planes) => [
    mirror({ ...planes, namespace: 'mirrors' }),
    listener(planes, (event) => heard.push(describeEvent(event))),
  ]);
  await using world = new World({ app });
  const plane = world.source();
  plane.streamingLists = false;
  // As an earlier run of the app left it.
  for (let index = 0; index < count; index++) {
    const source = plane.put(ConfigMap, configMap(nameOf(index), { v: '1' }, { finalizers: [finalizer] }));
    world.target.put(ConfigMap, copyOf(source, 'p1', 'mirrors'));
  }
  world.start();
  await world.after(minutes(1));
  expect(heard).toHaveLength(count);
  expect(world.writes()).toEqual([]);
  heard.length = 0;

  /** Pages asked for, by list. */
  const listed: number[] = [];
  plane.refuse = ({ verb, query }) => {
    if (verb !== 'list') return undefined;
    const page = query.has('continue') ? (listed.pop() ?? 0) + 1 : 1;
    listed.push(page);
    const list = listed.length;
    if (list === 1 && page === 7) world.forget(plane);
    const fails = list === 2 && page === 8;
    return fails ? new Refusal({ code: 500, reason: 'InternalError', message: 'etcd is busy' }) : undefined;
  };
  plane.endWatches();
  plane.remove(ConfigMap, { namespace: 'default', name: nameOf(9_000) });
  plane.put(ConfigMap, configMap('conn-new', { v: '1' }));
  plane.compact();
  await world.after(seconds(30));

  expect(listed.slice(0, 2)).toEqual([7, 8]);
  expect(listed).toHaveLength(3);
  expect(heard.filter((event) => !event.startsWith('updated'))).toEqual([
    'added default/conn-new 1',
    `deleted default/${nameOf(9_000)} 1`,
  ]);
  expect(world.writes(({ method }) => method === 'DELETE')).toHaveLength(1);
  // The finalizer and the copy of the new one, and the copy that is deleted.
  expect(world.writes()).toHaveLength(3);
  expect(world.differences()).toEqual([]);
});
