import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = (spec: object) =>
  ({ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }) as never;

/** Who may do what. */
export const accessCases = defineCases('access', {
  'who is unknown is refused': [
    'tokens',
    async (t) => {
      const refusal = { code: 401, reason: 'Unauthorized', message: 'Unauthorized', details: absent };
      t.refused(await t.get(await t.configMaps(), { as: 'nobody' }), refusal);
      t.refused(await t.get('/apis', { as: 'nobody' }), refusal);
      t.refused(await t.get('/no/such/path', { as: 'nobody' }), refusal);
    },
  ],

  'what holds no token is no credentials': [
    'rbac',
    async (t) => {
      const maps = await t.configMaps();
      const basic = `Basic ${Buffer.from('admin:admin-token').toString('base64')}`;
      for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer  x', 'Bearer\tx', basic, 'x']) {
        const headers = { authorization };
        t.refused(await t.get(maps, { headers }), {
          code: 403,
          reason: 'Forbidden',
          message: `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "${await t.namespace()}"`,
        });
        t.refused(await t.get('/livez/ping', { headers }), {
          code: 403,
          message: 'forbidden: User "system:anonymous" cannot get path "/livez/ping"',
        });
        for (const path of ['/version', '/version/', '/livez', '/readyz', '/healthz']) {
          t.ok(await t.get(path, { headers }));
        }
        t.refused(await t.request('POST', '/livez', { headers }), { code: 403 });
      }
    },
  ],

  'a user without the right is refused, and told what is missing': [
    'rbac',
    async (t) => {
      const maps = await t.configMaps();
      const namespace = await t.namespace();
      const user = 'plain';
      t.refused(await t.get(maps, { as: 'plain' }), {
        code: 403,
        reason: 'Forbidden',
        message: `configmaps is forbidden: User "${user}" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
        details: { kind: 'configmaps', name: absent, causes: absent },
      });
      t.refused(await t.get(`${maps}/a`, { as: 'plain' }), {
        code: 403,
        message: `configmaps "a" is forbidden: User "${user}" cannot get resource "configmaps" in API group "" in the namespace "${namespace}"`,
        details: { name: 'a', kind: 'configmaps' },
      });
      t.refused(await t.create(maps, t.configMap('a'), { as: 'plain' }), {
        code: 403,
        message: `configmaps is forbidden: User "${user}" cannot create resource "configmaps" in API group "" in the namespace "${namespace}"`,
      });
      t.refused(await t.merge(`${await t.widgets()}/a/status`, {}, { as: 'plain' }), {
        code: 403,
        message: `widgets.${t.group} "a" is forbidden: User "${user}" cannot patch resource "widgets/status" in API group "${t.group}" in the namespace "${namespace}"`,
        details: { name: 'a', group: t.group, kind: 'widgets' },
      });
      t.refused(await t.get('/api/v1/configmaps', { as: 'plain', query: { watch: true } }), {
        code: 403,
        message: `configmaps is forbidden: User "${user}" cannot watch resource "configmaps" in API group "" at the cluster scope`,
      });
      t.refused(await t.delete(maps, { as: 'plain' }), {
        code: 403,
        message: `configmaps is forbidden: User "${user}" cannot deletecollection resource "configmaps" in API group "" in the namespace "${namespace}"`,
      });
      t.refused(await t.get(`/api/v1/namespaces/${namespace}`, { as: 'plain' }), {
        code: 403,
        message: `namespaces "${namespace}" is forbidden: User "${user}" cannot get resource "namespaces" in API group "" in the namespace "${namespace}"`,
      });
      t.refused(await t.get('/metrics', { as: 'plain' }), {
        code: 403,
        reason: 'Forbidden',
        message: `forbidden: User "${user}" cannot get path "/metrics"`,
      });
    },
  ],

  'everybody may look at discovery, the version and health': [
    'rbac',
    async (t) => {
      t.matches(t.ok(await t.get('/api', { as: 'plain' })), { kind: 'APIVersions' });
      t.matches(t.ok(await t.get('/apis', { as: 'plain' })), { kind: 'APIGroupList' });
      t.matches(t.ok(await t.get('/api/v1', { as: 'plain' })), { kind: 'APIResourceList' });
      t.matches(t.ok(await t.get('/version', { as: 'plain' })), { major: '1' });
      t.matches(t.ok(await t.get('/openapi/v3', { as: 'plain' })), { paths: present });
      for (const path of ['/livez', '/readyz']) t.equal(t.ok(await t.get(path, { as: 'plain' })).text, 'ok', path);
    },
  ],

  'a Role gives what it says, where it says so': [
    'rbac',
    async (t) => {
      const rbac = 'rbac.authorization.k8s.io/v1';
      const maps = await t.configMaps();
      t.ok(await t.create(maps, t.configMap('a')), 201);
      const role = {
        apiVersion: rbac,
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'update'], resourceNames: ['a'] },
          { apiGroups: [t.group], resources: ['widgets/status'], verbs: ['*'] },
        ],
      };
      t.ok(await t.create(await t.named(rbac, 'roles'), role), 201);
      const binding = {
        apiVersion: rbac,
        kind: 'RoleBinding',
        metadata: { name: 'b' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'plain' }],
      };
      t.ok(await t.create(await t.named(rbac, 'rolebindings'), binding), 201);
      await t.eventually(`${maps}/a`, ({ status }) => status === 200, { as: 'plain' });
      t.ok(await t.get(`${maps}/a`, { as: 'plain' }));
      t.refused(await t.get(`${maps}/b`, { as: 'plain' }), { code: 403 });
      t.refused(await t.get(maps, { as: 'plain' }), { code: 403 });
      t.refused(await t.delete(`${maps}/a`, { as: 'plain' }), { code: 403 });
      t.ok(await t.update(`${maps}/a`, t.configMap('a', { data: { x: '1' } }), { as: 'plain' }));
      t.refused(await t.merge(`${await t.widgets()}/a/status`, {}, { as: 'plain' }), { code: 404 });
      t.refused(await t.merge(`${await t.widgets()}/a`, {}, { as: 'plain' }), { code: 403 });
    },
  ],

  'a ClusterRole gives everywhere, or where a RoleBinding says': [
    'rbac',
    async (t) => {
      const rbac = '/apis/rbac.authorization.k8s.io/v1';
      const name = t.unique();
      const api = { apiVersion: 'rbac.authorization.k8s.io/v1' };
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
      t.ok(
        await t.create(`${rbac}/clusterroles`, {
          ...api,
          kind: 'ClusterRole',
          metadata: { name },
          rules: [{ apiGroups: [t.group], resources: ['*'], verbs: ['list'] }],
        }),
        201,
      );
      const subjects = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'plain-group' }];
      t.ok(
        await t.create(await t.named('rbac.authorization.k8s.io/v1', 'rolebindings'), {
          ...api,
          kind: 'RoleBinding',
          metadata: { name: 'b' },
          roleRef,
          subjects,
        }),
        201,
      );
      await t.eventually(await t.widgets(), ({ status }) => status === 200, { as: 'plain' });
      t.ok(await t.get(await t.gadgets(), { as: 'plain' }));
      t.refused(await t.get(`/apis/${t.group}/v1/gadgets`, { as: 'plain' }), { code: 403 });
    },
  ],

  'who gives rights must have them': [
    'rbac',
    async (t) => {
      const rbac = 'rbac.authorization.k8s.io/v1';
      const roles = await t.named(rbac, 'roles');
      const api = { apiVersion: rbac };
      t.ok(
        await t.create(roles, {
          ...api,
          kind: 'Role',
          metadata: { name: 'r' },
          rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create', 'get'] }],
        }),
        201,
      );
      t.ok(
        await t.create(await t.named(rbac, 'rolebindings'), {
          ...api,
          kind: 'RoleBinding',
          metadata: { name: 'b' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
          subjects: [{ kind: 'User', name: 'plain' }],
        }),
        201,
      );
      await t.eventually(`${roles}/r`, ({ status }) => status === 200, { as: 'plain' });
      t.refused(
        await t.create(
          roles,
          {
            ...api,
            kind: 'Role',
            metadata: { name: 'more' },
            rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
          },
          { as: 'plain' },
        ),
        {
          code: 403,
          reason: 'Forbidden',
          message: /is attempting to grant RBAC permissions not currently held/,
        },
      );
      t.ok(
        await t.create(
          roles,
          {
            ...api,
            kind: 'Role',
            metadata: { name: 'same' },
            rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get'] }],
          },
          { as: 'plain' },
        ),
        201,
      );
    },
  ],

  'a review tells what the asker may do': async (t) => {
    const attributes = { namespace: await t.namespace(), verb: 'create', resource: 'configmaps', group: '' };
    const answer = t.ok(await t.create(reviews, review({ resourceAttributes: attributes })), 201);
    t.matches(answer, {
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'create' } },
      status: { allowed: true },
    });
    t.matches(
      t.ok(await t.create(reviews, review({ nonResourceAttributes: { path: '/version', verb: 'get' } })), 201),
      { status: { allowed: true } },
    );
    t.refused(await t.create(reviews, review({})), {
      code: 422,
      reason: 'Invalid',
      message: /exactly one of nonResourceAttributes or resourceAttributes must be specified/,
    });
    t.refused(await t.get(reviews), { code: 405, reason: 'MethodNotAllowed' });
  },

  'a review tells a user without rights so': [
    'rbac',
    async (t) => {
      const attributes = { namespace: await t.namespace(), verb: 'create', resource: 'configmaps', group: '' };
      t.matches(t.ok(await t.create(reviews, review({ resourceAttributes: attributes }), { as: 'plain' }), 201), {
        status: { allowed: false },
      });
      t.matches(
        t.ok(
          await t.create(reviews, review({ nonResourceAttributes: { path: '/version', verb: 'get' } }), {
            as: 'plain',
          }),
          201,
        ),
        { status: { allowed: true } },
      );
    },
  ],
});
