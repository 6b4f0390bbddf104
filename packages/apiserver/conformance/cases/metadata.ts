import { absent, exactly, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What every object's metadata is, whoever writes it. */
export const metadataCases = defineCases('metadata', {
  'what the server decides is not taken from a client': async (t) => {
    const all = await t.configMaps();
    const uid = '11111111-2222-3333-4444-555555555555';
    const created = t.ok(
      await t.create(
        all,
        t.configMap('a', {
          metadata: {
            uid,
            creationTimestamp: '2001-02-03T04:05:06Z',
            deletionTimestamp: '2001-02-03T04:05:06Z',
            deletionGracePeriodSeconds: 5,
            generation: 7,
            selfLink: '/x',
          },
        }),
      ),
      201,
    );
    t.matches(created, {
      metadata: {
        creationTimestamp: /^20[2-9]/,
        deletionTimestamp: absent,
        deletionGracePeriodSeconds: absent,
        selfLink: absent,
      },
    });
    t.is(created.uid !== uid, 'the uid is the server’s');
    const widgets = await t.widgets();
    const made = t.ok(await t.create(widgets, t.widget('a', { metadata: { generation: 7 } })), 201);
    t.matches(made, { metadata: { generation: 1 } });
    const patched = t.ok(
      await t.merge(`${widgets}/a`, {
        metadata: { generation: 9, creationTimestamp: null, selfLink: '/x' },
      }),
    );
    t.matches(patched, {
      metadata: {
        generation: 1,
        creationTimestamp: made.at('metadata', 'creationTimestamp'),
        deletionTimestamp: absent,
      },
    });
    t.equal(patched.resourceVersion, made.resourceVersion, 'resourceVersion of a patch that changes nothing');
    t.refused(await t.merge(`${widgets}/a`, { metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } }), {
      code: 422,
      reason: 'Invalid',
      message: /metadata.deletionTimestamp: Invalid value: "2001-02-03T04:05:06Z": field is immutable/,
    });
  },

  'an object with a resourceVersion is not created': async (t) => {
    t.refused(await t.create(await t.configMaps(), t.configMap('a', { metadata: { resourceVersion: '5' } })), {
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
    t.refused(await t.create(await t.widgets(), t.widget('a', { metadata: { resourceVersion: '5' } })), { code: 500 });
  },

  'a uid cannot be changed': async (t) => {
    const widgets = await t.widgets();
    const made = t.ok(await t.create(widgets, t.widget('a')), 201);
    const uid = '11111111-2222-3333-4444-555555555555';
    t.refused(await t.merge(`${widgets}/a`, { metadata: { uid } }), {
      code: 422,
      reason: 'Invalid',
      message: `Widget.${t.group} "a" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`,
    });
    t.refused(
      await t.update(`${widgets}/a`, { ...made.object, metadata: { ...(made.at('metadata') as object), uid } }),
      {
        code: 409,
        reason: 'Conflict',
        message: new RegExp(
          `^Operation cannot be fulfilled on widgets.${t.group} "a": .*Precondition failed: UID in precondition: ${uid}, UID in object meta: ${made.uid}$`,
        ),
      },
    );
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.refused(await t.update(`${maps}/a`, t.configMap('a', { metadata: { uid } })), { code: 409, reason: 'Conflict' });
    t.refused(await t.jsonPatch(`${maps}/a`, [{ op: 'replace', path: '/metadata/uid', value: uid }]), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'generation: spec raises it, metadata does not, an equal write does not': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a', { spec: { size: 1 } })), 201);
    t.matches(t.ok(await t.merge(path, { metadata: { labels: { x: '1' }, annotations: { y: '2' } } })), {
      metadata: { generation: 1 },
    });
    t.matches(t.ok(await t.merge(path, { metadata: { finalizers: ['x.dev/f'] } })), { metadata: { generation: 1 } });
    t.matches(t.ok(await t.merge(path, { spec: { size: 1 } })), { metadata: { generation: 1 } });
    t.matches(t.ok(await t.merge(path, { spec: { size: 2 } })), { metadata: { generation: 2 } });
    t.matches(t.ok(await t.merge(path, { spec: { size: null } })), { metadata: { generation: 3 } });
    t.matches(t.ok(await t.delete(path)), {
      metadata: { generation: 4, deletionTimestamp: present, deletionGracePeriodSeconds: 0 },
    });
    t.matches(t.ok(await t.merge(path, { spec: { size: 3 } })), { metadata: { generation: 5 } });
  },

  'generation: without a status subresource, status counts as well': async (t) => {
    const path = `${await t.gadgets()}/a`;
    t.ok(await t.create(await t.gadgets(), t.gadget('a', { status: { x: 1 } })), 201);
    t.matches(t.ok(await t.merge(path, { status: { x: 2 } })), { metadata: { generation: 2 }, status: { x: 2 } });
    t.matches(t.ok(await t.merge(path, { status: { x: 2 } })), { metadata: { generation: 2 } });
    t.matches(t.ok(await t.merge(path, { metadata: { labels: { x: '1' } } })), { metadata: { generation: 2 } });
  },

  'generation: a ConfigMap and a Lease have none, a CustomResourceDefinition has': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.matches(t.ok(await t.merge(path, { data: { x: '1' } })), { metadata: { generation: absent } });
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'x' },
    };
    t.matches(t.ok(await t.create(leases, lease), 201), { metadata: { generation: absent } });
    t.matches(t.ok(await t.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${t.group}`)), {
      metadata: { generation: 1 },
    });
  },

  'a write that changes nothing keeps the resourceVersion': async (t) => {
    for (const [all, body, patch] of [
      [await t.configMaps(), t.configMap('a', { data: { x: '1' } }), { data: { x: '1' } }],
      [await t.widgets(), t.widget('a', { spec: { size: 1 } }), { spec: { size: 1 } }],
    ] as const) {
      const created = t.ok(await t.create(all, body), 201);
      const same = t.ok(await t.update(`${all}/a`, created.object));
      t.equal(same.body, exactly(created.body), 'an update with the same object');
      t.equal(
        t.ok(await t.merge(`${all}/a`, patch)).resourceVersion,
        created.resourceVersion,
        'a merge patch with the same value',
      );
      t.equal(t.ok(await t.merge(`${all}/a`, {})).resourceVersion, created.resourceVersion, 'an empty merge patch');
      t.equal(t.ok(await t.jsonPatch(`${all}/a`, [])).resourceVersion, created.resourceVersion, 'an empty JSON patch');
    }
  },

  'deleted and created again, a name has another uid': async (t) => {
    const all = await t.configMaps();
    const first = t.ok(await t.create(all, t.configMap('a')), 201);
    t.ok(await t.delete(`${all}/a`));
    const second = t.ok(await t.create(all, t.configMap('a')), 201);
    t.is(first.uid !== second.uid, 'the uid differs');
    t.is(BigInt(second.resourceVersion) > BigInt(first.resourceVersion), 'the resourceVersion is higher');
  },
});
