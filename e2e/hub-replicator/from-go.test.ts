/** A hub that the Go system wrote, and what it said of connectors: what of that is true is found out, once. */
import {
  Connector,
  finalizers,
  findCondition,
  HTTPProxy,
  isDeleting,
  type JsonObject,
  labels,
  Lease,
  Namespace,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { nodeId } from './agent.ts';
import { copyAsGo } from './go-hub.ts';
import { condition, proxy, proxySpec } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const project = 'p1';
const at = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });
const hourMs = minutes(60);
const old = proxySpec(undefined, 'old.example') as JsonObject;

const readyAsGoSaid = {
  conditions: [condition('Accepted', 'True'), condition('Ready', 'True', { reason: 'ConnectorReady' })],
  connectionDetails: {
    type: 'PublicKey',
    publicKey: { id: nodeId, homeRelay: 'https://relay.example/', addresses: [] },
  },
};

/** A connector that the Go system called ready, with its Lease and its copy. */
async function ready(platform: Platform, name: string, renewTime: string): Promise<void> {
  await platform.connector(project, name);
  await platform.status(project, { kind: Connector, name: at(name) }, { ...readyAsGoSaid, leaseRef: { name } });
  const spec = { holderIdentity: name, leaseDurationSeconds: 30, renewTime };
  await platform.make(project, Lease, { metadata: at(name), spec });
  await copyAsGo(platform, { project, kind: Connector, name: at(name) });
}

interface Flip {
  readonly at: number;
  readonly name: string;
  readonly to: string | undefined;
}

/** Each change of a connector's word, by ours. */
const flips = (platform: Platform): readonly Flip[] =>
  platform.world.audit.writes.flatMap(({ at: when, plane, by, revision: { object, previous } }) => {
    if (plane !== project || by?.actor !== 'r1' || object.kind !== 'Connector' || !previous) return [];
    const [from, to] = [previous, object].map(
      (each) => findCondition((each as unknown as Connector).status?.conditions, 'Ready')?.status ?? undefined,
    );
    return from === to ? [] : [{ at: when, name: object.metadata.name, to }];
  });

it('who was called ready stays so while its agent renews, whatever its clock says, and is given up one lease after first sight if not', async () => {
  const platform = new Platform({ projects: [project], edges: ['e1'] });
  await using _platform = platform;
  await platform.prepare();
  await ready(platform, 'ahead', '2026-01-01T01:00:00.000000Z');
  await ready(platform, 'behind', '2025-12-31T23:00:00.000000Z');
  // Renewed an hour ahead of everybody, and never again.
  await ready(platform, 'dead', '2026-01-01T01:00:00.000000Z');
  using _ahead = platform.agent(project, 'ahead', { skewMs: hourMs }).start();
  using _behind = platform.agent(project, 'behind', { skewMs: -hourMs }).start();
  platform.startReplicas();
  const sawLeases = (): boolean => platform.world.wires.watches({ actor: 'r1', plane: project }).some(isOfLeases);
  await platform.until('Leases are watched', sawLeases);
  const first = platform.clock.monotonic();
  await platform.after(minutes(2));
  expect(flips(platform)).toMatchObject([{ name: 'dead', to: 'False' }]);
  const [flip] = flips(platform);
  expect((flip?.at ?? 0) - first).toBeGreaterThanOrEqual(seconds(30));
  expect((flip?.at ?? 0) - first).toBeLessThanOrEqual(seconds(30) * 1.1 + seconds(2));
  for (const plane of [hub, 'e1']) {
    expect(platform.liveness(project, 'dead', plane).state, plane).toBe('offline');
    for (const name of ['ahead', 'behind']) expect(platform.liveness(project, name, plane).state, plane).toBe('online');
  }

  // A restart, and a partition longer than any lease: nothing is known of renewals meanwhile, and nothing is said.
  platform.world.processes.start('r1');
  await platform.after(minutes(2));
  {
    using _cut = platform.world.wires.cut(project);
    await platform.after(minutes(5));
  }
  await platform.after(minutes(4));
  expect(flips(platform)).toHaveLength(1);
});

const isOfLeases = ({ sent }: { readonly sent: { readonly request: { readonly url: string } } }): boolean =>
  sent.request.url.includes('/leases');

it('copies with the labels of before, and those of a Namespace that is gone, are found: one is taken over, the other goes', async () => {
  const platform = new Platform({ projects: [project], edges: ['e1'] });
  await using _platform = platform;
  await platform.prepare();
  const legacy = { metadata: { labels: { [labels.upstreamCluster]: `cluster-_${project}` } } };
  const team = { namespace: 'team', name: 'web' };
  await platform.make(project, Namespace, { metadata: { name: 'team' } });
  await platform.make(project, HTTPProxy, proxy('web', { namespace: 'team' }));
  await copyAsGo(platform, {
    project,
    kind: HTTPProxy,
    name: team,
    leftOvers: { spec: old },
  });
  const earlier = platform.mapped(project, 'team');
  await platform.patch(hub, { kind: Namespace, name: { name: earlier } }, legacy);
  await platform.patch(hub, { kind: HTTPProxy, name: { ...team, namespace: earlier } }, legacy);
  // The Namespace is made anew under its name while nobody looks; the Go system's finalizer is taken off by hand.
  await platform.patch(project, { kind: HTTPProxy, name: team }, { metadata: { finalizers: null } });
  await platform.do(platform.world.hands('user').deleteAndWait(project, Namespace, { name: 'team' }));
  await platform.make(project, Namespace, { metadata: { name: 'team' } });
  await platform.make(project, HTTPProxy, proxy('web', { namespace: 'team' }));

  // And one whose Namespace stayed.
  await platform.make(project, HTTPProxy, proxy('kept'));
  await copyAsGo(platform, {
    project,
    kind: HTTPProxy,
    name: at('kept'),
    leftOvers: { spec: old },
  });
  const mapped = platform.mapped(project);
  await platform.patch(hub, { kind: HTTPProxy, name: { namespace: mapped, name: 'kept' } }, legacy);
  const uid = platform.api(hub).get(HTTPProxy, { namespace: mapped, name: 'kept' })?.metadata.uid;
  platform.startReplicas();
  await platform.after(minutes(1));

  for (const plane of [hub, 'e1']) {
    const places = platform
      .api(plane)
      .objects(HTTPProxy)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(places.toSorted(), plane).toEqual([`${mapped}/kept`, `${platform.mapped(project, 'team')}/web`].toSorted());
  }
  for (const name of [team, at('kept')]) {
    const upstream = platform.api(project).get(HTTPProxy, name);
    const copy = platform.copy(HTTPProxy, project, name);
    expect(copy?.spec).toEqual(upstream?.spec);
    expect(copy?.metadata.labels?.[labels.upstreamCluster]).toBe(`cluster-${project}`);
    expect(upstream?.metadata.finalizers).toEqual([finalizers.replicator]);
    expect(upstream && isDeleting(upstream)).toBe(false);
  }
  expect(platform.copy(HTTPProxy, project, 'kept')?.metadata.uid).toBe(uid);
});
