import type { JsonObject } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../create-api-server.ts';
import { send } from '../send.fixture.ts';
import type { ApiServer } from '../server.ts';

const tokens = [
  { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
  { token: 'plain', user: 'plain', uid: '', groups: ['plain-group'] },
  { token: 'agent', user: 'system:serviceaccount:ns:agent', uid: '', groups: [] },
];

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inNamespace = `${rbac}/namespaces/ns`;

interface Asking {
  readonly as?: string;
  readonly type?: string;
}

/** A plane with RBAC and a namespace. */
class Plane implements Disposable {
  readonly server: ApiServer = createApiServer({
    clock: new VirtualClock(),
    random: seeded('rbac'),
    rbac: true,
    tokens,
    controllers: false,
  });

  async ask(request: string, body?: JsonObject, { as = 'plain', type }: Asking = {}) {
    const [method, path = ''] = request.split(' ');
    const headers = { authorization: `Bearer ${as}` };
    const answer = await send(this.server.transport, path, { method, headers, body, type });
    return { status: answer.status, body: answer.body };
  }

  async make(path: string, body: JsonObject): Promise<void> {
    const { status } = await this.ask(`POST ${path}`, body, { as: 'admin' });
    expect(status).toBe(201);
  }

  /** A Role or ClusterRole. */
  role = (path: string, name: string, ...rules: JsonObject[]): Promise<void> =>
    this.make(path, { metadata: { name }, rules });

  bind = (path: string, name: string, { role, subjects }: { role: string; subjects: JsonObject[] }): Promise<void> =>
    this.make(path, { metadata: { name }, ...roleRef(role), subjects });

  [Symbol.dispose](): void {
    this.server[Symbol.dispose]();
  }
}

async function plane(): Promise<Plane> {
  const made = new Plane();
  await made.make('/api/v1/namespaces', { metadata: { name: 'ns' } });
  return made;
}

/** @param role `Role/name` or `ClusterRole/name` */
const roleRef = (role: string): JsonObject => {
  const [kind = '', name = ''] = role.split('/');
  return { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name } };
};

const plainUser = { kind: 'User', name: 'plain' };
const configMap = (name: string, fields: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...fields,
});
const maps = '/api/v1/namespaces/ns/configmaps';
const readsMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };

