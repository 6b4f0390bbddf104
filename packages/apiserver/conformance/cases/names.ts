import { defineCases } from '../test-case.ts';

const annotationLimit = 262_144;

/** Names, labels, annotations and other words that must have a form. */
export const nameCases = defineCases('names', {
  'a name is generated from generateName': async (t) => {
    const all = await t.configMaps();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } };
    const [one, two] = [t.ok(await t.create(all, body), 201), t.ok(await t.create(all, body), 201)];
    t.matches(one, { metadata: { name: /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/, generateName: 'made-' } });
    t.is(one.at('metadata', 'name') !== two.at('metadata', 'name'), 'two generated names differ');
    const widget = { apiVersion: `${t.group}/v1`, kind: 'Widget', metadata: { generateName: 'made-' } };
    t.matches(t.ok(await t.create(await t.widgets(), widget), 201), { metadata: { name: /^made-[a-z0-9]{5}$/ } });
    t.matches(t.ok(await t.create(all, { ...body, metadata: { name: 'given', generateName: 'made-' } }), 201), {
      metadata: { name: 'given', generateName: 'made-' },
    });
    const long = { ...body, metadata: { generateName: 'a'.repeat(250) } };
    t.matches(t.ok(await t.create(all, long), 201), { metadata: { name: /^a{58}[a-z0-9]{5}$/ } });
    t.refused(await t.create(all, { ...body, metadata: { generateName: 'A' } }), { code: 422, reason: 'Invalid' });
  },

  'a name is required': async (t) => {
    t.refused(await t.create(await t.configMaps(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }), {
      code: 422,
      reason: 'Invalid',
      message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      causes: [
        {
          reason: 'FieldValueRequired',
          message: 'Required value: name or generateName is required',
          field: 'metadata.name',
        },
      ],
    });
    t.refused(await t.create(await t.widgets(), t.widget('')), {
      code: 422,
      reason: 'Invalid',
      message: `Widget.${t.group} "" is invalid: metadata.name: Required value: name or generateName is required`,
    });
    t.refused(await t.create(await t.configMaps(), { apiVersion: 'v1', kind: 'ConfigMap' }), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'a name must be a DNS subdomain': async (t) => {
    for (const [path, name, body] of [
      [await t.configMaps(), 'Upper', t.configMap('Upper')],
      [await t.configMaps(), 'a_b', t.configMap('a_b')],
      [await t.configMaps(), '-a', t.configMap('-a')],
      [await t.configMaps(), 'a..b', t.configMap('a..b')],
      [await t.widgets(), 'Upper', t.widget('Upper')],
    ] as const) {
      t.refused(await t.create(path, body), {
        code: 422,
        reason: 'Invalid',
        details: { name, kind: body['kind'] as string },
        causes: [
          {
            reason: 'FieldValueInvalid',
            field: 'metadata.name',
            message: `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
          },
        ],
      });
    }
    t.ok(await t.create(await t.configMaps(), t.configMap('a.b-c.1')), 201);
    t.ok(await t.create(await t.configMaps(), t.configMap('a'.repeat(253))), 201);
    t.refused(await t.create(await t.configMaps(), t.configMap('a'.repeat(254))), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'metadata.name', message: /must be no more than 253 characters$/ }],
    });
  },

  'names of Services and Namespaces are DNS labels, of roles path segments': async (t) => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a.b' }, spec: { ports: [{ port: 80 }] } };
    t.refused(await t.create(await t.core('services'), service), {
      code: 422,
      causes: [{ field: 'metadata.name', message: 'Invalid value: "a.b": must not contain dots' }],
    });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } };
    t.refused(await t.create(await t.core('services'), { ...service, metadata: { name: '1_b' } }), {
      code: 422,
      causes: [{ field: 'metadata.name' }],
    });
    t.refused(await t.create('/api/v1/namespaces', namespace), {
      code: 422,
      causes: [{ field: 'metadata.name', message: 'Invalid value: "a.b": must not contain dots' }],
    });
    const roles = await t.named('rbac.authorization.k8s.io/v1', 'roles');
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a:B_c' } };
    t.matches(t.ok(await t.create(roles, role), 201), { metadata: { name: 'a:B_c' }, rules: null });
    t.refused(await t.create(roles, { ...role, metadata: { name: 'a%b' } }), {
      code: 422,
      causes: [{ field: 'metadata.name', message: /may not contain '%'$/ }],
    });
  },

  'labels are checked': async (t) => {
    const all = await t.configMaps();
    const labelled = (labels: Record<string, string>) => t.configMap('a', { metadata: { labels } });
    t.refused(await t.create(all, labelled({ x: 'not a value' })), {
      code: 422,
      reason: 'Invalid',
      causes: [
        {
          reason: 'FieldValueInvalid',
          field: 'metadata.labels',
          message: `Invalid value: "not a value": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
        },
      ],
    });
    t.refused(await t.create(all, labelled({ x: 'a'.repeat(64) })), {
      code: 422,
      causes: [{ field: 'metadata.labels', message: /must be no more than 63 bytes$/ }],
    });
    t.refused(await t.create(all, labelled({ '-x': '' })), {
      code: 422,
      causes: [
        {
          field: 'metadata.labels',
          message: /^Invalid value: "-x": name part must consist of alphanumeric characters/,
        },
      ],
    });
    t.refused(await t.create(all, labelled({ 'a/b/c': '' })), {
      code: 422,
      causes: [
        { field: 'metadata.labels', message: /a valid label key must consist of|a qualified name must consist of/ },
      ],
    });
    t.refused(await t.create(all, labelled({ 'Upper.com/x': '' })), {
      code: 422,
      causes: [{ field: 'metadata.labels', message: /prefix part a lowercase RFC 1123 subdomain/ }],
    });
    t.refused(await t.create(await t.widgets(), t.widget('a', { metadata: { labels: { x: '!', '!': 'y' } } })), {
      code: 422,
      causes: [{ field: 'metadata.labels' }, { field: 'metadata.labels' }],
    });
    t.ok(await t.create(all, labelled({ 'example.com/x': '', y: 'a.b_c-D' })), 201);
  },

  'annotations: keys are checked, values may be anything up to 262,144 bytes together': async (t) => {
    const all = await t.configMaps();
    const annotated = (name: string, annotations: Record<string, string>) =>
      t.configMap(name, { metadata: { annotations } });
    t.refused(await t.create(all, annotated('a', { 'a b': '' })), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'metadata.annotations', message: /^Invalid value: "a b": name part must consist of/ }],
    });
    t.ok(await t.create(all, annotated('upper', { 'Example.COM/Key': 'any {text}\n' })), 201);
    t.ok(await t.create(all, annotated('most', { x: 'a'.repeat(annotationLimit - 1) })), 201);
    t.refused(await t.create(all, annotated('more', { x: 'a'.repeat(annotationLimit) })), {
      code: 422,
      reason: 'Invalid',
      message: `ConfigMap "more" is invalid: metadata.annotations: Too long: may not be more than ${annotationLimit} bytes`,
      causes: [{ reason: 'FieldValueTooLong', field: 'metadata.annotations' }],
    });
    t.refused(
      await t.create(
        await t.widgets(),
        t.widget('a', { metadata: { annotations: { x: 'é'.repeat(annotationLimit / 2) } } }),
      ),
      {
        code: 422,
        causes: [{ reason: 'FieldValueTooLong', field: 'metadata.annotations' }],
      },
    );
  },

  'owner references are checked': async (t) => {
    const all = await t.configMaps();
    const owned = (...ownerReferences: Record<string, string | boolean>[]) =>
      t.configMap('a', { metadata: { ownerReferences } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '11111111-2222-3333-4444-555555555555' };
    t.refused(await t.create(all, owned({ ...owner, uid: '' })), {
      code: 422,
      reason: 'Invalid',
      causes: [
        {
          reason: 'FieldValueInvalid',
          field: 'metadata.ownerReferences.uid',
          message: 'Invalid value: "": must not be empty',
        },
      ],
    });
    t.refused(await t.create(all, owned({ apiVersion: '', kind: '', name: '', uid: '' })), {
      code: 422,
      causes: [
        { field: 'metadata.ownerReferences.apiVersion', message: 'Invalid value: "": version must not be empty' },
        { field: 'metadata.ownerReferences.kind' },
        { field: 'metadata.ownerReferences.name' },
        { field: 'metadata.ownerReferences.uid' },
      ],
    });
    t.refused(await t.create(all, owned({ ...owner, controller: true }, { ...owner, uid: 'b', controller: true })), {
      code: 422,
      causes: [{ field: 'metadata.ownerReferences', message: /Only one reference can have Controller set to true/ }],
    });
    t.ok(await t.create(all, t.configMap('free', { metadata: { ownerReferences: [] } })), 201);
  },

  'finalizers are checked': async (t) => {
    const all = await t.configMaps();
    t.refused(await t.create(all, t.configMap('a', { metadata: { finalizers: ['no-slash'] } })), {
      code: 422,
      causes: [
        {
          field: 'metadata.finalizers[0]',
          message: 'Invalid value: "no-slash": name is neither a standard finalizer name nor is it fully qualified',
        },
      ],
    });
    t.refused(await t.create(all, t.configMap('a', { metadata: { finalizers: ['a b/c'] } })), {
      code: 422,
      causes: [{ field: 'metadata.finalizers', message: /prefix part a lowercase RFC 1123 subdomain/ }],
    });
    t.refused(
      await t.create(await t.widgets(), t.widget('a', { metadata: { finalizers: ['foregroundDeletion', 'orphan'] } })),
      { code: 422, causes: [{ field: 'metadata.finalizers' }] },
    );
    t.matches(
      t.ok(await t.create(await t.widgets(), t.widget('bare', { metadata: { finalizers: ['no-slash'] } })), 201),
      {
        metadata: { finalizers: ['no-slash'] },
      },
    );
  },
});
