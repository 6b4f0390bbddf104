/**
 * At a start everything is looked at again: new objects wait behind ten thousand old ones, the leader's lease is renewed late, and
 * memory fills with managedFields.
 * Source: milo-os/milo#645, #631; submariner-io/lighthouse#1957.
 * Cause:  one queue in the order of arrival; lists and events in one lane; objects were kept as they came.
 * Guard:  planes take turns in the queue, fresh before resync; the cache keeps no managedFields.
 */
import { mirror } from '@lifeline/example-mirror';
import { ConfigMap, type TransportInterceptor } from '@lifeline/core';
import type { ClusterProvider } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { appWith } from './test-app.ts';
import { isList, isWatch, reshaped } from './wires.ts';
import { minutes, seconds, World } from './world.ts';

const planes = Array.from({ length: 300 }, (_, index) => `p${index}`);
const [quiet, busy] = ['p7', 'p8'];
const objects = 10_000;
const latencyMs = 300;

const entry = { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': { 'f:blob': 'x'.repeat(1_000) } } };
const managedFields = `"metadata":{"managedFields":${JSON.stringify(Array.from({ length: 20 }, () => entry))},`;
const utf8 = new TextEncoder();

const opening = '"metadata":{"namespace"';

/** Puts 20 kB of managedFields into each object that a server sends, and tells how many. */
const heavy = (sent: (count: number) => void): TransportInterceptor =>
  reshaped(
    (chunk) => {
      const parts = new TextDecoder().decode(chunk).split(opening);
      sent(parts.length - 1);
      return [utf8.encode(parts.join(`${managedFields}"namespace"`))];
    },
    (request) => isWatch(request) || isList(request),
  );

it('C30: ten thousand objects in three hundred planes delay neither a new one nor the lease', async () => {
  let sources: ClusterProvider | undefined;
  const app = appWith((all) => {
    sources = all.sources;
    return [mirror({ ...all, namespace: 'mirrors' })];
  });
  await using world = new World({ app, sources: planes, api: { latencyMs } });
  for (let index = 0; index < objects; index++) {
    world.edit(planes[index % planes.length] ?? quiet, `conn-${index}`, { v: '1' });
  }
  let sent = 0;
  for (const plane of planes)
    world.on(
      plane,
      heavy((count) => (sent += count)),
    );
  let lateAfter = 0;
  const copied = async (plane: string, name: string): Promise<number> => {
    const start = world.clock.monotonic();
    world.edit(plane, name, { v: '1' });
    while (!world.copies()[`${plane} default/${name}`]) {
      await world.after(100);
      if (world.clock.monotonic() - start > minutes(2)) break;
    }
    return world.clock.monotonic() - start;
  };

  world.start();
  await world.after(seconds(5));
  expect(await copied(quiet, 'conn-new')).toBeLessThan(seconds(4));

  // A plane in which much happens at once has its turn, and the quiet one too.
  for (let index = 0; index < 500; index++) world.edit(busy, `burst-${index}`, { v: '1' });
  await world.after(seconds(1));
  expect(await copied(quiet, 'conn-newer')).toBeLessThan(seconds(6));
  const done = Object.keys(world.copies()).length;
  expect(done).toBeGreaterThan(20);
  expect(done).toBeLessThan(500);

  await world.after(seconds(30));
  const renewals = world.calls.filter(({ path, method }) => path.includes('/leases/') && method === 'PATCH');
  for (const [index, { at }] of renewals.slice(1).entries()) {
    lateAfter = Math.max(lateAfter, at - (renewals[index]?.at ?? 0));
  }
  expect(renewals.length).toBeGreaterThan(10);
  // A read and a write at 300 ms each, and a pause of 2 s and a fifth at most.
  expect(lateAfter).toBeLessThanOrEqual(2_400 + 2 * latencyMs);

  const held = (sources?.list() ?? []).flatMap((cluster) => [...cluster.store(ConfigMap).list()]);
  expect(held.length).toBeGreaterThanOrEqual(objects + 500);
  expect(sent).toBeGreaterThanOrEqual(held.length);
  expect(held.filter(({ metadata }) => metadata.managedFields !== undefined)).toEqual([]);
  expect(Math.max(...held.map((object) => JSON.stringify(object).length))).toBeLessThan(1_000);
});
