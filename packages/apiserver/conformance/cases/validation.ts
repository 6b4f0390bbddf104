import { absent, exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** Schemas of custom resources: pruning, defaults and what is invalid; and `fieldValidation` for all. */
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
    const fault = async (
      spec: Record<string, unknown>,
      ...causes: { reason: string; message: string; field: string }[]
    ): Promise<void> => {
      t.refused(await t.create(all, t.widget('a', { spec: spec as never })), { code: 422, reason: 'Invalid', causes });
    };
    await fault(
      { size: 'x' },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.size',
        message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
      },
    );
    await fault(
      { size: 101 },
      {
        reason: 'FieldValueInvalid',
        field: 'spec.size',
        message: 'Invalid value: 101: spec.size in body should be less than or equal to 100',
      },
    );
    await fault(
      { size: -1 },
      {
        reason: 'FieldValueInvalid',
        field: 'spec.size',
        message: 'Invalid value: -1: spec.size in body should be greater than or equal to 0',
      },
    );
    await fault(
      { whole: 1.5 },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.whole',
        message: 'Invalid value: "number": spec.whole in body must be of type integer: "number"',
      },
      {
        reason: 'FieldValueInvalid',
        field: '<nil>',
        message: 'Invalid value: "": Checked value must be of type integer (default format) in spec.whole',
      },
    );
    await fault(
      { flag: 'true' },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.flag',
        message: 'Invalid value: "string": spec.flag in body must be of type boolean: "string"',
      },
    );
    await fault(
      { mode: 'other' },
      {
        reason: 'FieldValueNotSupported',
        field: 'spec.mode',
        message: 'Unsupported value: "other": supported values: "fast", "slow"',
      },
    );
    await fault(
      { code: 'A' },
      {
        reason: 'FieldValueInvalid',
        field: 'spec.code',
        message: 'Invalid value: "A": spec.code in body should be at least 2 chars long',
      },
    );
    await fault(
      { code: 'ABC' },
      {
        reason: 'FieldValueInvalid',
        field: 'spec.code',
        message: 'Invalid value: "ABC": spec.code in body should match \'^[a-z]+$\'',
      },
    );
    await fault(
      { code: 'abcdef' },
      { reason: 'FieldValueTooLong', field: 'spec.code', message: 'Too long: may not be more than 5 bytes' },
    );
    await fault(
      { when: 'yesterday' },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.when',
        message: 'Invalid value: "yesterday": spec.when in body must be of type date-time: "yesterday"',
      },
    );
    await fault(
      { either: true },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.either',
        message: 'Invalid value: "boolean": spec.either in body must be of type integer,string: "boolean"',
      },
    );
    await fault(
      { tags: ['a', 'b', 'a'] },
      { reason: 'FieldValueDuplicate', field: 'spec.tags[2]', message: 'Duplicate value: "a"' },
    );
    await fault(
      { words: ['a', 'b', 'c', 'd'] },
      { reason: 'FieldValueTooMany', field: 'spec.words', message: 'Too many: 4: must have at most 3 items' },
    );
    await fault(
      { words: 'a' },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.words',
        message: 'Invalid value: "string": spec.words in body must be of type array: "string"',
      },
    );
    await fault(
      { nested: { b: 1 } },
      { reason: 'FieldValueRequired', field: 'spec.nested.a', message: 'Required value' },
    );
    await fault(
      { ports: [{ port: 1 }, { port: 1 }] },
      {
        reason: 'FieldValueDuplicate',
        field: 'spec.ports[1]',
        message: 'Duplicate value: {"port":1,"protocol":"TCP"}',
      },
    );
    await fault(
      { ports: [{ protocol: 'UDP' }] },
      { reason: 'FieldValueRequired', field: 'spec.ports[0].port', message: 'Required value' },
    );
    await fault(
      { labels: { x: 1 } },
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.labels.x',
        message: 'Invalid value: "integer": spec.labels.x in body must be of type string: "integer"',
      },
    );
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
