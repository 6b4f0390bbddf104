import { absent } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** Paths and methods that lead nowhere. */
export const pathCases = defineCases('paths', {
  'what no group serves is not found': async (t) => {
    const notServed = {
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    };
    t.refused(await t.get('/api/v1/nonsense'), notServed);
    t.refused(await t.get(`/api/v1/namespaces/${await t.namespace()}/nonsense/a`), notServed);
    const unknown = [
      '/apis/no.such.group/v1',
      '/apis/no.such.group/v1/things',
      '/no/such/path',
      `/apis/${t.group}/v1/nonsense`,
      `/apis/${t.group}/v9/widgets`,
    ];
    for (const path of unknown) t.equal((await t.get(path)).status, 404, path);
    for (const path of unknown.slice(0, 3)) t.equal((await t.get(path)).text.trim(), '404 page not found', path);
    t.equal(
      (await t.create(`/apis/${t.group}/v1/namespaces/${await t.namespace()}/nonsense`, {})).status,
      404,
      'a create',
    );
  },

  'a method that a resource does not take is refused': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const notAllowed = {
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    };
    t.refused(await t.request('PUT', maps, { body: t.configMap('a') }), notAllowed);
    t.refused(await t.request('PATCH', maps, { body: {}, type: 'application/merge-patch+json' }), notAllowed);
    t.refused(await t.request('POST', `${maps}/a`, { body: t.configMap('a') }), notAllowed);
    t.refused(await t.request('POST', '/api/v1/configmaps', { body: t.configMap('a') }), notAllowed);
    t.refused(await t.request('OPTIONS', maps), { code: 405 });
  },

  'nothing between two slashes is the name of nothing': async (t) => {
    const namespace = await t.namespace();
    const core = `/api/v1/namespaces/${namespace}`;
    const custom = `/apis/${t.group}/v1/namespaces/${namespace}/widgets`;
    const group = `/apis/${t.group}`;
    const pages = [
      `/${core}/configmaps`,
      `/${custom}`,
      `/apis//${t.group}/v1/namespaces/${namespace}/widgets`,
      `${group}//v1/namespaces/${namespace}/widgets`,
      `${group}/v1//namespaces/${namespace}/widgets`,
      `${group}/v1/namespaces//${namespace}/widgets`,
      `${group}/v1/namespaces/${namespace}//widgets`,
      '/apis//',
      '/apis//apps',
      '/healthz/',
      '/livez/',
      '//version',
    ];
    for (const path of pages) {
      const answer = await t.get(path);
      t.equal([answer.status, answer.text.trim()], [404, '404 page not found'], path);
    }
    const message = 'the server could not find the requested resource';
    for (const path of ['/api//v1/configmaps', '/api/v1//configmaps', `${core}//configmaps`, '/apis/apps//v1']) {
      t.refused(await t.get(path), { code: 404, reason: 'NotFound', message });
    }
    t.refused(await t.get(`${core}/configmaps//a`), { code: 404, message });
    t.refused(await t.get(`${custom}//nothing`), {
      code: 404,
      message: `widgets.${t.group} "" not found`,
      details: { name: absent, group: t.group, kind: 'widgets' },
    });
    t.refused(await t.get(`${custom}//status`), {
      code: 405,
      message: `list is not supported on resources of kind "widgets.${t.group}"`,
    });
    t.refused(await t.get('/apis/apps/v1/namespaces//deployments/a'), {
      code: 400,
      reason: 'BadRequest',
      message: 'Namespace parameter required.',
    });
    t.refused(await t.get('/api/v1/namespaces//status'), { code: 400, message: 'name must be provided' });
    t.matches(t.ok(await t.get('/apis/apps/v1/namespaces//deployments')), { kind: 'DeploymentList' });
  },

  'slashes at the end do not count': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.matches(t.ok(await t.get(`${maps}//`)), { kind: 'ConfigMapList' });
    t.matches(t.ok(await t.get(`${maps}/a//`)), { kind: 'ConfigMap' });
    t.matches(t.ok(await t.get(`${await t.widgets()}//`)), { kind: 'WidgetList' });
    t.matches(t.ok(await t.get('/api//')), { kind: 'APIVersions' });
    t.matches(t.ok(await t.get('/api/v1//')), { kind: 'APIResourceList' });
    t.matches(t.ok(await t.get('/apis/')), { kind: 'APIGroupList' });
    t.matches(t.ok(await t.get(`/apis/${t.group}//`)), { kind: 'APIGroup' });
    t.matches(t.ok(await t.get('/version//')), { major: '1' });
  },

  'what has an escape may be anything': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.matches(t.ok(await t.get(`/%61pi/v1/namespaces/${await t.namespace()}%2fconfigmaps/%61`)), { kind: 'ConfigMap' });
    t.refused(await t.get(`${maps}/a%20b`), { code: 404, message: 'configmaps "a b" not found' });
    t.refused(await t.get(`${maps}/a+b`), { code: 404, message: 'configmaps "a+b" not found' });
    t.refused(await t.get(`${maps}/%ff`), { code: 404, details: { name: '\ufffd', kind: 'configmaps' } });
  },

  'pairs of a query that cannot be read are not there': async (t) => {
    for (const path of [await t.configMaps(), await t.widgets()]) {
      t.refused(await t.get(`${path}?limit=a`), {
        code: 400,
        message: /strconv\.ParseInt: parsing "a": invalid syntax/,
      });
      t.refused(await t.get(`${path}?limit=%61&limit=1`), { code: 400 });
      t.refused(await t.get(`${path}?%zz=1&limit=a`), { code: 400 });
      for (const query of ['limit=a;b', 'limit=1;continue=x', 'limit=%zz', 'limit=%', '?limit=a', 'limit=1&limit=a']) {
        t.ok(await t.get(`${path}?${query}`));
      }
      t.ok(await t.get(`${path}?labelSelector=a%3D%21%`));
    }
  },

  'scope and path must agree': async (t) => {
    t.equal(
      (await t.get(`/api/v1/namespaces/${await t.namespace()}/namespaces`)).status,
      404,
      'a cluster resource in a namespace',
    );
    t.equal(
      (await t.get(`/apis/${t.group}/v1/namespaces/${await t.namespace()}/realms`)).status,
      404,
      'a custom cluster resource in a namespace',
    );
    t.equal((await t.get('/api/v1/configmaps/a')).status, 404, 'an object without its namespace');
    t.equal((await t.get(`/apis/${t.group}/v1/widgets/a`)).status, 404, 'a custom object without its namespace');
  },

  'names are decoded once': async (t) => {
    const roles = await t.named('rbac.authorization.k8s.io/v1', 'roles');
    t.ok(
      await t.create(roles, { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a:b' } }),
      201,
    );
    t.matches(t.ok(await t.get(`${roles}/a%3Ab`)), { metadata: { name: 'a:b' } });
    t.matches(t.ok(await t.get(`${roles}/a:b`)), { metadata: { name: 'a:b' } });
    t.refused(await t.get(`${roles}/a%253Ab`), { code: 400, reason: 'BadRequest' });
  },

  'the root lists paths': async (t) => {
    const answer = t.ok(await t.get('/'));
    t.is(Array.isArray(answer.at('paths')), 'paths');
    t.matches(answer, { kind: absent });
  },

  'HEAD is answered like GET, without a body': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const answer = await t.request('HEAD', `${maps}/a`);
    t.equal(answer.text, '', 'body');
  },
});
