import { type JsonObject, type JsonValue, readAll } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { testPlane, type TestPlane, widget, zone } from '../plane.fixture.ts';
import type { Answer } from '../send.fixture.ts';
import { builtinResources } from '../resources/builtin/index.ts';
import { terminatingResource } from '../resources/crd/custom-resource.ts';
import { createResourceRegistry } from '../resources/resource-registry.ts';
import type { Resource } from '../resources/resource.ts';
import { compileSchema } from '../schema/compile.ts';
import { discover } from './discover.ts';

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** As kubectl 1.35 asks. */
const asKubectl = {
  accept: `${aggregatedType},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
};

/** With all built-in resources. */
async function ask(
  path: string,
  options: { custom?: readonly Resource[]; basePath?: string; accept?: string } = {},
): Promise<Answer> {
  const { custom = [], basePath = '', accept } = options;
  const resources = createResourceRegistry(builtinResources);
  for (const resource of custom) resources.set(resource);
  const { server } = testPlane();
  const [plain = '', query] = path.split('?');
  const response = discover(
    { ...server, resources },
    { method: 'GET', url: `https://plane.test${basePath}${path}`, headers: accept === undefined ? {} : { accept } },
    { path: plain, basePath, query: new URLSearchParams(query), signal: new AbortController().signal },
  );
  if (!response) return { status: 0, headers: {}, text: '', body: {} };
  const text = new TextDecoder().decode(await readAll(response.body));
  return { ...response, text, body: text ? (JSON.parse(text) as JsonObject) : {} };
}

const listed = (value: JsonValue | undefined): readonly JsonObject[] => value as unknown as readonly JsonObject[];

describe('legacy discovery', () => {
  const plane: TestPlane = testPlane();

  it('tells the version of the core group, and where it was asked', async () => {
    expect((await plane.ask('/api')).body).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'plane.test' }],
    });
  });

  it('tells groups: built-in ones by priority, custom ones by the least of their versions', async () => {
    const custom = ['b.dev', 'a.dev', 'c.dev'].map((group, index) => ({
      ...zone,
      id: `zones.${group}`,
      group,
      versions: [{ name: index === 1 ? 'v1alpha1' : 'v1', selectableFields: [] }],
    }));
    const names = listed((await ask('/apis', { custom })).body['groups']).map(({ name }) => name);
    expect(names).toEqual([
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      ...names.filter((name) => name === 'networking.k8s.io'),
      'rbac.authorization.k8s.io',
      ...names.filter((name) => name === 'admissionregistration.k8s.io'),
      'apiextensions.k8s.io',
      'coordination.k8s.io',
      'discovery.k8s.io',
      'b.dev',
      'c.dev',
      'a.dev',
    ]);
  });

  it('tells of a group its versions, preferred first', async () => {
    const versions = [
      { groupVersion: 'example.com/v1', version: 'v1' },
      { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
    ];
    expect((await plane.ask('/apis/example.com')).body).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'example.com',
      versions,
      preferredVersion: versions[0],
    });
  });

  it('tells of a version its resources, and theirs', async () => {
    const { body } = await plane.ask('/apis/example.com/v1');
    expect(body).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'example.com/v1' });
    expect(listed(body['resources'])).toEqual([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: widget.verbs,
        storageVersionHash: expect.stringMatching(/^[\w+/]{11}=$/),
      },
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      expect.objectContaining({ name: 'zones', namespaced: false }),
    ]);
    expect(listed((await plane.ask('/apis/example.com/v1beta1')).body['resources']).map(({ name }) => name)).toEqual([
      'widgets',
      'widgets/status',
    ]);
  });

  it('has the hash of a stored version that a real server has', async () => {
    const { body } = await ask('/apis/coordination.k8s.io/v1');
    expect(listed(body['resources'])).toMatchObject([{ name: 'leases', storageVersionHash: 'gqkMMb/YqFM=' }]);
  });

  it('leaves out the apiVersion of the core list, and tells of finalize', async () => {
    const { body } = await ask('/api/v1');
    expect(body).not.toHaveProperty('apiVersion');
    expect(listed(body['resources']).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'configmaps',
        'namespaces',
        'namespaces/finalize',
        'namespaces/status',
        'services/status',
      ]),
    );
  });

  it('tells that nothing is made of what goes', async () => {
    const { body } = await ask('/apis/example.com/v1', { custom: [terminatingResource(widget)] });
    expect(listed(body['resources'])[0]?.['verbs']).toEqual(['get', 'list', 'watch', 'delete', 'deletecollection']);
  });

  it.each([
    { path: '/apis/', method: 'GET', status: 200 },
    { path: '/api/v2', method: 'GET', status: 404 },
    { path: '/api/v1', method: 'POST', status: 405 },
    { path: '/api/v1', method: 'HEAD', status: 405 },
    { path: '/api', method: 'HEAD', status: 405 },
    { path: '/apis', method: 'POST', status: 200 },
    { path: '/apis/example.com/v1', method: 'HEAD', status: 200 },
    { path: '/apis/nobody.dev', method: 'GET', status: 404 },
    { path: '/apis/example.com/v9', method: 'GET', status: 404 },
    { path: '/apis/example.com/v1', method: 'POST', status: 200 },
    { path: '/openapi/v2', method: 'GET', status: 404 },
  ])('answers $method $path with $status', async ({ path, method, status }) => {
    expect((await plane.ask(path, { method })).status).toBe(status);
  });

  it('refuses what it does not speak, in two ways', async () => {
    const told = async (path: string, accept: string): Promise<JsonValue | undefined> => {
      const { status, body } = await plane.ask(path, { headers: { accept } });
      expect(status).toBe(406);
      return body['message'];
    };
    expect(await told('/api', 'text/plain')).toContain('406: Not Acceptable');
    expect(await told('/apis', 'text/plain')).toContain('only the following media types');
    const unknown = aggregatedType.replace('v=v2', 'v=v2beta1');
    expect(await told('/api', unknown)).toContain('only the following media types');
  });
});