describe('authorize', () => {
  it('says what is missing, before it says that there is no such thing', async () => {
    using at = await plane();
    expect(await at.ask('GET /api/v1/nothings')).toEqual({
      status: 403,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'nothings is forbidden: User "plain" cannot list resource "nothings" in API group "" at the cluster scope',
        reason: 'Forbidden',
        details: { kind: 'nothings' },
        code: 403,
      },
    });
    expect(await at.ask('GET /no/such/path')).toMatchObject({
      status: 403,
      body: { message: 'forbidden: User "plain" cannot get path "/no/such/path"', details: {} },
    });
    expect((await at.ask('GET /api/v1/nothings', undefined, { as: 'admin' })).status).toBe(404);
  });

  it('lets a Role count in its namespace, and a ClusterRole where it is bound', async () => {
    using at = await plane();
    await at.make('/api/v1/namespaces', { metadata: { name: 'other' } });
    await at.role(`${inNamespace}/roles`, 'reader', readsMaps);
    await at.role(`${rbac}/clusterroles`, 'reader', readsMaps);
    const status = async (path: string): Promise<number> => (await at.ask(`GET ${path}`)).status;
    const all = async (): Promise<number[]> =>
      Promise.all([maps, '/api/v1/namespaces/other/configmaps', '/api/v1/configmaps'].map(status));
    expect(await all()).toEqual([403, 403, 403]);
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/reader', subjects: [plainUser] });
    expect(await all()).toEqual([200, 403, 403]);
    await at.bind(`${rbac}/namespaces/other/rolebindings`, 'b', {
      role: 'ClusterRole/reader',
      subjects: [{ kind: 'Group', name: 'plain-group' }],
    });
    expect(await all()).toEqual([200, 200, 403]);
    await at.bind(`${rbac}/clusterrolebindings`, 'b', { role: 'ClusterRole/reader', subjects: [plainUser] });
    expect(await all()).toEqual([200, 200, 200]);
  });

  it('looks at roles as they are now', async () => {
    using at = await plane();
    await at.role(`${inNamespace}/roles`, 'reader', readsMaps);
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/reader', subjects: [plainUser] });
    const status = async (): Promise<number> => (await at.ask(`GET ${maps}`)).status;
    expect(await status()).toBe(200);
    const before = at.server.snapshot();
    const merge = 'application/merge-patch+json';
    await at.ask(`PATCH ${inNamespace}/roles/reader`, { rules: [] }, { as: 'admin', type: merge });
    expect(await status()).toBe(403);
    await at.ask(`PATCH ${inNamespace}/roles/reader`, { rules: [readsMaps] }, { as: 'admin', type: merge });
    expect(await status()).toBe(200);
    await at.ask(`DELETE ${inNamespace}/rolebindings/b`, undefined, { as: 'admin' });
    expect(await status()).toBe(403);
    at.server.restore(before);
    expect(await status()).toBe(200);
  });

  it('names roles that bindings miss', async () => {
    using at = await plane();
    await at.bind(`${inNamespace}/rolebindings`, 'a', { role: 'ClusterRole/nope', subjects: [plainUser] });
    expect((await at.ask(`GET ${maps}`)).body['message']).toBe(
      'configmaps is forbidden: User "plain" cannot list resource "configmaps" in API group "" in the namespace "ns": RBAC: clusterrole.rbac.authorization.k8s.io "nope" not found',
    );
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/nope2', subjects: [plainUser] });
    expect((await at.ask(`GET ${maps}`)).body['message']).toMatch(
      /: RBAC: \[clusterrole\.rbac\.authorization\.k8s\.io "nope" not found, role\.rbac\.authorization\.k8s\.io "nope2" not found\]$/,
    );
  });

  it('knows service accounts by their namespace, and their groups', async () => {
    using at = await plane();
    const asAgent = { as: 'agent' };
    await at.role(`${rbac}/clusterroles`, 'reader', readsMaps);
    const status = async (): Promise<number> => (await at.ask(`GET ${maps}`, undefined, asAgent)).status;
    const agent = { kind: 'ServiceAccount', name: 'agent' };
    await at.bind(`${inNamespace}/rolebindings`, 'elsewhere', {
      role: 'ClusterRole/reader',
      subjects: [{ ...agent, namespace: 'other' }],
    });
    expect(await status()).toBe(403);
    await at.bind(`${inNamespace}/rolebindings`, 'here', {
      role: 'ClusterRole/reader',
      subjects: [{ ...agent, namespace: 'ns' }],
    });
    expect(await status()).toBe(200);
    await at.bind(`${rbac}/clusterrolebindings`, 'group', {
      role: 'ClusterRole/reader',
      subjects: [{ kind: 'Group', name: 'system:serviceaccounts:ns' }],
    });
    expect((await at.ask('GET /api/v1/configmaps', undefined, asAgent)).status).toBe(200);
  });

  it('asks for the right to create where an update or an apply creates, after all else', async () => {
    using at = await plane();
    await at.role(
      `${inNamespace}/roles`,
      'r',
      { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['patch', 'create'], resourceNames: ['s'] },
    );
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/r', subjects: [plainUser] });
    const type = 'application/apply-patch+yaml';
    const refused = await at.ask(`PATCH ${maps}/a?fieldManager=x`, configMap('a'), { type });
    expect(refused).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "a" is forbidden: User "plain" cannot create resource "configmaps" in API group "" in the namespace "ns"',
        details: { name: 'a', kind: 'configmaps' },
      },
    });
    const invalid = configMap('a', { data: { 'a b': 'x' } });
    expect((await at.ask(`PATCH ${maps}/a?fieldManager=x`, invalid, { type })).status).toBe(422);
    const secret = { ...configMap('s'), kind: 'Secret' };
    expect((await at.ask('POST /api/v1/namespaces/ns/secrets', secret)).status).toBe(403);
    expect((await at.ask('PATCH /api/v1/namespaces/ns/secrets/s?fieldManager=x', secret, { type })).status).toBe(201);
    await at.make(maps, configMap('a'));
    expect((await at.ask(`PATCH ${maps}/a?fieldManager=x`, configMap('a'), { type })).status).toBe(200);
  });

  it('lets everybody look at discovery, health and reviews of themselves', async () => {
    using at = await plane();
    for (const path of ['/api', '/apis', '/apis/apps', '/api/v1', '/version', '/livez', '/openapi/v3']) {
      expect((await at.ask(`GET ${path}`)).status, path).toBe(200);
    }
    expect((await at.ask('POST /version')).body['message']).toBe('forbidden: User "plain" cannot post path "/version"');
  });
});

describe('reviews', () => {
  const review = async (at: Plane, spec: JsonObject, as = 'plain'): Promise<unknown> => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    return (await at.ask(`POST ${path}`, { spec }, { as })).body['status'];
  };

  it('tell which binding allows it', async () => {
    using at = await plane();
    await at.role(`${inNamespace}/roles`, 'reader', readsMaps);
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/reader', subjects: [plainUser] });
    const get = { verb: 'get', resource: 'configmaps' };
    expect(await review(at, { resourceAttributes: { ...get, namespace: 'ns' } })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/ns" of Role "reader" to User "plain"',
    });
    expect(await review(at, { resourceAttributes: get })).toEqual({ allowed: false });
    expect(await review(at, { resourceAttributes: get }, 'admin')).toEqual({ allowed: true });
    expect(await review(at, { nonResourceAttributes: { verb: 'get', path: '/version' } })).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    });
  });

  it('list the rules of a user in a namespace', async () => {
    using at = await plane();
    await at.role(`${inNamespace}/roles`, 'reader', readsMaps);
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/reader', subjects: [plainUser] });
    const rules = async (namespace: string, as: string): Promise<JsonObject> => {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
      return (await at.ask(`POST ${path}`, { spec: { namespace } }, { as })).body['status'] as JsonObject;
    };
    const basic = {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    };
    const own = await rules('ns', 'plain');
    expect(own['resourceRules']).toEqual(expect.arrayContaining([basic, readsMaps]));
    expect(own['incomplete']).toBe(false);
    expect((await rules('other', 'plain'))['resourceRules']).not.toContainEqual(readsMaps);
    const all = await rules('ns', 'admin');
    expect(all['resourceRules']).toContainEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    expect(all['nonResourceRules']).toContainEqual({ verbs: ['*'], nonResourceURLs: ['*'] });
  });
});

