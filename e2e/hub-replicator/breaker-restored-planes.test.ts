/** Planes that were restored from a backup: their revisions go back, and a watch that goes on from a later one is silent. */
import { Connector, findCondition } from '@lifeline/core';
import { expect, it } from 'vitest';
import { minutes, Platform, statusText } from './world.ts';

it('a project: whose agent goes on renewing stays ready, and whose agent is gone does not', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  await platform.connector('p1', 'alive');
  await platform.connector('p1', 'gone');
  using _alive = platform.agent('p1', 'alive').start();
  using gone = platform.agent('p1', 'gone').start();
  await platform.after(minutes(1));
  const backup = platform.api('p1').snapshot();
  await platform.after(minutes(7));
  const { mark } = platform;
  platform.api('p1').restore(backup);
  gone.stop();
  await platform.after(minutes(15));
  const said = platform.world.audit.writes.slice(mark).flatMap(({ plane, revision: { object } }) => {
    const { status } = object as Connector;
    const isIt = plane === 'p1' && object.kind === Connector.kind && object.metadata.name === 'alive';
    return isIt ? [findCondition(status?.conditions, 'Ready')?.status] : [];
  });
  expect(said).not.toContain('False');
  expect(platform.ready('p1', 'alive')?.status).toBe('True');
  expect(platform.ready('p1', 'gone')?.status).toBe('False');
  expect(platform.liveness('p1', 'gone')).toEqual({ state: 'offline', reason: 'NotReady' });
  expect(statusText(platform.copy(Connector, 'p1', 'gone'))).toContain('has stopped renewing');
});