describe('aggregated discovery', () => {
  const plane = testPlane();

  it('tells everything at once', async () => {
    const { headers, body } = await plane.ask('/apis', { headers: asKubectl });
    expect(headers).toMatchObject({ 'content-type': aggregatedType, vary: 'Accept', 'cache-control': 'public' });
    const responseKind = { group: 'example.com', version: 'v1', kind: 'Widget' };
    const widgets = {
      resource: 'widgets',
      responseKind,
      scope: 'Namespaced',
      singularResource: 'widget',
      verbs: widget.verbs,
      subresources: [{ subresource: 'status', responseKind, verbs: ['get', 'patch', 'update'] }],
    };
    expect(body).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: [
        {
          metadata: { name: 'example.com' },
          versions: [
            { version: 'v1', freshness: 'Current', resources: [widgets, { resource: 'zones', scope: 'Cluster' }] },
            { version: 'v1beta1', resources: [{ responseKind: { version: 'v1beta1' } }] },
          ],
        },
      ],
    });
  });

  it('tells the core group apart, without group and version', async () => {
    const { body } = await plane.ask('/api', { headers: asKubectl });
    expect(body['items']).toMatchObject([
      {
        metadata: {},
        versions: [
          { version: 'v1', resources: [{ resource: 'notes', responseKind: { group: '', version: '', kind: 'Note' } }] },
        ],
      },
    ]);
  });

  it('does not repeat what a client knows, until it changes', async () => {
    const own = testPlane();
    const { etag = '' } = (await own.ask('/apis', { headers: asKubectl })).headers;
    const again = async (): Promise<number> =>
      (await own.ask('/apis', { headers: { ...asKubectl, 'if-none-match': etag } })).status;
    expect(await again()).toBe(304);
    own.server.resources.delete(zone.id);
    expect(await again()).toBe(200);
  });
});

