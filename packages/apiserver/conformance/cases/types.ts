import { absent } from '../pattern.ts';
import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';

const leaseWith = (name: string, spec: Record<string, string | number>) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec,
});
const leases = (t: Test): Promise<string> => t.named('coordination.k8s.io/v1', 'leases');

/** Built-in kinds are decoded by type. */
export const typeCases = defineCases('types', {
  'MicroTime has six digits and a Z': async (t) => {
    const all = await leases(t);
    t.matches(t.ok(await t.create(all, leaseWith('a', { renewTime: '2026-01-02T03:04:05.123456Z' })), 201), {
      spec: { renewTime: '2026-01-02T03:04:05.123456Z' },
    });
    t.matches(t.ok(await t.create(all, leaseWith('b', { renewTime: '2026-01-02T05:04:05.000000+02:00' })), 201), {
      spec: { renewTime: '2026-01-02T03:04:05.000000Z' },
    });
    for (const bad of [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.123Z',
      '2026-01-02T03:04:05.1234567Z',
      'now',
      '2026-13-02T03:04:05.123456Z',
      5,
    ]) {
      t.refused(await t.create(all, leaseWith('c', { renewTime: bad })), {
        code: 400,
        reason: 'BadRequest',
        message: /^Lease in version "v1" cannot be handled as a Lease: /,
      });
    }
    t.matches(t.ok(await t.merge(`${all}/a`, { spec: { renewTime: null } })), { spec: { renewTime: absent } });
    t.refused(await t.merge(`${all}/a`, { spec: { renewTime: '2026-01-02T03:04:05Z' } }), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'Time is read with any offset and fraction, and written in whole seconds': async (t) => {
    const services = await t.core('services');
    const service = (name: string, lastTransitionTime: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { clusterIP: 'None', ports: [{ port: 80 }] },
      status: { conditions: [{ type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime }] },
    });
    const created = t.ok(await t.create(services, service('a', '2026-01-02T03:04:05Z')), 201);
    t.matches(
      t.ok(
        await t.update(`${services}/a/status`, {
          ...created.object,
          status: service('a', '2026-01-02T05:04:05.987+02:00').status,
        }),
      ),
      {
        status: { conditions: [{ lastTransitionTime: '2026-01-02T03:04:05Z' }] },
      },
    );
    t.refused(await t.create(services, service('b', 'yesterday')), {
      code: 400,
      reason: 'BadRequest',
      message: /cannot parse "yesterday"/,
    });
  },

  'a wrong JSON type is a bad request': async (t) => {
    const maps = await t.configMaps();
    for (const [members, message] of [
      [
        { data: { x: 1 } },
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ],
      [{ data: 'x' }, /json: cannot unmarshal string into Go struct field ConfigMap.data of type map\[string\]string$/],
      [
        { data: ['x'] },
        /json: cannot unmarshal array into Go struct field ConfigMap.data of type map\[string\]string$/,
      ],
      [{ immutable: 'true' }, /json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool$/],
      [
        { metadata: { labels: { x: true } } },
        /json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string$/,
      ],
      [
        { metadata: { finalizers: 'x' } },
        /json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type \[\]string$/,
      ],
      [{ binaryData: { x: '!' } }, /illegal base64 data at input byte 0$/],
    ] as const) {
      t.refused(await t.create(maps, t.configMap('a', members)), { code: 400, reason: 'BadRequest', message });
    }
  },

  'metadata of a custom resource is decoded by type too': async (t) => {
    const all = await t.widgets();
    t.refused(await t.create(all, t.widget('a', { metadata: { labels: { x: 1 } } })), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.create(all, t.widget('a', { metadata: { finalizers: 'x' } })), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.create(all, { ...t.widget('a'), metadata: [] }), { code: 400, reason: 'BadRequest' });
  },

  'keys of built-in kinds are case-sensitive, unlike those of plain Go': async (t) => {
    const answer = t.ok(await t.create(await t.configMaps(), t.configMap('a', { Data: { x: '1' } })), 201);
    t.matches(answer, { data: absent, Data: absent });
  },

  'empty values of built-in kinds are left out': async (t) => {
    const maps = await t.configMaps();
    t.matches(
      t.ok(
        await t.create(maps, t.configMap('a', { data: {}, metadata: { labels: {}, annotations: {}, finalizers: [] } })),
        201,
      ),
      {
        data: absent,
        metadata: { labels: absent, annotations: absent, finalizers: absent },
      },
    );
    t.matches(
      t.ok(
        await t.create(await t.widgets(), t.widget('a', { spec: { labels: {}, words: [] }, metadata: { labels: {} } })),
        201,
      ),
      {
        spec: { labels: {}, words: [] },
        metadata: { labels: absent },
      },
    );
  },

  'bytes are base64': async (t) => {
    const maps = await t.configMaps();
    t.matches(t.ok(await t.create(maps, t.configMap('a', { binaryData: { x: 'AAEC/w==' } })), 201), {
      binaryData: { x: 'AAEC/w==' },
    });
  },

  'an int-or-string stays what it was': async (t) => {
    const services = await t.core('services');
    const created = await t.create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: {
        clusterIP: 'None',
        ports: [
          { name: 'a', port: 80, targetPort: 'http' },
          { name: 'b', port: 81, targetPort: 8081 },
        ],
      },
    });
    t.matches(t.ok(created, 201), { spec: { ports: [{ targetPort: 'http' }, { targetPort: 8081 }] } });
    const widgets = await t.widgets();
    t.matches(t.ok(await t.create(widgets, t.widget('a', { spec: { either: '50%' } })), 201), {
      spec: { either: '50%' },
    });
    t.matches(t.ok(await t.create(widgets, t.widget('b', { spec: { either: 50 } })), 201), { spec: { either: 50 } });
  },
});
