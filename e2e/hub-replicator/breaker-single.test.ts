/** Single-cluster mode: copies stand beside their sources, and are never taken for sources. */
import { Connector, Lease } from '@lifeline/core';
import { expect, it } from 'vitest';
import { hub, minutes, Platform } from './world.ts';

const conn = { namespace: 'default', name: 'conn-a' };

it.each([[''], ['one']])('the copy of a Connector gets no Lease and no status of its own (name %j)', async (name) => {
  await using platform = await Platform.start({
    single: true,
    projects: [],
    settings: { projects: { mode: 'single', name } },
  });
  await platform.connector(hub, conn.name);
  using _agent = platform.agent(hub, conn.name).start();
  await platform.after(minutes(1));
  expect(platform.ready(hub, conn.name)?.status).toBe('True');
  const copy = platform.copy(Connector, hub, conn.name);
  expect(copy?.spec).toEqual(platform.api(hub).get(Connector, conn)?.spec);
  expect(copy?.status?.leaseRef).toBeUndefined();
  const statusWrites = platform.world.audit.writes.filter(
    ({ by, revision: { object } }) =>
      by?.actor === 'r1' &&
      object.metadata.namespace === copy?.metadata.namespace &&
      by.request.url.includes('/status'),
  );
  expect(statusWrites).toEqual([]);
  expect(platform.api(hub).get(Lease, { ...conn, namespace: copy?.metadata.namespace })).toBeUndefined();
});
