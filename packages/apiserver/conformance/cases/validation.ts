import type { JsonObject } from '@lifeline/core';
import { absent, exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What a refusal says of one fault. */
type Cause = Readonly<Record<'reason' | 'field' | 'message', string>>;

/** Schemas of custom resources: pruning, defaults and what is invalid; and what built-in kinds have in their place. */
export const validationCases = defineCases('validation', {
  'unknown fields are pruned, but not under preserve-unknown-fields': async (t) => {
    const all = await t.widgets();
    const created = t.ok(
      await t.create(
        all,
        t.widget('a', {
          spec: { unknown: 1, nested: { a: 'x', other: { y: 1 } }, free: { any: [{ thing: 1 }] } },
          extra: {},
        }),
        {
          query: { fieldValidation: 'Ignore' },
        },
      ),
      201,
    );
    t.matches(created, {
      spec: exactly({ mode: 'fast', nested: { a: 'x', c: { d: 'deep' } }, free: { any: [{ thing: 1 }] } }),
      extra: absent,
    });
    t.matches(t.ok(await t.merge(`${all}/a`, { spec: { another: 1 } }, { query: { fieldValidation: 'Ignore' } })), {
      spec: { another: absent },
      metadata: { resourceVersion: created.resourceVersion },
    });
  },

  'unknown metadata is pruned': async (t) => {
    const all = await t.widgets();
    const created = t.ok(
      await t.create(all, t.widget('a', { metadata: { unknown: 'x', labels: { a: 'b' } } }), {
        query: { fieldValidation: 'Ignore' },
      }),
      201,
    );
    t.matches(created, { metadata: { unknown: absent, labels: { a: 'b' } } });
  },

  'defaults fill what is missing, not what is there': async (t) => {
    const all = await t.widgets();
    t.matches(t.ok(await t.create(all, t.widget('none')), 201), { spec: absent });
    t.matches(t.ok(await t.create(all, t.widget('empty', { spec: {} })), 201), { spec: exactly({ mode: 'fast' }) });
    t.matches(
      t.ok(
        await t.create(
          all,
          t.widget('set', { spec: { mode: 'slow', ports: [{ port: 1 }, { port: 1, protocol: 'UDP' }] } }),
        ),
        201,
      ),
      {
        spec: exactly({
          mode: 'slow',
          ports: [
            { port: 1, protocol: 'TCP' },
            { port: 1, protocol: 'UDP' },
          ],
        }),
      },
    );
    t.matches(t.ok(await t.create(all, t.widget('null', { spec: { mode: null, nested: { a: 'x', c: null } } })), 201), {
      spec: exactly({ mode: 'fast', nested: { a: 'x', c: { d: 'deep' } } }),
    });
    t.matches(t.ok(await t.merge(`${all}/set`, { spec: { mode: null } })), { spec: { mode: 'fast' } });
  },

  'null is kept where it is allowed, refused or pruned elsewhere': async (t) => {
    const all = await t.widgets();
    t.matches(t.ok(await t.create(all, t.widget('a', { spec: { optional: null } })), 201), {
      spec: { optional: null },
    });
    t.matches(t.ok(await t.create(all, t.widget('b', { spec: { size: null, code: 'ab' } })), 201), {
      spec: exactly({ code: 'ab', mode: 'fast' }),
    });
    t.refused(await t.create(all, t.widget('e', { spec: { words: ['a', null] } })), { code: 422, reason: 'Invalid' });
    t.matches(t.ok(await t.create(all, t.widget('c', { spec: { free: { x: null } } })), 201), {
      spec: { free: { x: null } },
    });
    t.matches(
      t.ok(await t.create(await t.configMaps(), t.configMap('d', { data: null, metadata: { labels: null } })), 201),
      {
        data: absent,
        metadata: { labels: absent },
      },
    );
  },

  'each fault has a cause': async (t) => {
    const all = await t.widgets();
    const mistyped = (field: string, found: string, type: string): Cause => ({
      reason: 'FieldValueTypeInvalid',
      field,
      message: `Invalid value: "${found}": ${field} in body must be of type ${type}: "${found}"`,
    });
    const wrong = (field: string, shown: string, should: string): Cause => ({
      reason: 'FieldValueInvalid',
      field,
      message: `Invalid value: ${shown}: ${field} in body should ${should}`,
    });
    const faults: readonly (readonly [spec: JsonObject, ...causes: readonly Cause[]])[] = [
      [{ size: 'x' }, mistyped('spec.size', 'string', 'integer')],
      [{ size: 101 }, wrong('spec.size', '101', 'be less than or equal to 100')],
      [{ size: -1 }, wrong('spec.size', '-1', 'be greater than or equal to 0')],
      [
        { whole: 1.5 },
        mistyped('spec.whole', 'number', 'integer'),
        {
          reason: 'FieldValueInvalid',
          field: '<nil>',
          message: 'Invalid value: "": Checked value must be of type integer (default format) in spec.whole',
        },
      ],
      [{ flag: 'true' }, mistyped('spec.flag', 'string', 'boolean')],
      [
        { mode: 'other' },
        {
          reason: 'FieldValueNotSupported',
          field: 'spec.mode',
          message: 'Unsupported value: "other": supported values: "fast", "slow"',
        },
      ],
      [{ code: 'A' }, wrong('spec.code', '"A"', 'be at least 2 chars long')],
      [{ code: 'ABC' }, wrong('spec.code', '"ABC"', "match '^[a-z]+$'")],
      [
        { code: 'abcdef' },
        { reason: 'FieldValueTooLong', field: 'spec.code', message: 'Too long: may not be more than 5 bytes' },
      ],
      [{ when: 'yesterday' }, mistyped('spec.when', 'yesterday', 'date-time')],
      [{ either: true }, mistyped('spec.either', 'boolean', 'integer,string')],
      [
        { tags: ['a', 'b', 'a'] },
        { reason: 'FieldValueDuplicate', field: 'spec.tags[2]', message: 'Duplicate value: "a"' },
      ],
      [
        { words: ['a', 'b', 'c', 'd'] },
        { reason: 'FieldValueTooMany', field: 'spec.words', message: 'Too many: 4: must have at most 3 items' },
      ],
      [{ words: 'a' }, mistyped('spec.words', 'string', 'array')],
      [{ nested: { b: 1 } }, { reason: 'FieldValueRequired', field: 'spec.nested.a', message: 'Required value' }],
      [
        { ports: [{ port: 1 }, { port: 1 }] },
        {
          reason: 'FieldValueDuplicate',
          field: 'spec.ports[1]',
          message: 'Duplicate value: {"port":1,"protocol":"TCP"}',
        },
      ],
      [
        { ports: [{ protocol: 'UDP' }] },
        { reason: 'FieldValueRequired', field: 'spec.ports[0].port', message: 'Required value' },
      ],
      [{ labels: { x: 1 } }, mistyped('spec.labels.x', 'integer', 'string')],
    ];
    for (const [spec, ...causes] of faults) {
      t.refused(await t.create(all, t.widget('a', { spec })), { code: 422, reason: 'Invalid', causes });
    }
  },

  'several faults are all told': async (t) => {
    const answer = await t.create(await t.widgets(), t.widget('a', { spec: { size: 'x', flag: 1, nested: {} } }));
    t.refused(answer, {
      code: 422,
      reason: 'Invalid',
      message: new RegExp(`^Widget.${t.group} "a" is invalid: \\[.*, .*, .*\\]$`),
      details: { name: 'a', group: t.group, kind: 'Widget' },
      causes: [{ field: 'spec.size' }, { field: 'spec.flag' }, { field: 'spec.nested.a' }],
    });
    t.refused(await t.create(await t.widgets(), t.widget('a', { spec: 'x' })), {
      code: 422,
      message: /spec: Invalid value: "string": spec in body must be of type object: "string"/,
    });
  },

  'a patch is validated like any write': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a')), 201);
    t.refused(await t.merge(path, { spec: { size: 101 } }), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'spec.size' }],
    });
    t.refused(await t.jsonPatch(path, [{ op: 'add', path: '/spec', value: { flag: 'x' } }]), {
      code: 422,
      reason: 'Invalid',
    });
    t.refused(await t.apply(path, t.widget('a', { spec: { code: 'A1' } }), { manager: 'm' }), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'built-in kinds are validated in their own words': async (t) => {
    const maps = await t.configMaps();
    t.refused(await t.create(maps, t.configMap('a', { data: { 'a b': 'x' } })), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'data[a b]', message: /^Invalid value: "a b": a valid config key must consist of/ }],
    });
    t.refused(await t.create(maps, t.configMap('a', { data: { x: '1' }, binaryData: { x: 'MQ==' } })), {
      code: 422,
      causes: [{ field: 'data[x]' }],
    });
    t.ok(await t.create(maps, t.configMap('fixed', { data: { x: '1' }, immutable: true })), 201);
    t.refused(await t.merge(`${maps}/fixed`, { data: { x: '2' } }), {
      code: 422,
      causes: [
        {
          reason: 'FieldValueForbidden',
          field: 'data',
          message: 'Forbidden: field is immutable when `immutable` is set',
        },
      ],
    });
    const secrets = await t.core('secrets');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    t.refused(await t.create(secrets, { ...secret, type: 'kubernetes.io/tls', data: {} }), {
      code: 422,
      causes: [{ field: 'data[tls.crt]' }, { field: 'data[tls.key]' }],
    });
    t.ok(await t.create(secrets, secret), 201);
    t.refused(await t.merge(`${secrets}/a`, { type: 'x' }), { code: 422, causes: [{ field: 'type' }] });
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    t.refused(
      await t.create(leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'a' },
        spec: { leaseDurationSeconds: 0 },
      }),
      {
        code: 422,
        causes: [{ field: 'spec.leaseDurationSeconds', message: 'Invalid value: 0: must be greater than 0' }],
      },
    );
    const bindings = await t.named('rbac.authorization.k8s.io/v1', 'rolebindings');
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    };
    t.ok(await t.create(bindings, binding), 201);
    t.refused(await t.merge(`${bindings}/a`, { roleRef: { name: 'other' } }), {
      code: 422,
      causes: [{ field: 'roleRef', message: /cannot change roleRef$/ }],
    });
  },
});
