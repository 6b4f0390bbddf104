/** The replicator, as a service account that has exactly the rights that are generated from what its controllers declare. */
import {
  Backend,
  ConfigMap,
  Connector,
  ConnectorClass,
  downstreamNamespace,
  findCondition,
  HTTPProxy,
  type Kind,
  KubeEvent,
  Lease,
  Namespace,
  type PolicyRule,
  Secret,
  SecurityPolicy,
  truthNamespace,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app, config, replicatorRights, type ReplicatorRights } from '@lifeline/hub-replicator';
import { kubeconfig } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { GuardedPlanes, guardedUrl, processOf, without } from '../rights.fixture.ts';

type PlaneName = 'project' | 'hub';
const settings = config.parse({
  hub: { kubeconfig: '/hub.kubeconfig' },
  projects: { mode: 'folder', kubeconfigs: '/projects' },
  shards: { count: 2, durationMs: 5_000 },
  connector: {},
  sweep: {},
});
const files = {
  '/projects/one.kubeconfig': kubeconfig(guardedUrl('project')),
  '/hub.kubeconfig': kubeconfig(guardedUrl('hub')),
};

/** A hub without Karmada: nobody has to say that a Secret arrived at the edges. */
const kindsServed = (role: PlaneName): Kind[] => kindsOfRole(role).filter(({ group }) => !group.endsWith('karmada.io'));

const declared = replicatorRights(settings, processOf(new VirtualClock(), files).env);

/** What came of the first minutes of two connectors, one of which is deleted. */
interface Life {
  readonly ready: string | null | undefined;
  /** Kinds of the copies on the hub. */
  readonly copied: readonly string[];
  readonly released: boolean;
  readonly refused: readonly string[];
}

async function live(rights: ReplicatorRights): Promise<Life> {
  const clock = new VirtualClock();
  using planes = new GuardedPlanes(clock, { project: kindsServed('project'), hub: kindsServed('hub') });
  const [project, hub] = [planes.api('project'), planes.api('hub')];
  await planes.create('hub', Namespace, { metadata: { name: truthNamespace } });
  await planes.grant('project', rights.project);
  await planes.grant('hub', rights.hub);
  await planes.grant('hub', rights.shards, truthNamespace);

  await planes.create('project', ConnectorClass, { metadata: { name: 'tunnels' }, spec: {} });
  const object = (name: string, more: object) => ({ metadata: { namespace: 'default', name }, ...more });
  for (const name of ['stays', 'goes'])
    await planes.create('project', Connector, object(name, { spec: { connectorClassName: 'tunnels' } }));
  await planes.create(
    'project',
    HTTPProxy,
    object('web', { spec: { rules: [{ backends: [{ endpoint: 'http://a.example' }] }] } }),
  );
  await planes.create(
    'project',
    Backend,
    object('b', { spec: { endpoints: [{ ip: { address: '192.0.2.1', port: 80 } }] } }),
  );
  const basicAuth = { users: { name: 'users' } };
  const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'web' }];
  await planes.create('project', SecurityPolicy, object('auth', { spec: { targetRefs, basicAuth } }));

  const running = processOf(clock, files, planes.way);
  const done = app.start(running.env, settings);
  await clock.advance(30_000);
  // Later than the policy that names it; and a status too large for an annotation, which is worth an Event.
  await planes.create('project', Secret, object('users', { data: { '.htpasswd': 'eA==' } }));
  const name = { namespace: 'default', name: 'stays' };
  // Nobody may create it but us.
  if (project.get(Lease, name))
    await planes.patch('project', { kind: Lease, name }, { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } });
  const conditions = Array.from({ length: 16 }, (_, index) => ({
    type: `T${index}`,
    conditions: Array.from({ length: 64 }, (__, at) => ({
      ...{ type: `C${at}`, status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' },
      message: 'm'.repeat(300),
    })),
  }));
  await planes.patch(
    'project',
    { kind: Connector, name, subresource: 'status' },
    { status: { capabilities: conditions } },
  );
  await clock.advance(10_000);
  const ready = findCondition(project.get(Connector, name)?.status?.conditions, 'Ready')?.status;

  const goes = { namespace: 'default', name: 'goes' };
  await planes.delete('project', Connector, goes);
  await clock.advance(60_000);
  const place = downstreamNamespace(project.get(Namespace, { name: 'default' })?.metadata.uid ?? '');
  const copied = [Backend, ConfigMap, Connector, HTTPProxy, Secret, SecurityPolicy].flatMap((kind: Kind) =>
    hub.objects(kind).flatMap(({ metadata }) => (metadata.namespace === place ? `${kind.kind} ${metadata.name}` : [])),
  );
  const released = !project.get(Connector, goes);
  expect(project.objects(KubeEvent).length).toBeGreaterThanOrEqual(planes.refused.length > 0 ? 0 : 1);
  running.terminate();
  await clock.run(done);
  return {
    ready,
    copied: copied.filter((name) => !name.startsWith('ConfigMap anchor-')).sort(),
    released,
    refused: planes.refused,
  };
}

describe('the replicator with the rights that it declares', () => {
  it('does all its work, and is refused nothing', { timeout: 30_000 }, async () => {
    expect(await live(declared)).toEqual({
      ready: 'True',
      copied: ['Backend b', 'Connector stays', 'HTTPProxy web', 'Secret users', 'SecurityPolicy auth'],
      released: true,
      refused: [],
    });
  });

  it('has no right to the status of anything on the hub, nor to all kinds or verbs', () => {
    const all = Object.values(declared).flat() as PolicyRule[];
    expect(declared.hub.flatMap(({ resources }) => resources ?? []).filter((name) => name.includes('/'))).toEqual([]);
    expect(
      all.flatMap(({ apiGroups, resources, verbs }) => [...(apiGroups ?? []), ...(resources ?? []), ...(verbs ?? [])]),
    ).not.toContain('*');
  });

  it.each([
    {
      role: 'project',
      verb: 'patch',
      resource: 'connectors',
      refuses: 'PATCH /apis/networking.datumapis.com/v1alpha1/namespaces/default/connectors/',
    },
    {
      role: 'project',
      verb: 'patch',
      resource: 'connectors/status',
      refuses: 'PATCH /apis/networking.datumapis.com/v1alpha1/namespaces/default/connectors/',
    },
    {
      role: 'project',
      verb: 'create',
      resource: 'leases',
      refuses: 'POST /apis/coordination.k8s.io/v1/namespaces/default/leases',
    },
    { role: 'project', verb: 'patch', resource: 'secrets', refuses: 'PATCH /api/v1/namespaces/default/secrets/users' },
    {
      role: 'project',
      verb: 'create',
      resource: 'events',
      refuses: 'POST /apis/events.k8s.io/v1/namespaces/default/events',
    },
    {
      role: 'hub',
      verb: 'delete',
      resource: 'connectors',
      refuses: 'DELETE /apis/networking.datumapis.com/v1alpha1/namespaces/ns-',
    },
    { role: 'hub', verb: 'create', resource: 'namespaces', refuses: 'PATCH /api/v1/namespaces/ns-' },
    {
      role: 'shards',
      verb: 'patch',
      resource: 'leases',
      refuses: 'PATCH /apis/coordination.k8s.io/v1/namespaces/lifeline-truth/leases/',
    },
  ] as const)(
    'needs every one of them: without $verb of $resource ($role) it is refused',
    { timeout: 30_000 },
    async ({ role, verb, resource, refuses }) => {
      const { refused } = await live({ ...declared, [role]: without(declared[role], verb, resource) });
      expect(refused).toContainEqual(expect.stringContaining(`403 ${refuses}`));
    },
  );
});