describe('OpenAPI v3', () => {
  const indexOf = (body: JsonObject): Readonly<Record<string, { serverRelativeURL: string }>> =>
    body['paths'] as unknown as Record<string, { serverRelativeURL: string }>;

  it('leads from the index to each document, below what the plane lives under', async () => {
    const index = indexOf((await ask('/openapi/v3', { custom: [widget], basePath: '/base' })).body);
    expect(Object.keys(index)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/example.com/v1beta1']));
    const { serverRelativeURL } = index['apis/example.com/v1'] as { serverRelativeURL: string };
    expect(serverRelativeURL).toMatch(/^\/base\/openapi\/v3\/apis\/example.com\/v1\?hash=[0-9A-F]{64}$/);
    const path = serverRelativeURL.slice('/base'.length);
    const found = await ask(path, { custom: [widget], basePath: '/base' });
    expect([found.status, found.headers['cache-control']]).toEqual([200, 'public, immutable']);
    const stale = await ask('/openapi/v3/apis/example.com/v1?hash=AB', { custom: [widget] });
    expect([stale.status, stale.headers['location']]).toEqual([301, path]);
    expect(
      (await ask('/openapi/v3/apis/example.com/v1', { custom: [widget], accept: 'application/yaml' })).status,
    ).toBe(406);
    for (const nothing of ['', 'apis/nobody.dev/v1', 'api/v1/']) {
      expect(await ask(`/openapi/v3/${nothing}`)).toMatchObject({ status: 404, headers: {}, text: '' });
    }
  });

  it('gives planes that serve the same one document, and others another', async () => {
    const hash = async (resource: Resource): Promise<string | undefined> =>
      (await ask('/openapi/v3/apis/example.com/v1', { custom: [resource] })).headers['etag'];
    expect(await hash({ ...widget })).toBe(await hash(widget));
    expect(await hash({ ...widget, namespaced: false })).not.toBe(await hash(widget));
  });

  it('describes a custom kind with its group, version and kind, its metadata by reference', async () => {
    const { body } = await ask('/openapi/v3/apis/example.com/v1', { custom: [widget] });
    const { schemas } = body['components'] as { schemas: Record<string, JsonObject> };
    expect(schemas['com.example.v1.Widget']).toMatchObject({
      type: 'object',
      properties: {
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
      },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
    });
    expect(schemas['com.example.v1.WidgetList']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/com.example.v1.Widget' } } },
    });
  });

  it.each(['api/v1', 'apis/apps/v1', 'apis/apiextensions.k8s.io/v1', 'apis/example.com/v1'])(
    'refers in %s to nothing that is not there',
    async (path) => {
      const { text, body } = await ask(`/openapi/v3/${path}`, { custom: [widget, zone] });
      const { schemas } = body['components'] as { schemas: Record<string, JsonObject> };
      const references = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
      expect([...references].filter((name) => name === undefined || !(name in schemas))).toEqual([]);
      expect(references.size).toBeGreaterThan(5);
    },
  );

  it('declares what kubectl looks for before it applies', async () => {
    const patchOf = async (path: string, at: string, custom: readonly Resource[] = []): Promise<JsonObject> => {
      const { body } = await ask(`/openapi/v3/${path}`, { custom });
      return (body['paths'] as Record<string, { patch: JsonObject }>)[at]?.patch ?? {};
    };
    const types = (operation: JsonObject): readonly string[] =>
      Object.keys((operation['requestBody'] as { content: object }).content);
    const builtin = await patchOf('api/v1', '/api/v1/namespaces/{namespace}/configmaps/{name}');
    expect(listed(builtin['parameters']).map(({ name }) => name)).toEqual([
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
    ]);
    expect(builtin['x-kubernetes-group-version-kind']).toEqual({ group: '', version: 'v1', kind: 'ConfigMap' });
    expect(types(builtin)).toContain('application/strategic-merge-patch+json');
    const custom = await patchOf('apis/example.com/v1', '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}', [
      widget,
    ]);
    expect(types(custom)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
  });

  it('says how strategic merge patches treat lists', async () => {
    const { body } = await ask('/openapi/v3/api/v1');
    const { schemas } = body['components'] as { schemas: Record<string, { properties: JsonObject }> };
    expect(schemas['io.k8s.api.core.v1.ServiceSpec']?.properties['ports']).toMatchObject({
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'port',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    });
  });

  it('says of a custom kind what kubectl would not guess: numbers or texts, and embedded objects', async () => {
    const schema = compileSchema({
      type: 'object',
      properties: {
        port: { 'x-kubernetes-int-or-string': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    });
    const { body } = await ask('/openapi/v3/apis/example.com/v1', { custom: [{ ...widget, schema }] });
    const { schemas } = body['components'] as { schemas: Record<string, { properties: JsonObject }> };
    expect(schemas['com.example.v1.Widget']?.properties).toMatchObject({
      port: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      template: { properties: { apiVersion: { type: 'string' }, metadata: { allOf: [{}] } } },
    });
  });
});
