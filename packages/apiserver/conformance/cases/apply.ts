import { absent, containing, exactly, present } from '../pattern.ts';
import type { Answer } from '../answer.ts';
import { defineCases } from '../test-case.ts';

const managers = (answer: Answer) => answer.at('metadata', 'managedFields') ?? null;

/** Server-side apply, and who owns which field. */
export const applyCases = defineCases('apply', {
  'an apply creates, and owns what it said': async (t) => {
    const maps = await t.configMaps();
    const answer = t.ok(
      await t.apply(`${maps}/a`, t.configMap('a', { data: { x: '1' }, metadata: { labels: { l: 'v' } } }), {
        manager: 'one',
      }),
      201,
    );
    t.equal(
      managers(answer),
      [
        exactly({
          manager: 'one',
          operation: 'Apply',
          apiVersion: 'v1',
          time: answer.at('metadata', 'creationTimestamp') as string,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:x': {} }, 'f:metadata': { 'f:labels': { 'f:l': {} } } },
        }),
      ],
      'managedFields',
    );
    t.matches(answer, { metadata: { name: 'a', namespace: await t.namespace() } });
  },

  'the same apply again changes nothing': async (t) => {
    const path = `${await t.widgets()}/a`;
    const body = t.widget('a', { spec: { size: 1 } });
    const first = t.ok(await t.apply(path, body, { manager: 'one' }), 201);
    const second = t.ok(await t.apply(path, body, { manager: 'one' }));
    t.equal(second.body, exactly(first.body), 'the object');
  },

  'two appliers who want different values conflict': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.apply(path, t.configMap('a', { data: { x: '1', y: '1' } }), { manager: 'one' }), 201);
    t.refused(await t.apply(path, t.configMap('a', { data: { x: '2', y: '2' } }), { manager: 'two' }), {
      code: 409,
      reason: 'Conflict',
      message: /^Apply failed with 2 conflicts: conflicts with "one":\n- \.data\.[xy]\n- \.data\.[xy]$/,
      details: { name: absent },
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
        { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.y' },
      ],
    });
    t.refused(await t.apply(path, t.configMap('a', { data: { x: '2' } }), { manager: 'two' }), {
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
    });
    const shared = t.ok(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'two' }));
    t.equal(
      managers(shared),
      containing({ manager: 'one' }, { manager: 'two', fieldsV1: { 'f:data': { 'f:x': {} } } }),
      'equal values are shared',
    );
    const forced = t.ok(await t.apply(path, t.configMap('a', { data: { x: '2' } }), { manager: 'two', force: true }));
    t.matches(forced, { data: { x: '2', y: '1' } });
    t.equal(
      managers(forced),
      containing(
        { manager: 'one', fieldsV1: exactly({ 'f:data': { 'f:y': {} } }) },
        { manager: 'two', fieldsV1: exactly({ 'f:data': { 'f:x': {} } }) },
      ),
      'forced',
    );
  },

  'an applier conflicts with an updater, whose entry says how': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'one' }), 201);
    t.ok(await t.merge(path, { data: { x: '2' } }, { query: { fieldManager: 'editor' } }));
    t.refused(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'one' }), {
      code: 409,
      reason: 'Conflict',
      message: /^Apply failed with 1 conflict: conflict with "editor" using v1( at .*)?: \.data\.x$/,
      causes: [
        { reason: 'FieldManagerConflict', message: /^conflict with "editor" using v1( at .*)?$/, field: '.data.x' },
      ],
    });
    t.matches(t.ok(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'one', force: true })), {
      data: { x: '1' },
    });
  },

  'what an applier leaves out goes, unless another owns it': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.apply(path, t.configMap('a', { data: { x: '1', y: '1', z: '1' } }), { manager: 'one' }), 201);
    t.ok(await t.apply(path, t.configMap('a', { data: { y: '1' } }), { manager: 'two' }));
    const less = t.ok(await t.apply(path, t.configMap('a', { data: { z: '1' } }), { manager: 'one' }));
    t.matches(less, { data: exactly({ y: '1', z: '1' }) });
    const nothing = t.ok(await t.apply(path, t.configMap('a'), { manager: 'one' }));
    t.matches(nothing, { data: exactly({ y: '1' }) });
    t.equal(managers(nothing), [{ manager: 'two' }], 'who owns nothing is no manager');
  },

  'lists by key: each applier has its items': async (t) => {
    const path = `${await t.widgets()}/a`;
    const ports = (...ports: Record<string, string | number>[]) => t.widget('a', { spec: { ports } });
    t.ok(await t.apply(path, ports({ port: 1, label: 'one' }, { port: 2 }), { manager: 'one' }), 201);
    const both = t.ok(await t.apply(path, ports({ port: 3, protocol: 'UDP', label: 'two' }), { manager: 'two' }));
    t.matches(both, {
      spec: {
        ports: [
          { port: 1, protocol: 'TCP', label: 'one' },
          { port: 2, protocol: 'TCP' },
          { port: 3, protocol: 'UDP' },
        ],
      },
    });
    t.equal(
      managers(both),
      containing(
        {
          manager: 'one',
          fieldsV1: exactly({
            'f:spec': {
              'f:ports': {
                'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:label': {}, 'f:port': {} },
                'k:{"port":2,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
              },
            },
          }),
        },
        {
          manager: 'two',
          fieldsV1: exactly({
            'f:spec': {
              'f:ports': {
                'k:{"port":3,"protocol":"UDP"}': { '.': {}, 'f:label': {}, 'f:port': {}, 'f:protocol': {} },
              },
            },
          }),
        },
      ),
      'managedFields',
    );
    t.refused(await t.apply(path, ports({ port: 1, label: 'other' }), { manager: 'two' }), {
      code: 409,
      causes: [{ field: '.spec.ports[port=1,protocol="TCP"].label', message: 'conflict with "one"' }],
    });
    const less = t.ok(await t.apply(path, ports({ port: 2 }), { manager: 'one' }));
    t.matches(less, { spec: { ports: [{ port: 2 }, { port: 3 }] } });
  },

  'sets: each applier has its values': async (t) => {
    const path = `${await t.widgets()}/a`;
    const tags = (...tags: string[]) => t.widget('a', { spec: { tags } });
    t.ok(await t.apply(path, tags('a', 'b'), { manager: 'one' }), 201);
    const both = t.ok(await t.apply(path, tags('b', 'c'), { manager: 'two' }));
    t.matches(both, { spec: { tags: containing('a', 'b', 'c') } });
    t.equal(
      managers(both),
      containing({ manager: 'two', fieldsV1: exactly({ 'f:spec': { 'f:tags': { 'v:"b"': {}, 'v:"c"': {} } } }) }),
      'managedFields',
    );
    t.matches(t.ok(await t.apply(path, tags(), { manager: 'one' })), { spec: { tags: ['b', 'c'] } });
    const held = t.ok(
      await t.apply(`${await t.configMaps()}/a`, t.configMap('a', { metadata: { finalizers: ['x.dev/a'] } }), {
        manager: 'one',
      }),
      201,
    );
    t.equal(
      managers(held),
      [{ fieldsV1: exactly({ 'f:metadata': { 'f:finalizers': { 'v:"x.dev/a"': {} } } }) }],
      'finalizers are a set',
    );
  },

  'plain lists and atomic maps belong to one': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(
      await t.apply(path, t.widget('a', { spec: { words: ['a'], whole_map: { x: '1' } } }), { manager: 'one' }),
      201,
    );
    t.refused(
      await t.apply(path, t.widget('a', { spec: { words: ['b'], whole_map: { y: '1' } } }), { manager: 'two' }),
      {
        code: 409,
        causes: [{ field: '.spec.words' }, { field: '.spec.whole_map' }],
      },
    );
    const forced = t.ok(
      await t.apply(path, t.widget('a', { spec: { words: ['b'], whole_map: { y: '1' } } }), {
        manager: 'two',
        force: true,
      }),
    );
    t.matches(forced, { spec: { words: ['b'], whole_map: exactly({ y: '1' }) } });
    t.equal(
      managers(forced),
      [{ manager: 'two', fieldsV1: exactly({ 'f:spec': { 'f:whole_map': {}, 'f:words': {} } }) }],
      'managedFields',
    );
  },

  'status conditions: each controller has its own': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a')), 201);
    const conditions = (...conditions: Record<string, string>[]) => t.widget('a', { status: { conditions } });
    t.ok(await t.apply(`${all}/a/status`, conditions({ type: 'Ready', status: 'True' }), { manager: 'one' }));
    t.ok(
      await t.apply(`${all}/a/status`, conditions({ type: 'Seen', status: 'True', reason: 'R' }), { manager: 'two' }),
    );
    const flipped = t.ok(
      await t.apply(`${all}/a/status`, conditions({ type: 'Ready', status: 'False' }), { manager: 'one' }),
    );
    t.matches(flipped, {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Seen', status: 'True' },
        ],
      },
    });
    t.equal(
      managers(flipped),
      containing({
        manager: 'one',
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: exactly({
          'f:status': { 'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:status': {}, 'f:type': {} } } },
        }),
      }),
      'managedFields',
    );
  },

  'what an apply must and must not say': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const type = 'application/apply-patch+yaml';
    t.refused(await t.request('PATCH', path, { body: t.configMap('a'), type }), {
      code: 422,
      reason: 'Invalid',
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
    t.refused(
      await t.apply(path, t.configMap('a', { metadata: { managedFields: [{ manager: 'x' }] } }), { manager: 'one' }),
      {
        code: 400,
        reason: 'BadRequest',
        message: /metadata.managedFields must be nil/,
      },
    );
    t.refused(await t.apply(path, { metadata: { name: 'a' } }, { manager: 'one' }), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.apply(path, t.configMap('b'), { manager: 'one' }), { code: 400, reason: 'BadRequest' });
    t.refused(await t.apply(path, { ...t.configMap('a'), kind: 'Secret' }, { manager: 'one' }), {
      code: 400,
      reason: 'BadRequest',
    });
    const uid = '11111111-2222-3333-4444-555555555555';
    t.refused(await t.apply(path, t.configMap('a', { metadata: { uid } }), { manager: 'one' }), {
      code: 409,
      reason: 'Conflict',
    });
    t.ok(await t.apply(path, t.configMap('a'), { manager: 'one' }), 201);
    t.refused(await t.apply(path, t.configMap('a', { metadata: { resourceVersion: '1' } }), { manager: 'one' }), {
      code: 409,
      reason: 'Conflict',
    });
    t.refused(await t.apply(path, t.configMap('a', { metadata: { uid } }), { manager: 'one' }), {
      code: 422,
      reason: 'Invalid',
    });
    t.refused(
      await t.request('PATCH', path, { body: t.configMap('a'), type, query: { fieldManager: 'x'.repeat(129) } }),
      { code: 422, reason: 'Invalid' },
    );
    t.refused(await t.merge(path, {}, { query: { force: true } }), {
      code: 422,
      reason: 'Invalid',
      message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    });
  },

  'unknown fields of an apply': async (t) => {
    const strict = { type: 'application/apply-patch+yaml', query: { fieldManager: 'one', fieldValidation: 'Strict' } };
    const widget = t.widget('a', { spec: { unknown: 1 } });
    t.refused(await t.request('PATCH', `${await t.widgets()}/a`, { body: widget, ...strict }), {
      code: 500,
      message: `failed to create typed patch object (/a; ${t.group}/v1, Kind=Widget): .spec.unknown: field not declared in schema`,
    });
    const map = t.configMap('a', { dta: {} });
    t.refused(await t.request('PATCH', `${await t.configMaps()}/a`, { body: map, ...strict }), {
      code: 500,
      message: /field not declared in schema/,
    });
  },

  'an apply to an object that is being deleted': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.apply(path, t.configMap('a', { metadata: { finalizers: ['x.dev/f'] } }), { manager: 'one' }), 201);
    t.ok(await t.delete(path));
    t.matches(
      t.ok(
        await t.apply(path, t.configMap('a', { metadata: { finalizers: ['x.dev/f'] }, data: { x: '1' } }), {
          manager: 'one',
        }),
      ),
      {
        metadata: { deletionTimestamp: present },
        data: { x: '1' },
      },
    );
    t.matches(t.ok(await t.apply(path, t.configMap('a'), { manager: 'one' })), { metadata: { finalizers: absent } });
    t.refused(await t.get(path), { code: 404 });
  },

  'a Service: ports by port and protocol': async (t) => {
    const path = `${await t.core('services')}/a`;
    const service = (...ports: Record<string, string | number>[]) =>
      t.service('a', { spec: { clusterIP: 'None', ports } });
    const created = t.ok(await t.apply(path, service({ port: 80, name: 'a' }), { manager: 'one' }), 201);
    t.equal(
      managers(created),
      [
        {
          fieldsV1: exactly({
            'f:spec': {
              'f:clusterIP': {},
              'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
            },
          }),
        },
      ],
      'managedFields',
    );
    const both = t.ok(await t.apply(path, service({ port: 80, protocol: 'UDP', name: 'b' }), { manager: 'two' }));
    t.matches(both, {
      spec: {
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 80, protocol: 'UDP' },
        ],
      },
    });
  },

  'owner references by uid': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid });
    const owned = (...uids: string[]) => t.configMap('a', { metadata: { ownerReferences: uids.map(owner) } });
    const made = t.ok(await t.create(await t.configMaps(), t.configMap('owner')), 201);
    const other = t.ok(await t.create(await t.configMaps(), t.configMap('other')), 201);
    t.ok(await t.apply(path, owned(made.uid), { manager: 'one' }), 201);
    const both = t.ok(await t.apply(path, owned(other.uid), { manager: 'two' }));
    t.matches(both, { metadata: { ownerReferences: containing({ uid: made.uid }, { uid: other.uid }) } });
    t.equal(
      managers(both),
      containing({
        manager: 'two',
        fieldsV1: exactly({ 'f:metadata': { 'f:ownerReferences': { [`k:{"uid":"${other.uid}"}`]: {} } } }),
      }),
      'managedFields',
    );
  },
});