describe('who gives rights', () => {
  /** May write roles and bindings, and read ConfigMaps. */
  const writer = async (): Promise<Plane> => {
    const at = await plane();
    const writesRoles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['create', 'patch'] };
    await at.role(`${inNamespace}/roles`, 'r', readsMaps, writesRoles);
    await at.bind(`${inNamespace}/rolebindings`, 'b', { role: 'Role/r', subjects: [plainUser] });
    return at;
  };
  const asPlain = 'user "plain" (groups=["plain-group" "system:authenticated"])';
  const role = (...rules: JsonObject[]): JsonObject => ({ metadata: { name: 'more' }, rules });

  it('must have them', async () => {
    using at = await writer();
    const more = role(
      { apiGroups: ['', 'apps'], resources: ['secrets', 'pods/log'], verbs: ['get', 'list'], resourceNames: ['a'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'delete'] },
    );
    expect((await at.ask(`POST ${inNamespace}/roles`, more)).body).toMatchObject({
      message: `roles.rbac.authorization.k8s.io "more" is forbidden: ${asPlain} is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}
{APIGroups:[""], Resources:["pods/log"], ResourceNames:["a"], Verbs:["get" "list"]}
{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get" "list"]}
{APIGroups:["apps"], Resources:["pods/log"], ResourceNames:["a"], Verbs:["get" "list"]}
{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["a"], Verbs:["get" "list"]}`,
      reason: 'Forbidden',
      details: { name: 'more', group: 'rbac.authorization.k8s.io', kind: 'roles' },
      code: 403,
    });
    const less = role({ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['z'] });
    expect((await at.ask(`POST ${inNamespace}/roles`, less)).status).toBe(201);
    const type = 'application/merge-patch+json';
    const grown = { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }] };
    expect((await at.ask(`PATCH ${inNamespace}/roles/more`, grown, { type })).status).toBe(403);
    const label = { metadata: { labels: { a: 'b' } } };
    expect((await at.ask(`PATCH ${inNamespace}/roles/r`, label, { type })).status).toBe(200);
  });

  it.each([
    { resourceNames: ['s'], want: 201 },
    { resourceNames: ['t'], want: 403 },
    { resourceNames: ['s', 't'], want: 403 },
    { resourceNames: [], want: 403 },
  ])('has them for the names that it has them for: $resourceNames', async ({ resourceNames, want }) => {
    using at = await writer();
    const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
    await at.role(`${inNamespace}/roles`, 's', { ...secrets, resourceNames: ['s'] });
    await at.bind(`${inNamespace}/rolebindings`, 's', { role: 'Role/s', subjects: [plainUser] });
    expect((await at.ask(`POST ${inNamespace}/roles`, role({ ...secrets, resourceNames }))).status).toBe(want);
  });

  it('may bind what it has', async () => {
    using at = await writer();
    const binding = (to: string): JsonObject => ({ metadata: { name: 'x' }, ...roleRef(to), subjects: [] });
    const bind = async (to: string) => at.ask(`POST ${inNamespace}/rolebindings`, binding(to));
    expect((await bind('ClusterRole/cluster-admin')).body['message']).toBe(
      `rolebindings.rbac.authorization.k8s.io "x" is forbidden: ${asPlain} is attempting to grant RBAC permissions not currently held:
{APIGroups:["*"], Resources:["*"], Verbs:["*"]}
{NonResourceURLs:["*"], Verbs:["*"]}`,
    );
    expect(await bind('Role/nope')).toMatchObject({
      status: 404,
      body: { message: 'rolebindings.rbac.authorization.k8s.io "nope" not found' },
    });
    expect((await bind('Role/r')).status).toBe(201);
  });

  it.each([
    {
      verb: 'escalate',
      resource: 'roles',
      path: 'roles',
      body: role({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }),
    },
    {
      verb: 'bind',
      resource: 'clusterroles',
      path: 'rolebindings',
      body: { metadata: { name: 'x' }, ...roleRef('ClusterRole/cluster-admin'), subjects: [] },
    },
  ])('need not, with the right to $verb', async ({ verb, resource, path, body }) => {
    using at = await writer();
    expect((await at.ask(`POST ${inNamespace}/${path}`, body)).status).toBe(403);
    await at.role(`${inNamespace}/roles`, 'v', {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: [resource],
      verbs: [verb],
    });
    await at.bind(`${inNamespace}/rolebindings`, 'v', { role: 'Role/v', subjects: [plainUser] });
    expect((await at.ask(`POST ${inNamespace}/${path}`, body)).status).toBe(201);
  });
});
