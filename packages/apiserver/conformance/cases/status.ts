import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** The status and scale subresources. */
export const statusCases = defineCases('status', {
  'a create and an update of a resource with a status subresource drop status': async (t) => {
    const all = await t.widgets();
    const created = t.ok(await t.create(all, t.widget('a', { spec: { size: 1 }, status: { phase: 'x' } })), 201);
    t.matches(created, { status: absent });
    t.matches(t.ok(await t.update(`${all}/a`, { ...created.object, status: { phase: 'y' } })), { status: absent });
    t.matches(t.ok(await t.merge(`${all}/a`, { status: { phase: 'y' } })), {
      status: absent,
      metadata: { resourceVersion: created.resourceVersion },
    });
  },

  'a write of status drops spec, and raises no generation': async (t) => {
    const all = await t.widgets();
    const created = t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } })), 201);
    const updated = t.ok(
      await t.update(`${all}/a/status`, { ...created.object, spec: { size: 2 }, status: { phase: 'x' } }),
    );
    t.matches(updated, { metadata: { generation: 1 }, spec: { size: 1 }, status: { phase: 'x' } });
    t.is(updated.resourceVersion !== created.resourceVersion, 'a write of status is a write');
    t.matches(t.ok(await t.merge(`${all}/a/status`, { spec: { size: 3 }, status: { phase: 'y' } })), {
      metadata: { generation: 1 },
      spec: { size: 1 },
      status: { phase: 'y' },
    });
    t.matches(t.ok(await t.merge(`${all}/a`, { spec: { size: 4 }, status: { phase: 'z' } })), {
      metadata: { generation: 2 },
      spec: { size: 4 },
      status: { phase: 'y' },
    });
  },

  'a write of status changes no metadata but managedFields': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { metadata: { labels: { x: '1' } } })), 201);
    const answer = t.ok(
      await t.merge(`${all}/a/status`, {
        metadata: { labels: { x: '2' }, annotations: { y: '1' }, finalizers: ['x.dev/f'] },
        status: { phase: 'x' },
      }),
    );
    t.matches(answer, {
      metadata: { labels: { x: '1' }, annotations: absent, finalizers: absent },
      status: { phase: 'x' },
    });
  },

  'status is read alone, patched in every way, and validated': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a')), 201);
    t.matches(t.ok(await t.jsonPatch(`${all}/a/status`, [{ op: 'add', path: '/status', value: { phase: 'x' } }])), {
      status: { phase: 'x' },
    });
    t.matches(
      t.ok(
        await t.apply(
          `${all}/a/status`,
          t.widget('a', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
          { manager: 'status-writer' },
        ),
      ),
      { status: { phase: 'x', conditions: [{ type: 'Ready', status: 'True' }] } },
    );
    t.matches(t.ok(await t.get(`${all}/a/status`)), {
      kind: 'Widget',
      metadata: { name: 'a' },
      status: { phase: 'x' },
    });
    t.refused(await t.merge(`${all}/a/status`, { status: { conditions: [{ type: 'Ready' }] } }), {
      code: 422,
      reason: 'Invalid',
      causes: [{ reason: 'FieldValueRequired', field: 'status.conditions[0].status', message: 'Required value' }],
    });
    t.refused(await t.merge(`${all}/a/status`, { status: { phase: 5 } }), {
      code: 422,
      causes: [
        {
          reason: 'FieldValueTypeInvalid',
          field: 'status.phase',
          message: 'Invalid value: "integer": phase in body must be of type string: "integer"',
        },
      ],
    });
  },

  'without a status subresource there is no status path': async (t) => {
    const all = await t.gadgets();
    t.ok(await t.create(all, t.gadget('a', { status: { x: 1 } })), 201);
    const refusal = { code: 404, reason: 'NotFound', message: `gadgets.${t.group} "a" not found` };
    t.refused(await t.get(`${all}/a/status`), refusal);
    t.refused(await t.merge(`${all}/a/status`, { status: { x: 2 } }), refusal);
    t.refused(await t.get(`${await t.configMaps()}/a/status`), { code: 404, reason: 'NotFound' });
  },

  'status is not created or deleted alone': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a')), 201);
    t.refused(await t.delete(`${all}/a/status`), { code: 405, reason: 'MethodNotAllowed' });
    t.refused(await t.create(`${all}/a/status`, t.widget('a')), { code: 405, reason: 'MethodNotAllowed' });
  },

  'status of an object that is gone, and with an old resourceVersion': async (t) => {
    const all = await t.widgets();
    t.refused(await t.merge(`${all}/a/status`, { status: {} }), {
      code: 404,
      reason: 'NotFound',
      message: `widgets.${t.group} "a" not found`,
    });
    const created = t.ok(await t.create(all, t.widget('a')), 201);
    t.ok(await t.merge(`${all}/a`, { spec: { size: 1 } }));
    t.refused(await t.update(`${all}/a/status`, { ...created.object, status: { phase: 'x' } }), {
      code: 409,
      reason: 'Conflict',
    });
    const { metadata: _, ...bare } = created.object;
    t.refused(await t.update(`${all}/a/status`, { ...bare, metadata: { name: 'a' } }), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'the status of a Namespace and a CustomResourceDefinition is a subresource': async (t) => {
    const path = `/api/v1/namespaces/${await t.namespace()}`;
    t.matches(t.ok(await t.merge(path, { status: { phase: 'Terminating' } })), { status: { phase: 'Active' } });
    t.matches(t.ok(await t.get(`${path}/status`)), { kind: 'Namespace', status: { phase: 'Active' } });
    const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${t.group}`;
    t.matches(t.ok(await t.get(`${crd}/status`)), {
      kind: 'CustomResourceDefinition',
      status: { storedVersions: ['v1'] },
    });
  },

  'the status of a Service is a subresource': async (t) => {
    const all = await t.core('services');
    t.ok(await t.create(all, t.service('a')), 201);
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'X',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    t.matches(t.ok(await t.merge(`${all}/a`, { status: { conditions: [ready] } })), { status: { conditions: absent } });
    t.matches(t.ok(await t.merge(`${all}/a/status`, { status: { conditions: [ready] } })), {
      status: { conditions: [ready] },
    });
  },

  'scale reads and writes the replicas of the paths in the definition': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { replicas: 2 } })), 201);
    t.ok(await t.merge(`${all}/a/status`, { status: { replicas: 1, selector: 'app=x' } }));
    const scale = t.ok(await t.get(`${all}/a/scale`));
    t.matches(scale, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: 'a',
        namespace: await t.namespace(),
        uid: present,
        resourceVersion: present,
        creationTimestamp: present,
      },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'app=x' },
    });
    t.matches(t.ok(await t.update(`${all}/a/scale`, { ...scale.object, spec: { replicas: 5 } })), {
      kind: 'Scale',
      spec: { replicas: 5 },
    });
    t.matches(t.ok(await t.get(`${all}/a`)), {
      metadata: { generation: 2 },
      spec: { replicas: 5 },
      status: { replicas: 1 },
    });
    t.matches(t.ok(await t.merge(`${all}/a/scale`, { spec: { replicas: 7 } })), {
      kind: 'Scale',
      spec: { replicas: 7 },
    });
    t.refused(await t.update(`${all}/a/scale`, { ...scale.object, spec: { replicas: 6 } }), {
      code: 409,
      reason: 'Conflict',
    });
    t.refused(await t.merge(`${all}/a/scale`, { spec: { replicas: -1 } }), { code: 422, reason: 'Invalid' });
  },

  'scale without replicas': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a')), 201);
    t.refused(await t.get(`${all}/a/scale`), { code: 500, reason: 'InternalError' });
    t.ok(await t.merge(`${all}/a`, { spec: { replicas: 0 } }));
    t.matches(t.ok(await t.get(`${all}/a/scale`)), {
      spec: { replicas: absent },
      status: { replicas: 0, selector: absent },
    });
  },
});
