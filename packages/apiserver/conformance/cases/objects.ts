import { absent, exactly, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Create, get, list, update and delete, for one resource of each sort. */
export const objectCases = defineCases('objects', {
  'a ConfigMap is created, read, listed, updated and deleted': async (t) => {
    const all = await t.configMaps();
    const created = t.ok(await t.create(all, t.configMap('a', { data: { x: '1' } })), 201);
    t.matches(created, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        namespace: await t.namespace(),
        uid: uuid,
        resourceVersion: /^[1-9]\d*$/,
        creationTimestamp: rfc3339,
        generation: absent,
        selfLink: absent,
        deletionTimestamp: absent,
      },
      data: { x: '1' },
    });
    t.equal(t.ok(await t.get(`${all}/a`)).body, created.body, 'what is read is what was created');
    const list = t.ok(await t.get(all, { query: { fieldSelector: 'metadata.name=a' } }));
    t.matches(list, {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: /^[1-9]\d*$/, continue: absent, remainingItemCount: absent },
      items: [{ kind: absent, apiVersion: absent, metadata: { uid: created.uid }, data: { x: '1' } }],
    });
    const updated = t.ok(await t.update(`${all}/a`, { ...created.object, data: { x: '2' } }));
    t.matches(updated, {
      metadata: { uid: created.uid, creationTimestamp: created.at('metadata', 'creationTimestamp') },
      data: { x: '2' },
    });
    t.is(BigInt(updated.resourceVersion) > BigInt(created.resourceVersion), 'a write raises the resourceVersion');
    const deleted = t.ok(await t.delete(`${all}/a`));
    t.matches(deleted, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      reason: absent,
      code: absent,
      details: { name: 'a', kind: 'configmaps', uid: created.uid, group: absent },
    });
    t.refused(await t.get(`${all}/a`), {
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "a" not found',
      details: { name: 'a', kind: 'configmaps', group: absent, uid: absent, causes: absent },
    });
  },

  'a custom resource is created, read, listed, updated and deleted': async (t) => {
    const all = await t.widgets();
    const created = t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } })), 201);
    t.matches(created, {
      kind: 'Widget',
      apiVersion: `${t.group}/v1`,
      metadata: { name: 'a', namespace: await t.namespace(), generation: 1, uid: uuid, creationTimestamp: rfc3339 },
      spec: { size: 1, mode: 'fast' },
      status: absent,
    });
    t.equal(t.ok(await t.get(`${all}/a`)).body, created.body, 'what is read is what was created');
    t.matches(t.ok(await t.get(all)), {
      kind: 'WidgetList',
      apiVersion: `${t.group}/v1`,
      metadata: { continue: '', resourceVersion: present },
      items: [{ kind: 'Widget', apiVersion: `${t.group}/v1`, metadata: { name: 'a' } }],
    });
    const updated = t.ok(await t.update(`${all}/a`, { ...created.object, spec: { size: 2 } }));
    t.matches(updated, { metadata: { generation: 2 }, spec: { size: 2, mode: 'fast' } });
    t.matches(t.ok(await t.delete(`${all}/a`)), {
      status: 'Success',
      details: { name: 'a', group: t.group, kind: 'widgets', uid: created.uid },
    });
    t.refused(await t.get(`${all}/a`), {
      code: 404,
      reason: 'NotFound',
      message: `widgets.${t.group} "a" not found`,
      details: { name: 'a', group: t.group, kind: 'widgets' },
    });
  },

  'a cluster-scoped custom resource has no namespace': async (t) => {
    const name = t.unique();
    const created = t.ok(await t.create(t.realms(), t.realm(name, { spec: { motto: 'x' } })), 201);
    t.matches(created, { metadata: { name, namespace: absent, generation: 1 }, spec: { motto: 'x' } });
    const stray = t.realm(t.unique(), { metadata: { namespace: 'default' } });
    t.matches(t.ok(await t.create(t.realms(), stray), 201), { metadata: { namespace: absent } });
  },

  'one version of a resource is read and written as another': async (t) => {
    const [v1, beta] = [await t.widgets(), await t.widgets('v1beta1')];
    t.ok(await t.create(v1, t.widget('a', { spec: { size: 1 } })), 201);
    t.matches(t.ok(await t.get(`${beta}/a`)), { apiVersion: `${t.group}/v1beta1`, kind: 'Widget', spec: { size: 1 } });
    t.matches(t.ok(await t.get(beta)), {
      apiVersion: `${t.group}/v1beta1`,
      items: [{ apiVersion: `${t.group}/v1beta1` }],
    });
    t.refused(await t.create(beta, t.widget('b')), {
      code: 400,
      reason: 'BadRequest',
      message: `the API version in the data (${t.group}/v1) does not match the expected API version (${t.group}/v1beta1)`,
    });
  },

  'an object that exists is not created again': async (t) => {
    const all = await t.configMaps();
    t.ok(await t.create(all, t.configMap('a')), 201);
    t.refused(await t.create(all, t.configMap('a')), {
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
    });
    const widgets = await t.widgets();
    t.ok(await t.create(widgets, t.widget('a')), 201);
    t.refused(await t.create(widgets, t.widget('a')), {
      code: 409,
      reason: 'AlreadyExists',
      message: `widgets.${t.group} "a" already exists`,
      details: { name: 'a', group: t.group, kind: 'widgets' },
    });
  },

  'what is not there is not found, whatever the verb': async (t) => {
    const all = await t.configMaps();
    const gone = { code: 404, reason: 'NotFound', message: 'configmaps "a" not found' };
    t.refused(await t.get(`${all}/a`), gone);
    t.refused(await t.update(`${all}/a`, t.configMap('a', { metadata: { resourceVersion: '1' } })), gone);
    t.refused(await t.merge(`${all}/a`, { data: { x: '1' } }), gone);
    t.refused(await t.delete(`${all}/a`), gone);
    t.refused(await t.get(`${await t.widgets()}/a/status`), { code: 404, reason: 'NotFound' });
  },

  'an update creates a Lease, and nothing else': async (t) => {
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: {} };
    t.matches(t.ok(await t.update(`${leases}/a`, lease), 201), { metadata: { name: 'a', uid: present } });
    t.refused(await t.update(`${await t.configMaps()}/a`, t.configMap('a')), { code: 404, reason: 'NotFound' });
    t.refused(await t.update(`${await t.widgets()}/a`, t.widget('a')), {
      code: 404,
      reason: 'NotFound',
      message: `widgets.${t.group} "a" not found`,
    });
  },

  'an object of a namespace that is not there is refused': async (t) => {
    const path = `/api/v1/namespaces/${t.unique()}`;
    t.refused(await t.create(`${path}/configmaps`, t.configMap('a')), {
      code: 404,
      reason: 'NotFound',
      message: /^namespaces ".*" not found$/,
      details: { kind: 'namespaces' },
    });
    t.matches(t.ok(await t.get(`${path}/configmaps`)), { items: [] });
  },

  'body and path must agree': async (t) => {
    const all = await t.configMaps();
    t.refused(await t.create(all, t.configMap('a', { metadata: { namespace: 'default' } })), {
      code: 400,
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
    t.ok(await t.create(all, t.configMap('a')), 201);
    t.refused(await t.update(`${all}/a`, t.configMap('b')), {
      code: 400,
      reason: 'BadRequest',
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
    t.refused(await t.create(all, { ...t.configMap('b'), kind: 'Secret' }), {
      code: 400,
      reason: 'BadRequest',
      message: /^Secret in version "v1" cannot be handled as a ConfigMap/,
    });
    t.refused(await t.create(all, { ...t.configMap('b'), apiVersion: 'v2' }), {
      code: 400,
      reason: 'BadRequest',
      message:
        /^ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2"/,
    });
  },

  'the namespace, and for built-in kinds the kind, come from the path when the body leaves them out': async (t) => {
    const all = await t.configMaps();
    t.matches(t.ok(await t.create(all, { metadata: { name: 'a' }, data: { x: '1' } }), 201), {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { namespace: await t.namespace() },
    });
    t.matches(await t.create(await t.widgets(), { metadata: { name: 'a' } }), {
      kind: 'Status',
      code: 400,
      reason: 'BadRequest',
    });
  },

  'a Namespace has a label with its name, and a phase': async (t) => {
    const name = await t.namespace();
    t.matches(t.ok(await t.get(`/api/v1/namespaces/${name}`)), {
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  },

  'a Service keeps what its type demands': async (t) => {
    const all = await t.core('services');
    const created = t.ok(
      await t.create(
        all,
        t.service('a', { spec: { clusterIP: 'None', ports: [{ port: 80 }], selector: { app: 'x' } } }),
      ),
      201,
    );
    t.matches(created, {
      spec: {
        clusterIP: 'None',
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    });
    t.refused(await t.create(all, t.service('b', { spec: {} })), {
      code: 422,
      reason: 'Invalid',
      message: /spec.ports: Required value/,
    });
  },

  'a Secret keeps its data and turns stringData into it': async (t) => {
    const created = t.ok(
      await t.create(await t.core('secrets'), {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'a' },
        data: { x: 'MQ==' },
        stringData: { y: '2', x: '3' },
      }),
      201,
    );
    t.matches(created, { type: 'Opaque', data: { x: 'Mw==', y: 'Mg==' }, stringData: absent });
  },

  'a restart changes nothing': [
    'restart',
    async (t) => {
      const maps = await t.configMaps();
      const created = t.ok(await t.create(maps, t.configMap('a', { data: { x: '1' } })), 201);
      await t.can.restart?.();
      t.equal(t.ok(await t.get(`${maps}/a`)).body, exactly(created.body), 'the object');
      const next = t.ok(await t.create(maps, t.configMap('b')), 201);
      t.is(BigInt(next.resourceVersion) > BigInt(created.resourceVersion), 'resourceVersions go on');
    },
  ],

  'an EndpointSlice counts its generations': async (t) => {
    const all = await t.named('discovery.k8s.io/v1', 'endpointslices');
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'a', labels: { 'kubernetes.io/service-name': 's' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'] }],
      ports: [{ port: 80 }],
    };
    const created = t.ok(await t.create(all, slice), 201);
    t.matches(created, { metadata: { generation: 1 }, ports: [{ name: '', port: 80, protocol: 'TCP' }] });
    t.matches(t.ok(await t.merge(`${all}/a`, { metadata: { labels: { x: '1' } } })), { metadata: { generation: 2 } });
    t.matches(t.ok(await t.merge(`${all}/a`, { ports: [{ port: 81 }] })), { metadata: { generation: 3 } });
    t.refused(await t.merge(`${all}/a`, { addressType: 'IPv6' }), { code: 422, reason: 'Invalid' });
  },
});
