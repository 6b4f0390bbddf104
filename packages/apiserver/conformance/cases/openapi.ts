import { containing, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What kubectl reads of schemas. */
export const openApiCases = defineCases('OpenAPI', {
  'v3: an index, and a document for each group and version': async (t) => {
    const index = await t.eventually('/openapi/v3', (answer) => answer.at('paths', `apis/${t.group}/v1`) !== undefined);
    t.matches(index, {
      paths: {
        'api/v1': { serverRelativeURL: /^\/openapi\/v3\/api\/v1\?hash=/ },
        'apis/coordination.k8s.io/v1': { serverRelativeURL: present },
        [`apis/${t.group}/v1`]: { serverRelativeURL: present },
      },
    });
    const core = t.ok(await t.get(index.at('paths', 'api/v1', 'serverRelativeURL') as string));
    const post = core.at('paths', '/api/v1/namespaces/{namespace}/configmaps', 'post');
    t.equal(
      post ?? null,
      {
        parameters: containing(
          { name: 'dryRun', in: 'query' },
          { name: 'fieldValidation', in: 'query' },
          { name: 'fieldManager', in: 'query' },
        ),
        'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'ConfigMap' },
      },
      'the path that creates ConfigMaps',
    );
    t.equal(
      core.at('components', 'schemas', 'io.k8s.api.core.v1.ConfigMap') ?? null,
      {
        type: 'object',
        properties: { data: { type: 'object', additionalProperties: { type: 'string' } }, metadata: present },
        'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'ConfigMap' }],
      },
      'the schema of ConfigMap',
    );
  },

  'v3: there is nothing beside the documents': async (t) => {
    for (const path of ['/openapi/v3/', '/openapi/v3//', '/openapi/v3/nothing', '/openapi/v3/api/v1/']) {
      const answer = await t.get(path);
      t.equal([answer.status, answer.text], [404, ''], path);
    }
    t.equal((await t.get('/openapi')).text.trim(), '404 page not found', '/openapi');
  },

  'v3 of a custom resource has its schema': async (t) => {
    const name = `${t.group.split('.').reverse().join('.')}.v1.Widget`;
    const path = `/openapi/v3/apis/${t.group}/v1`;
    const document = await t.eventually(path, (answer) => answer.at('components', 'schemas', name) !== undefined);
    t.equal(
      document.at('components', 'schemas', name) ?? null,
      {
        type: 'object',
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: present,
          spec: { properties: { mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' } } },
        },
        'x-kubernetes-group-version-kind': [{ group: t.group, version: 'v1', kind: 'Widget' }],
      },
      name,
    );
    t.equal(
      document.at('paths', `/apis/${t.group}/v1/namespaces/{namespace}/widgets/{name}`, 'patch') ?? null,
      { parameters: containing({ name: 'dryRun' }, { name: 'fieldValidation' }, { name: 'force' }) },
      'the path that patches Widgets',
    );
  },

  version: async (t) => {
    t.matches(t.ok(await t.get('/version')), {
      major: '1',
      minor: /^\d+$/,
      gitVersion: /^v\d+\.\d+\.\d+/,
      platform: present,
      goVersion: present,
    });
  },

  health: async (t) => {
    for (const path of ['/livez', '/readyz', '/healthz']) {
      const answer = t.ok(await t.get(path));
      t.equal(answer.text, 'ok', path);
      t.is(/^text\/plain/.test(answer.headers['content-type'] ?? ''), `content type of ${path}`);
    }
    t.is(/readyz check passed/.test(t.ok(await t.get('/readyz', { query: { verbose: '' } })).text), 'verbose');
  },
});
