import { containing, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const crud = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** What a server serves, and how it says so. */
export const discoveryCases = defineCases('discovery', {
  'the legacy lists of versions and groups': async (t) => {
    t.matches(t.ok(await t.get('/api')), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: present,
    });
    const groups = t.ok(await t.get('/apis'));
    t.matches(groups, {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: containing(
        {
          name: 'coordination.k8s.io',
          versions: containing({ groupVersion: 'coordination.k8s.io/v1', version: 'v1' }),
          preferredVersion: { groupVersion: 'coordination.k8s.io/v1', version: 'v1' },
        },
        { name: 'apiextensions.k8s.io' },
        { name: 'discovery.k8s.io' },
        { name: 'events.k8s.io' },
        { name: 'rbac.authorization.k8s.io' },
        { name: 'authorization.k8s.io' },
        {
          name: t.group,
          versions: [
            { groupVersion: `${t.group}/v1`, version: 'v1' },
            { groupVersion: `${t.group}/v1beta1`, version: 'v1beta1' },
          ],
          preferredVersion: { groupVersion: `${t.group}/v1`, version: 'v1' },
        },
      ),
    });
  },

  'what is registered takes GET, what is looked up anything': async (t) => {
    const notAllowed = {
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    };
    for (const path of ['/api', '/api/v1', '/apis/apps/v1', '/version']) {
      t.refused(await t.request('POST', path), notAllowed);
      t.refused(await t.delete(path), notAllowed);
      t.equal((await t.request('HEAD', path)).status, 405, `HEAD ${path}`);
    }
    for (const path of ['/apis', '/apis/apps', `/apis/${t.group}`, `/apis/${t.group}/v1`]) {
      t.ok(await t.request('POST', path));
      t.ok(await t.request('HEAD', path));
    }
  },

  'the resources of the core group': async (t) => {
    t.matches(t.ok(await t.get('/api/v1')), {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: containing(
        {
          name: 'configmaps',
          singularName: 'configmap',
          namespaced: true,
          kind: 'ConfigMap',
          verbs: crud,
          shortNames: ['cm'],
          storageVersionHash: present,
        },
        {
          name: 'namespaces',
          namespaced: false,
          kind: 'Namespace',
          verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
          shortNames: ['ns'],
        },
        { name: 'namespaces/status', namespaced: false, kind: 'Namespace', verbs: ['get', 'patch', 'update'] },
        { name: 'namespaces/finalize', namespaced: false, kind: 'Namespace', verbs: ['update'] },
        { name: 'services', shortNames: ['svc'], categories: ['all'] },
        { name: 'services/status' },
        { name: 'secrets' },
        { name: 'serviceaccounts', shortNames: ['sa'] },
        { name: 'events', shortNames: ['ev'] },
      ),
    });
  },

  'the resources of other built-in groups': async (t) => {
    for (const [path, ...resources] of [
      ['coordination.k8s.io/v1', { name: 'leases', kind: 'Lease', namespaced: true, verbs: crud }],
      ['discovery.k8s.io/v1', { name: 'endpointslices', kind: 'EndpointSlice', namespaced: true, verbs: crud }],
      ['events.k8s.io/v1', { name: 'events', kind: 'Event', shortNames: ['ev'] }],
      [
        'rbac.authorization.k8s.io/v1',
        { name: 'roles', kind: 'Role' },
        { name: 'clusterroles', namespaced: false },
        { name: 'rolebindings' },
        { name: 'clusterrolebindings', namespaced: false },
      ],
      [
        'authorization.k8s.io/v1',
        { name: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', namespaced: false, verbs: ['create'] },
      ],
      [
        'apiextensions.k8s.io/v1',
        {
          name: 'customresourcedefinitions',
          kind: 'CustomResourceDefinition',
          namespaced: false,
          shortNames: ['crd', 'crds'],
          verbs: crud,
          categories: ['api-extensions'],
        },
        { name: 'customresourcedefinitions/status', verbs: ['get', 'patch', 'update'] },
      ],
    ] as const) {
      t.matches(t.ok(await t.get(`/apis/${path}`)), {
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: path,
        resources: containing(...resources),
      });
    }
  },

  'the resources of custom groups': async (t) => {
    t.matches(t.ok(await t.get(`/apis/${t.group}`)), {
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: t.group,
      preferredVersion: { version: 'v1' },
    });
    t.matches(t.ok(await t.get(`/apis/${t.group}/v1`)), {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${t.group}/v1`,
      resources: containing(
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['wdg'],
          categories: ['conformance'],
          storageVersionHash: present,
        },
        {
          name: 'widgets/status',
          singularName: '',
          namespaced: true,
          kind: 'Widget',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'widgets/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
        { name: 'gadgets', kind: 'Gadget' },
        { name: 'realms', namespaced: false },
      ),
    });
    t.matches(t.ok(await t.get(`/apis/${t.group}/v1beta1`)), { resources: containing({ name: 'widgets' }) });
  },

  'aggregated: all in two documents': async (t) => {
    const answer = t.ok(await t.get('/apis', { accept: aggregated }));
    t.equal(
      answer.headers['content-type'] ?? null,
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      'content type',
    );
    t.is(answer.headers['etag'] !== undefined, 'an etag');
    t.matches(answer, {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: containing(
        {
          metadata: { name: 'coordination.k8s.io' },
          versions: containing({
            version: 'v1',
            freshness: 'Current',
            resources: containing({
              resource: 'leases',
              responseKind: { group: '', version: '', kind: 'Lease' },
              scope: 'Namespaced',
              singularResource: 'lease',
              verbs: crud,
            }),
          }),
        },
        {
          metadata: { name: t.group },
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: containing(
                {
                  resource: 'widgets',
                  responseKind: { group: t.group, version: 'v1', kind: 'Widget' },
                  scope: 'Namespaced',
                  singularResource: 'widget',
                  shortNames: ['wdg'],
                  categories: ['conformance'],
                  verbs: containing(...crud),
                  subresources: containing(
                    {
                      subresource: 'status',
                      responseKind: { group: t.group, version: 'v1', kind: 'Widget' },
                      verbs: ['get', 'patch', 'update'],
                    },
                    {
                      subresource: 'scale',
                      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                      verbs: ['get', 'patch', 'update'],
                    },
                  ),
                },
                { resource: 'realms', scope: 'Cluster' },
              ),
            },
            { version: 'v1beta1' },
          ],
        },
      ),
    });
    t.matches(t.ok(await t.get('/api', { accept: aggregated })), {
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: present,
          versions: [{ version: 'v1', resources: containing({ resource: 'configmaps', shortNames: ['cm'] }) }],
        },
      ],
    });
    const etag = answer.headers['etag'] ?? '';
    const unchanged = await t.get('/apis', { accept: aggregated, headers: { 'if-none-match': etag } });
    t.is([200, 304].includes(unchanged.status), 'an answer to If-None-Match');
  },

  'groups and versions that are not there are not found': async (t) => {
    for (const path of [`/apis/none.${t.group}`, `/apis/${t.group}/v9`]) {
      const answer = await t.get(path);
      t.equal(answer.status, 404, path);
      t.equal(answer.text.trim(), '404 page not found', path);
    }
  },
});
