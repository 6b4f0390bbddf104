/** What the platform exists for, down to the last hop: an agent comes and goes, and Envoy's route follows. */
import { Connector, Gateway, HTTPProxy } from '@lifeline/core';
import { expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { nodeId } from '../hub-replicator/agent.ts';
import { proxy } from '../hub-replicator/objects.ts';
import { EdgePlatform } from './platform.ts';

const host = 'web.example';
const edges = ['e1', 'e2'];

it.each([{ merged: true }, { merged: false }])('merged: $merged', async ({ merged }) => {
  await using platform = await EdgePlatform.start({ edges, merged });
  await platform.make('p1', HTTPProxy, proxy('web', { connector: 'conn-a' }));
  await platform.connector('p1', 'conn-a');
  const everywhere = (shown: string) => (): boolean => edges.every((edge) => platform.shows(edge, host) === shown);
  await platform.until('nobody is there yet', everywhere('503'));

  using agent = platform.agent('p1', 'conn-a').start();
  const read = (state: string) => (): boolean =>
    edges.every((edge) => platform.liveness('p1', 'conn-a', edge).state === state);
  await platform.until('the edges read that it is online', read('online'));
  expect(await platform.until('the tunnel', everywhere('tunnel'))).toBeLessThan(seconds(1));
  for (const edge of edges)
    expect(platform.serve(edge, host)).toMatchObject({ tunnel: { nodeId, target: 'app.internal:8080' } });

  agent.stop();
  await platform.until('the edges read that it is offline', read('offline'), seconds(90));
  expect(await platform.until('503', everywhere('503'))).toBeLessThan(seconds(1));
  expect(platform.serve('e1', host)).toEqual({ status: 503, body: 'Tunnel not online', retryAfter: '5' });

  agent.start();
  await platform.until('the tunnel again', everywhere('tunnel'));
  const stamped = platform.world.audit.writes.filter(
    ({ by, revision }) => by?.actor.includes('-x') && revision.object.kind === Gateway.kind,
  );
  expect(stamped.length).toBeLessThanOrEqual(4 * edges.length);
  await platform.delete('p1', Connector, { namespace: 'default', name: 'conn-a' });
  await platform.until('it is gone', everywhere('503'), seconds(60));
});
