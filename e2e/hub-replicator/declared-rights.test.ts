/** The replicator, as a service account that has exactly the rights that are generated from what its controllers declare. */
import { createApiServer } from '@lifeline/apiserver';
import {
  Backend,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Connector,
  ConnectorClass,
  downstreamNamespace,
  findCondition,
  HTTPProxy,
  KubeEvent,
  type Kind,
  type KubeObject,
  Lease,
  Namespace,
  type ObjectName,
  type PolicyRule,
  Role,
  RoleBinding,
  Secret,
  SecurityPolicy,
  seeded,
  type Transport,
  truthNamespace,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app, config, replicatorRights, type ReplicatorRights } from '@lifeline/hub-replicator';
import { type Client, createClient, createLog } from '@lifeline/k8s';
import { filesOf, kubeconfig, SimulatedProcess } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';

const tokens = [
  { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
  { token: 'app', user: 'system:serviceaccount:lifeline:hub-replicator', uid: '', groups: [] },
];
const urls = { project: 'https://project.test', hub: 'https://hub.test' };
type PlaneName = keyof typeof urls;
const settings = config.parse({
  hub: { kubeconfig: '/hub.kubeconfig' },
  projects: { mode: 'folder', kubeconfigs: '/projects' },
  shards: { count: 2, durationMs: 5_000 },
  connector: {},
  sweep: {},
});

const processOf = (clock: VirtualClock, way: (plane: PlaneName) => Transport): SimulatedProcess =>
  new SimulatedProcess({
    name: 'app',
    clock,
    random: seeded('app'),
    transport: ({ server }) => way(server === urls.project ? 'project' : 'hub'),
    files: filesOf({
      '/projects/one.kubeconfig': kubeconfig(urls.project),
      '/hub.kubeconfig': kubeconfig(urls.hub),
    }),
    log: createLog({ clock, write: () => undefined }),
    onPoint: () => undefined,
  });

/** A hub without Karmada: nobody has to say that a Secret arrived at the edges. */
const kindsServed = (role: PlaneName): Kind[] => kindsOfRole(role).filter(({ group }) => !group.endsWith('karmada.io'));

const noWay = (): Transport => () => Promise.reject(new Error('not to be used'));
const declared = replicatorRights(settings, processOf(new VirtualClock(), noWay).env);

/** The rules, without one verb on one resource. */
const without = (rules: readonly PolicyRule[], verb: string, resource: string): PolicyRule[] =>
  rules.flatMap((rule) =>
    rule.resources?.includes(resource)
      ? [
          { ...rule, resources: rule.resources.filter((one) => one !== resource) },
          { ...rule, resources: [resource], verbs: rule.verbs?.filter((one) => one !== verb) },
        ].filter(({ resources, verbs }) => resources.length > 0 && verbs && verbs.length > 0)
      : [rule],
  );

interface Target {
  readonly kind: Kind;
  readonly name: ObjectName;
  readonly subresource?: 'status';
}

/** What came of the first minutes of two connectors, one of which is deleted. */
interface Life {
  readonly ready: string | null | undefined;
  /** Kinds of the copies on the hub. */
  readonly copied: readonly string[];
  readonly released: boolean;
  /** `403 …`, for each request that was refused. */
  readonly refused: readonly string[];
}

async function live(rights: ReplicatorRights): Promise<Life> {
  const clock = new VirtualClock();
  const refused: string[] = [];
  const plane = (role: PlaneName) =>
    createApiServer({ clock, random: seeded(role), tokens, rbac: true, kinds: kindsServed(role) });
  using project = plane('project');
  using hub = plane('hub');
  const planes = { project, hub };
  const as =
    (name: PlaneName, token: string): Transport =>
    async (request, options) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const response = await planes[name].transport({ ...request, headers }, options);
      if (response.status === 403) refused.push(`403 ${request.method} ${new URL(request.url).pathname}`);
      return response;
    };
  const life = new AbortController();
  const { signal } = life;
  const admin = (name: PlaneName): Client =>
    createClient({
      transport: as(name, 'admin'),
      baseUrl: urls[name],
      clock,
      random: seeded('admin'),
      userAgent: 'admin',
    });
  const create = <T extends KubeObject>(name: PlaneName, kind: Kind<T>, object: unknown): Promise<T> =>
    clock.run(admin(name).create(kind, object as never, { signal }));
  const patch = (target: Target, body: Record<string, unknown>): Promise<unknown> =>
    clock.run(admin('project').patch(target, { type: 'merge', body }, { signal, subresource: target.subresource }));
  const grant = async (name: PlaneName, rules: readonly PolicyRule[], namespace?: string): Promise<void> => {
    const [role, binding] = namespace ? [Role, RoleBinding] : [ClusterRole, ClusterRoleBinding];
    const metadata = { name: 'hub-replicator', namespace };
    await create(name, role as Kind, { metadata, rules });
    await create(name, binding as Kind, {
      metadata,
      roleRef: { apiGroup: Role.group, kind: role.kind, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', namespace: 'lifeline', name: 'hub-replicator' }],
    });
  };
  await create('hub', Namespace, { metadata: { name: truthNamespace } });
  await grant('project', rights.project);
  await grant('hub', rights.hub);
  await grant('hub', rights.shards, truthNamespace);

  await create('project', ConnectorClass, { metadata: { name: 'tunnels' }, spec: {} });
  const object = (name: string, more: object) => ({ metadata: { namespace: 'default', name }, ...more });
  for (const name of ['stays', 'goes'])
    await create('project', Connector, object(name, { spec: { connectorClassName: 'tunnels' } }));
  await create(
    'project',
    HTTPProxy,
    object('web', { spec: { rules: [{ backends: [{ endpoint: 'http://a.example' }] }] } }),
  );
  await create('project', Backend, object('b', { spec: { endpoints: [{ ip: { address: '192.0.2.1', port: 80 } }] } }));
  const basicAuth = { users: { name: 'users' } };
  const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'web' }];
  await create('project', SecurityPolicy, object('auth', { spec: { targetRefs, basicAuth } }));

  const running = processOf(clock, (name) => as(name, 'app'));
  const done = app.start(running.env, settings);
  await clock.advance(30_000);
  // Later than the policy that names it; and a status too large for an annotation, which is worth an Event.
  await create('project', Secret, object('users', { data: { '.htpasswd': 'eA==' } }));
  const name = { namespace: 'default', name: 'stays' };
  // Nobody may create it but us.
  if (project.get(Lease, name))
    await patch({ kind: Lease, name }, { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } });
  const conditions = Array.from({ length: 16 }, (_, index) => ({
    type: `T${index}`,
    conditions: Array.from({ length: 64 }, (__, at) => ({
      ...{ type: `C${at}`, status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' },
      message: 'm'.repeat(300),
    })),
  }));
  await patch({ kind: Connector, name, subresource: 'status' }, { status: { capabilities: conditions } });
  await clock.advance(10_000);
  const ready = findCondition(project.get(Connector, name)?.status?.conditions, 'Ready')?.status;

  const target = { kind: Connector, name: { namespace: 'default', name: 'goes' } };
  const uid = project.get(Connector, target.name)?.metadata.uid ?? '';
  await clock.run(admin('project').delete(target, { signal, uid }));
  await clock.advance(60_000);
  const place = downstreamNamespace(project.get(Namespace, { name: 'default' })?.metadata.uid ?? '');
  const copied = [Backend, ConfigMap, Connector, HTTPProxy, Secret, SecurityPolicy].flatMap((kind: Kind) =>
    hub.objects(kind).flatMap(({ metadata }) => (metadata.namespace === place ? `${kind.kind} ${metadata.name}` : [])),
  );
  const released = !project.get(Connector, target.name);
  expect(project.objects(KubeEvent).length).toBeGreaterThanOrEqual(refused.length > 0 ? 0 : 1);
  running.terminate();
  await clock.run(done);
  life.abort(new Error('the end'));
  return { ready, copied: copied.filter((name) => !name.startsWith('ConfigMap anchor-')).sort(), released, refused };
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
    { role: 'hub', verb: 'create', resource: 'namespaces', refuses: 'POST /api/v1/namespaces' },
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
