import { absent, containing, exactly, present } from '../pattern.ts';
import { definition } from '../fixtures.ts';
import { definitionsPath } from '../install.ts';
import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';

const thing = { kind: 'Thing', plural: 'things', singular: 'thing' };

/** A group for one case. */
const groupOf = (t: Test): string => `${t.id}.conformance.lifeline.dev`;
const nameOf = (t: Test): string => `${thing.plural}.${groupOf(t)}`;
const conditionsOf = (object: { readonly [key: string]: unknown }): { type: string; status: string }[] =>
  (object['status'] as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ?? [];

/** CustomResourceDefinitions and what they bring. */
export const definitionCases = defineCases('definitions', {
  'a definition is established, and what it leaves out is filled in': async (t) => {
    using watch = await t.watch(definitionsPath, { query: { fieldSelector: `metadata.name=${nameOf(t)}` } });
    const body = definition(groupOf(t), thing, { names: { singular: absent as never, listKind: absent as never } });
    const created = t.ok(await t.create(definitionsPath, JSON.parse(JSON.stringify(body)) as never), 201);
    t.matches(created, {
      metadata: { generation: 1 },
      spec: {
        names: exactly({ kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' }),
        conversion: { strategy: 'None' },
        preserveUnknownFields: absent,
      },
      status: { storedVersions: ['v1'] },
    });
    const established = await watch.until(({ object }) =>
      conditionsOf(object).some(({ type, status }) => type === 'Established' && status === 'True'),
    );
    t.equal(
      established?.object ?? null,
      {
        status: {
          acceptedNames: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
          conditions: containing(
            { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
            { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
          ),
          storedVersions: ['v1'],
        },
      },
      'the definition',
    );
    const fields = ['lastTransitionTime', 'message', 'reason', 'status', 'type'];
    const condition = { '.': {}, ...Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) };
    t.equal(
      established?.object ?? null,
      {
        metadata: {
          managedFields: [
            { manager: 'conformance', operation: 'Update', subresource: absent },
            {
              manager: 'kube-apiserver',
              operation: 'Update',
              subresource: 'status',
              apiVersion: 'apiextensions.k8s.io/v1',
              time: present,
              fieldsType: 'FieldsV1',
              fieldsV1: exactly({
                'f:status': {
                  'f:acceptedNames': { 'f:kind': {}, 'f:listKind': {}, 'f:plural': {}, 'f:singular': {} },
                  'f:conditions': { 'k:{"type":"Established"}': condition, 'k:{"type":"NamesAccepted"}': condition },
                },
              }),
            },
          ],
        },
      },
      'who manages it',
    );
  },

  'its resources are served while it is there': async (t) => {
    const path = `/apis/${groupOf(t)}/v1/namespaces/${await t.namespace()}/things`;
    t.equal((await t.get(path)).status, 404, 'before');
    await t.install(definition(groupOf(t), thing));
    t.ok(await t.create(path, { apiVersion: `${groupOf(t)}/v1`, kind: 'Thing', metadata: { name: 'a' } }), 201);
    using watch = await t.watch(definitionsPath, { query: { fieldSelector: `metadata.name=${nameOf(t)}` } });
    t.ok(await t.delete(`${definitionsPath}/${nameOf(t)}`));
    await watch.until(({ type }) => type === 'DELETED');
    await t.eventually(path, ({ status }) => status === 404);
    await t.install(definition(groupOf(t), thing));
    t.matches(t.ok(await t.get(path)), { items: [] });
  },

  'a deleted definition waits for its objects': async (t) => {
    const path = `/apis/${groupOf(t)}/v1/namespaces/${await t.namespace()}/things`;
    await t.install(definition(groupOf(t), thing));
    const body = { apiVersion: `${groupOf(t)}/v1`, kind: 'Thing', metadata: { name: 'a', finalizers: ['x.dev/f'] } };
    t.ok(await t.create(path, body), 201);
    t.matches(t.ok(await t.delete(`${definitionsPath}/${nameOf(t)}`)), {
      metadata: { deletionTimestamp: present, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
    });
    using watch = await t.watch(path);
    const marked = await watch.until(
      ({ object }) => (object['metadata'] as { deletionTimestamp?: string }).deletionTimestamp !== undefined,
    );
    t.is(marked !== undefined, 'its objects are deleted');
    t.refused(await t.create(path, { ...body, metadata: { name: 'b' } }), {
      code: 403,
      reason: 'Forbidden',
      message: `things.${groupOf(t)} "b" is forbidden: create not allowed while custom resource definition is terminating`,
    });
    using gone = await t.watch(definitionsPath, { query: { fieldSelector: `metadata.name=${nameOf(t)}` } });
    t.ok(await t.merge(`${path}/a`, { metadata: { finalizers: null } }));
    t.is(
      (await gone.until(({ type }) => type === 'DELETED')) !== undefined,
      'the definition goes after the last object',
    );
  },

  'a changed schema holds from then on': async (t) => {
    const path = `/apis/${groupOf(t)}/v1/namespaces/${await t.namespace()}/things`;
    const spec = (properties: object) => ({ properties: { spec: { type: 'object', properties } } }) as never;
    await t.install(definition(groupOf(t), thing, { schema: spec({ x: { type: 'string' } }) }));
    const body = (name: string) => ({
      apiVersion: `${groupOf(t)}/v1`,
      kind: 'Thing',
      metadata: { name },
      spec: { x: 'a', y: 'b' },
    });
    t.matches(t.ok(await t.create(path, body('a')), 201), { spec: exactly({ x: 'a' }) });
    const versions = definition(groupOf(t), thing, {
      schema: spec({ x: { type: 'string' }, y: { type: 'string', default: 'd' } }),
    })['spec'] as { versions: never };
    t.matches(t.ok(await t.merge(`${definitionsPath}/${nameOf(t)}`, { spec: { versions: versions.versions } })), {
      metadata: { generation: 2 },
    });
    const seen = await t.eventually(`${path}/a`, (answer) => answer.at('spec', 'y') === 'd');
    t.matches(seen, { spec: exactly({ x: 'a', y: 'd' }), metadata: { generation: 1 } });
    t.matches(t.ok(await t.create(path, body('b')), 201), { spec: exactly({ x: 'a', y: 'b' }) });
  },

  'what no definition can be is refused': async (t) => {
    const refused = async (body: object, ...fields: string[]): Promise<void> => {
      t.refused(await t.create(definitionsPath, body as never), {
        code: 422,
        reason: 'Invalid',
        message: new RegExp(fields.join('|')),
      });
    };
    const good = definition(groupOf(t), thing) as { spec: object; metadata: object };
    await refused({ ...good, metadata: { name: 'other.name' } }, 'metadata.name');
    await refused({ ...good, spec: { ...good.spec, scope: 'Sideways' } }, 'spec.scope');
    const version = (members: object) => [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...members },
    ];
    await refused({ ...good, spec: { ...good.spec, versions: version({ storage: false }) } }, 'spec.versions');
    await refused(
      {
        ...good,
        spec: {
          ...good.spec,
          versions: version({
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { properties: {} } } } },
          }),
        },
      },
      'openAPIV3Schema.properties\\[spec\\].type: Required value: must not be empty for specified object fields',
    );
  },

  'versions that are not served are not found': async (t) => {
    const base = definition(groupOf(t), thing, { alsoServed: ['v1beta1'] }) as { spec: { versions: object[] } };
    const versions = base.spec.versions.map((version, index) =>
      index === 1 ? { ...version, served: false } : { ...version, deprecated: true, deprecationWarning: 'use v2' },
    );
    await t.install({ ...base, spec: { ...base.spec, versions } });
    const path = (version: string): string => `/apis/${groupOf(t)}/${version}/things`;
    const answer = t.ok(await t.get(path('v1')));
    t.equal(answer.headers['warning'] ?? null, '299 - "use v2"', 'a deprecated version warns');
    t.equal((await t.get(path('v1beta1'))).status, 404, 'a version that is not served');
  },

  'names that another definition has are not accepted': async (t) => {
    await t.install(definition(groupOf(t), thing));
    const other = { kind: 'Thing', plural: 'otherthings', singular: 'otherthing' };
    using watch = await t.watch(definitionsPath, {
      query: { fieldSelector: `metadata.name=otherthings.${groupOf(t)}` },
    });
    t.ok(await t.create(definitionsPath, definition(groupOf(t), other)), 201);
    const told = await watch.until(({ object }) => conditionsOf(object).some(({ type }) => type === 'NamesAccepted'));
    t.equal(
      told?.object ?? null,
      {
        status: {
          conditions: containing(
            {
              type: 'NamesAccepted',
              status: 'False',
              reason: 'ListKindConflict',
              message: '"ThingList" is already in use',
            },
            { type: 'Established', status: 'False', reason: 'NotAccepted' },
          ),
        },
      },
      'conditions',
    );
  },
});
