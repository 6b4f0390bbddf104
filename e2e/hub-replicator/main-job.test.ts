/** What the platform exists for: whether a connector is alive is decided in its project, and every edge hears it. */
import { annotations, Backend, Connector, HTTPProxy, canonicalJson, parseJson, type JsonObject } from '@lifeline/core';
import { expect, it } from 'vitest';
import { nodeId } from './agent.ts';
import { condition, proxy } from './objects.ts';
import { hub, minutes, Platform, seconds, statusText } from './world.ts';

const edges = ['e1', 'e2'];
const conn = { namespace: 'default', name: 'conn-a' };

const readyIn = (text: string | undefined): string | undefined => {
  const status = text === undefined ? undefined : (parseJson(text) as JsonObject);
  const conditions = (status?.['conditions'] ?? []) as { type: string; status: string }[];
  return conditions.find(({ type }) => type === 'Ready')?.status;
};

it('the first seed: the whole status is in the annotation, on the hub and on every edge, and nowhere else', async () => {
  await using platform = await Platform.start({ edges, gateway: true });
  await platform.make('p1', HTTPProxy, proxy('web', { connector: conn.name }));
  await platform.connector('p1', conn.name);
  using _agent = platform.agent('p1', conn.name).start();
  await platform.after(seconds(15));

  const upstream = platform.api('p1').get(Connector, conn);
  for (const plane of [hub, ...edges]) {
    const copy = platform.copy(Connector, 'p1', { name: conn.name, plane });
    expect(statusText(copy), plane).toBe(canonicalJson(upstream?.status));
    expect(copy?.spec, plane).toEqual(upstream?.spec);
    expect(platform.liveness('p1', conn.name, plane), plane).toMatchObject({ state: 'online', nodeId });
    expect(platform.copy(HTTPProxy, 'p1', { name: 'web', plane })?.spec, plane).toEqual(
      platform.api('p1').get(HTTPProxy, { ...conn, name: 'web' })?.spec,
    );
  }
  const subresources = platform.world.audit.writes.filter(
    ({ by, plane }) => plane === hub && by?.actor === 'r1' && by.request.url.includes('/status'),
  );
  expect(subresources).toEqual([]);
});

it('the second seed: Ready turns True after the first replication, with nothing else changing, and the edges follow', async () => {
  await using platform = await Platform.start({ edges });
  await platform.connector('p1', conn.name);
  // Its agent said how it can be dialled, and has not renewed yet: what changes later is one condition.
  const details = { type: 'PublicKey', publicKey: { id: nodeId, homeRelay: 'https://relay.example/', addresses: [] } };
  await platform.status('p1', { kind: Connector, name: conn }, { connectionDetails: details });
  await platform.after(minutes(1));
  for (const plane of [hub, ...edges]) {
    expect(readyIn(statusText(platform.copy(Connector, 'p1', { name: conn.name, plane }))), plane).toBe('False');
    expect(platform.liveness('p1', conn.name, plane), plane).toEqual({ state: 'offline', reason: 'NotReady' });
  }
  const before = platform.api('p1').get(Connector, conn);

  using agent = platform.agent('p1', conn.name);
  agent.renew();
  const isOnline = (plane: string) => (): boolean => platform.liveness('p1', conn.name, plane).state === 'online';
  expect(await platform.until('online on the hub', isOnline(hub))).toBeLessThan(seconds(1));
  for (const edge of edges) await platform.until(`online on ${edge}`, isOnline(edge), seconds(10));
  const after = platform.api('p1').get(Connector, conn);
  expect(after?.metadata.generation).toBe(before?.metadata.generation);
  expect({ ...after?.status, conditions: [] }).toEqual({ ...before?.status, conditions: [] });
});

it('an agent that stops: not ready within 1.1 leases and 2 s of its last renewal, and so at the edges', async () => {
  await using platform = await Platform.start({ edges });
  const names = Array.from({ length: 5 }, (_, index) => `conn-${index}`);
  const agents = [];
  for (const name of names) {
    await platform.connector('p1', name);
    agents.push(platform.agent('p1', name).start());
  }
  await platform.after(seconds(45));
  for (const name of names) expect(platform.liveness('p1', name, 'e1').state).toBe('online');

  for (const agent of agents) agent.stop();
  const lastRenewal = Math.max(...agents.map(({ renewedAt }) => renewedAt ?? 0));
  const lease = seconds(30);
  for (const [index, name] of names.entries()) {
    await platform.until(`${name} not ready`, () => platform.ready('p1', name)?.status === 'False');
    const silent = platform.clock.monotonic() - (agents[index]?.renewedAt ?? 0);
    expect(silent).toBeGreaterThanOrEqual(lease);
  }
  expect(platform.clock.monotonic() - lastRenewal).toBeLessThanOrEqual(1.1 * lease + seconds(2));
  await platform.after(seconds(5));
  for (const plane of [hub, ...edges])
    for (const name of names) expect(platform.liveness('p1', name, plane).state, plane).toBe('offline');
});

it('a status that is taken away takes the annotations with it, everywhere', async () => {
  // A kind whose status nobody here decides: what was taken away stays away.
  const kinds = [{ group: Backend.group, kind: Backend.kind, mirrorStatusToAnnotation: true }];
  await using platform = await Platform.start({ edges, settings: { kinds } });
  const backend = { kind: Backend, name: { namespace: 'default', name: 'b' } };
  await platform.make('p1', Backend, {
    metadata: backend.name,
    spec: { endpoints: [{ ip: { address: '1.1.1.1', port: 1 } }] },
  });
  await platform.status('p1', backend, { conditions: [condition('Accepted', 'True')] });
  const text = (plane: string): string | undefined => statusText(platform.copy(Backend, 'p1', { name: 'b', plane }));
  const everywhere = (wanted: string | undefined) => (): boolean =>
    [hub, ...edges].every((plane) => text(plane) === wanted);
  const whole = canonicalJson(platform.api('p1').get(Backend, backend.name)?.status);
  await platform.until('the status is everywhere', everywhere(whole));

  await platform.status('p1', backend, null);
  await platform.until('the status is nowhere', everywhere(undefined));
  for (const plane of [hub, ...edges]) {
    const left = platform.copy(Backend, 'p1', { name: 'b', plane })?.metadata.annotations ?? {};
    expect(Object.keys(left)).not.toContain(annotations.upstreamStatusObservedAt);
  }
});
