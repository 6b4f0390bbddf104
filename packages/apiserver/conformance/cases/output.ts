import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** What an answer looks like, by what was asked for. */
export const outputCases = defineCases('output', {
  'a table of one and of many': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a', { data: { x: '1', y: '2' } })), 201);
    const one = t.ok(await t.get(`${maps}/a`, { accept: table }));
    t.matches(one, {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: present },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: present, priority: 0 },
        { name: 'Data', type: 'string', format: '', description: present, priority: 0 },
        { name: 'Age', type: 'string', format: '', description: present, priority: 0 },
      ],
      rows: [
        {
          cells: ['a', 2, /^\d+s$|^<invalid>$/],
          object: {
            kind: 'PartialObjectMetadata',
            apiVersion: 'meta.k8s.io/v1',
            metadata: { name: 'a', uid: present },
            data: absent,
          },
        },
      ],
    });
    const many = t.ok(await t.get(maps, { accept: table }));
    t.matches(many, {
      kind: 'Table',
      metadata: { resourceVersion: present },
      columnDefinitions: [present, present, present],
      rows: [{ cells: ['a', 2, present] }],
    });
    t.is(/^application\/json/.test(many.headers['content-type'] ?? ''), 'content type');
  },

  'the columns of a custom resource are those of its definition': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { size: 3, code: 'abc' } })), 201);
    t.ok(
      await t.merge(`${all}/a/status`, {
        status: {
          conditions: [
            { type: 'Other', status: 'False' },
            { type: 'Ready', status: 'True' },
          ],
        },
      }),
    );
    t.ok(await t.create(all, t.widget('b')), 201);
    t.matches(t.ok(await t.get(all, { accept: table })), {
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Size', type: 'integer', format: '', priority: 0, description: /^Custom resource definition column/ },
        { name: 'Mode', type: 'string', priority: 0, description: 'How it runs.' },
        { name: 'Ready', type: 'string', priority: 0 },
        { name: 'Code', type: 'string', priority: 1 },
        { name: 'Age', type: 'date', priority: 0 },
      ],
      rows: [
        { cells: ['a', 3, 'fast', 'True', 'abc', /^\d+s$|^<invalid>$/] },
        { cells: ['b', null, null, null, null, present] },
      ],
    });
    const gadgets = await t.gadgets();
    t.ok(await t.create(gadgets, t.gadget('a')), 201);
    t.matches(t.ok(await t.get(gadgets, { accept: table })), {
      columnDefinitions: [{ name: 'Name' }, { name: 'Age', type: 'date', description: present }],
      rows: [{ cells: ['a', present] }],
    });
  },

  'rows hold whole objects, metadata or none, as includeObject says': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a', { data: { x: '1' } })), 201);
    t.matches(t.ok(await t.get(maps, { accept: table, query: { includeObject: 'Object' } })), {
      rows: [{ object: { kind: 'ConfigMap', apiVersion: 'v1', data: { x: '1' } } }],
    });
    t.matches(t.ok(await t.get(maps, { accept: table, query: { includeObject: 'None' } })), {
      rows: [{ cells: present, object: null }],
    });
    t.refused(await t.get(maps, { accept: table, query: { includeObject: 'Half' } }), {
      code: 400,
      reason: 'BadRequest',
    });
  },

  'an empty table has its columns, and tables come in pages': async (t) => {
    const maps = await t.configMaps();
    t.matches(t.ok(await t.get(maps, { accept: table })), { columnDefinitions: [present, present, present], rows: [] });
    for (const name of ['a', 'b']) t.ok(await t.create(maps, t.configMap(name)), 201);
    t.matches(t.ok(await t.get(maps, { accept: table, query: { limit: 1 } })), {
      metadata: { continue: present, remainingItemCount: 1 },
      rows: [present],
    });
  },

  'tables of the kinds that people look at': async (t) => {
    const services = await t.core('services');
    t.ok(
      await t.create(
        services,
        t.service('a', { spec: { clusterIP: 'None', ports: [{ port: 80, name: 'http' }], selector: { x: 'y' } } }),
      ),
      201,
    );
    t.matches(t.ok(await t.get(services, { accept: table })), {
      columnDefinitions: ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', 'Selector'].map((name) => ({
        name,
      })),
      rows: [{ cells: ['a', 'ClusterIP', 'None', '<none>', '80/TCP', present, 'x=y'] }],
    });
    const secrets = await t.core('secrets');
    t.ok(
      await t.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { x: 'MQ==' } }),
      201,
    );
    t.matches(t.ok(await t.get(secrets, { accept: table })), {
      columnDefinitions: ['Name', 'Type', 'Data', 'Age'].map((name) => ({ name })),
      rows: [{ cells: ['a', 'Opaque', 1, present] }],
    });
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    t.ok(
      await t.create(leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'a' },
        spec: { holderIdentity: 'me' },
      }),
      201,
    );
    t.matches(t.ok(await t.get(leases, { accept: table })), {
      columnDefinitions: ['Name', 'Holder', 'Age'].map((name) => ({ name })),
      rows: [{ cells: ['a', 'me', present] }],
    });
    t.matches(t.ok(await t.get(`/api/v1/namespaces/${await t.namespace()}`, { accept: table })), {
      columnDefinitions: ['Name', 'Status', 'Age'].map((name) => ({ name })),
      rows: [{ cells: [await t.namespace(), 'Active', present] }],
    });
    t.matches(
      t.ok(
        await t.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${t.group}`, { accept: table }),
      ),
      {
        columnDefinitions: ['Name', 'Created At'].map((name) => ({ name })),
        rows: [{ cells: [`widgets.${t.group}`, /Z$/] }],
      },
    );
  },

  'a watch of tables: columns come with the first row only': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.ok(await t.create(maps, t.configMap('b')), 201);
    using watch = await t.watch(maps, { accept: table });
    const [first, second] = await watch.take(2);
    t.equal(
      first?.object ?? null,
      {
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        columnDefinitions: [present, present, present],
        rows: [{ cells: ['a', 0, present] }],
      },
      'the first',
    );
    t.equal(
      second?.object ?? null,
      { kind: 'Table', columnDefinitions: null, rows: [{ cells: ['b', 0, present] }] },
      'the second',
    );
    t.ok(await t.delete(`${maps}/a`));
    const [third] = await watch.take(1);
    t.equal(third?.type ?? '', 'DELETED', 'type of the third');
    t.equal(
      third?.object ?? null,
      { kind: 'Table', rows: [{ object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } }] },
      'the third',
    );
  },

  'metadata alone: of one, of many, and watched': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } })), 201);
    t.matches(t.ok(await t.get(`${all}/a`, { accept: partial })), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a', generation: 1, managedFields: present },
      spec: absent,
    });
    t.matches(t.ok(await t.get(all, { accept: partialList })), {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: present },
      items: [{ metadata: { name: 'a' }, spec: absent }],
    });
    using watch = await t.watch(all, { accept: partial });
    const [event] = await watch.take(1);
    t.equal(
      event?.object ?? null,
      { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' }, spec: absent },
      'the event',
    );
  },

  'answers of writes can be metadata or tables too': async (t) => {
    const maps = await t.configMaps();
    t.matches(t.ok(await t.create(maps, t.configMap('a', { data: { x: '1' } }), { accept: partial }), 201), {
      kind: 'PartialObjectMetadata',
      metadata: { name: 'a' },
      data: absent,
    });
    t.matches(t.ok(await t.merge(`${maps}/a`, { data: { y: '2' } }, { accept: table })), {
      kind: 'Table',
      rows: [{ cells: ['a', 2, present] }],
    });
  },

  'an error has no other projection': async (t) => {
    const table = 'as=Table;v=v1;g=meta.k8s.io';
    for (const path of [await t.configMaps(), await t.widgets()]) {
      for (const [accept, type] of [
        [`application/yaml;${table}`, 'application/json'],
        [`application/yaml;${table},application/yaml`, 'application/yaml'],
        [`application/json;${table},application/yaml`, 'application/yaml'],
        ['application/yaml', 'application/yaml'],
      ] as const) {
        const answer = await t.get(`${path}/nothing`, { accept });
        t.equal(answer.status, 404, path);
        t.equal(answer.headers['content-type'], type, `the type of ${path} as ${accept}`);
      }
    }
  },

  'a form that is not offered is refused, unless another is accepted': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const one = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'].join(', ');
    const many = [one, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'].join(', ');
    for (const accept of ['text/plain', 'application/*', '*', 'APPLICATION/JSON', 'application/*;q=0.5, text/html']) {
      const refused = (offered: string) => ({
        code: 406,
        reason: 'NotAcceptable',
        message: `406: Not Acceptable\n\nAvailable representations: ${offered}`,
        details: {},
      });
      t.refused(await t.get(maps, { accept }), refused(many));
      t.refused(await t.get(maps, { accept, query: { watch: true } }), refused(many));
      t.refused(await t.get(`${maps}/a`, { accept }), refused(one));
      t.refused(await t.create(maps, t.configMap('b'), { accept }), refused(one));
      t.refused(await t.get('/api', { accept }), refused(one));
    }
    const message = `only the following media types are accepted: ${one}`;
    for (const path of [await t.widgets(), '/apis', '/apis/apps', `/apis/${t.group}/v1`]) {
      t.refused(await t.get(path, { accept: 'text/plain' }), { code: 406, reason: 'NotAcceptable', message });
      t.ok(await t.get(path, { accept: 'application/*' }));
      t.ok(await t.get(path, { accept: '*' }));
    }
    t.refused(await t.get(maps, { accept: 'application/json;as=Chair;v=v1;g=meta.k8s.io' }), {
      code: 406,
      reason: 'NotAcceptable',
    });
    t.refused(await t.get(maps, { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' }), { code: 406 });
    for (const accept of [
      '*/*',
      'text/plain, application/json',
      'application/json;q=0.5, text/html',
      'application/json;as=Chair;v=v1;g=meta.k8s.io,application/json',
      'application/json;as=;v=;g=',
      'application/*, application/json',
      'application/json;q=0',
    ]) {
      t.matches(t.ok(await t.get(maps, { accept })), { kind: 'ConfigMapList' });
    }
  },

  'YAML is answered when it is asked for': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a', { data: { x: 'one' } })), 201);
    const answer = t.ok(await t.get(`${maps}/a`, { accept: 'application/yaml' }));
    t.is(/^application\/yaml/.test(answer.headers['content-type'] ?? ''), 'content type');
    t.is(/^data:\n {2}x: one\n/m.test(answer.text), 'the body is YAML');
  },

  'answers tell not to cache them': async (t) => {
    const answer = t.ok(await t.get(await t.configMaps()));
    t.equal(answer.headers['cache-control'] ?? null, 'no-cache, private', 'cache-control');
    t.equal(answer.headers['content-type'] ?? null, 'application/json', 'content-type');
    t.is(/^[0-9a-f-]{36}$/.test(answer.headers['audit-id'] ?? ''), 'audit-id');
  },

  'large answers come compressed to who takes gzip': [
    'encoding',
    async (t) => {
      const maps = await t.configMaps();
      t.ok(await t.create(maps, t.configMap('small')), 201);
      const small = await t.requestEncoded(`${maps}/small`);
      t.equal(small.headers['content-encoding'] ?? null, null, 'a small answer');
      t.ok(await t.create(maps, t.configMap('large', { data: { x: 'ab'.repeat(100_000) } })), 201);
      const large = await t.requestEncoded(`${maps}/large`);
      t.equal(large.headers['content-encoding'] ?? null, 'gzip', 'a large answer');
      t.equal(large.headers['vary'] ?? null, /accept-encoding/i, 'vary');
      t.is(large.bytes.length < 10_000, 'it is small');
      t.equal(t.ok(await t.get(`${maps}/large`)).headers['content-encoding'] ?? null, null, 'who does not ask for it');
    },
  ],

  'kubectl gets readable JSON when it asks for it': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.is(/^\{\n {2}"/.test(t.ok(await t.get(`${maps}/a`, { query: { pretty: true } })).text), 'pretty');
    t.is(!/\n./.test(t.ok(await t.get(`${maps}/a`)).text), 'not pretty');
  },
});
