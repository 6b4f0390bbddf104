import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** Optimistic concurrency, and writes that are only tried out. */
export const concurrencyCases = defineCases('concurrency', {
  'an update with an old resourceVersion conflicts': async (t) => {
    for (const [all, body, qualified, kind] of [
      [await t.configMaps(), t.configMap('a'), 'configmaps', 'configmaps'],
      [await t.widgets(), t.widget('a'), `widgets.${t.group}`, 'widgets'],
    ] as const) {
      const created = t.ok(await t.create(all, body), 201);
      t.ok(await t.merge(`${all}/a`, { metadata: { labels: { x: '1' } } }));
      t.refused(
        await t.update(`${all}/a`, {
          ...created.object,
          metadata: { ...(created.at('metadata') as object), labels: { x: '2' } },
        }),
        {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on ${qualified} "a": ${modified}`,
          details: { name: 'a', kind },
        },
      );
    }
  },

  'a patch that names an old resourceVersion conflicts': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const created = t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.ok(await t.merge(path, { data: { x: '1' } }));
    const { resourceVersion } = created;
    const refusal = {
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on configmaps "a": ${modified}`,
    };
    t.refused(await t.merge(path, { metadata: { resourceVersion }, data: { x: '2' } }), refusal);
    t.refused(await t.strategic(path, { metadata: { resourceVersion }, data: { x: '2' } }), refusal);
    t.refused(
      await t.jsonPatch(path, [{ op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }]),
      refusal,
    );
    t.ok(await t.merge(path, { metadata: { resourceVersion: null }, data: { x: '3' } }));
  },

  'an update without a resourceVersion wins where that is allowed': async (t) => {
    const maps = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.matches(t.ok(await t.update(maps, t.configMap('a', { data: { x: '1' } }))), { data: { x: '1' } });
    const widgets = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a')), 201);
    t.refused(await t.update(widgets, t.widget('a', { spec: { size: 1 } })), {
      code: 422,
      reason: 'Invalid',
      message: `widgets.${t.group} "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      details: { name: 'a', group: t.group, kind: 'widgets' },
      causes: [
        {
          reason: 'FieldValueInvalid',
          field: 'metadata.resourceVersion',
          message: 'Invalid value: 0: must be specified for an update',
        },
      ],
    });
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
    t.ok(await t.create(leases, lease), 201);
    t.refused(await t.update(`${leases}/a`, lease), { code: 422, reason: 'Invalid' });
  },

  'a resourceVersion that is no number is refused': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.refused(await t.update(path, t.configMap('a', { metadata: { resourceVersion: 'x' } })), {
      code: 500,
      message: /x/,
    });
  },

  'a resourceVersion of the future conflicts': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.refused(await t.merge(path, { metadata: { resourceVersion: '999999999999' } }), {
      code: 409,
      reason: 'Conflict',
    });
  },

  'dry run: nothing is stored, the answer is what would be': async (t) => {
    const all = await t.widgets();
    const dry = { query: { dryRun: 'All' } };
    const tried = t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } }), dry), 201);
    t.matches(tried, {
      metadata: { uid: present, generation: 1, creationTimestamp: present, resourceVersion: absent },
      spec: { mode: 'fast' },
    });
    t.refused(await t.get(`${all}/a`), { code: 404 });
    const created = t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } })), 201);
    t.refused(await t.create(all, t.widget('a'), dry), { code: 409, reason: 'AlreadyExists' });
    t.matches(t.ok(await t.merge(`${all}/a`, { spec: { size: 2 } }, dry)), {
      metadata: { generation: 2, resourceVersion: created.resourceVersion },
      spec: { size: 2 },
    });
    t.matches(t.ok(await t.update(`${all}/a`, { ...created.object, spec: { size: 3 } }, dry)), {
      metadata: { generation: 2 },
    });
    t.refused(await t.merge(`${all}/a`, { spec: { size: -1 } }, dry), { code: 422, reason: 'Invalid' });
    t.matches(t.ok(await t.delete(`${all}/a`, dry)), { status: 'Success', details: { uid: created.uid } });
    t.equal(t.ok(await t.get(`${all}/a`)).body, created.body, 'what is stored');
    t.refused(await t.create(all, t.widget('b'), { query: { dryRun: 'Some' } }), {
      code: 422,
      reason: 'Invalid',
      message: 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    });
  },

  'dry run of a delete that finalizers hold up': async (t) => {
    const all = await t.widgets();
    const created = t.ok(await t.create(all, t.widget('a', { metadata: { finalizers: ['x.dev/f'] } })), 201);
    t.matches(t.ok(await t.delete(`${all}/a`, { query: { dryRun: 'All' } })), {
      metadata: { deletionTimestamp: present },
    });
    t.equal(t.ok(await t.get(`${all}/a`)).body, created.body, 'what is stored');
  },

  'of parallel updates from one state, one wins': async (t) => {
    const all = await t.widgets();
    const created = t.ok(await t.create(all, t.widget('a')), 201);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((size) => t.update(`${all}/a`, { ...created.object, spec: { size } })),
    );
    t.equal(answers.filter(({ status }) => status === 200).length, 1, 'updates that succeed');
    t.equal(answers.filter(({ status }) => status === 409).length, 4, 'updates that conflict');
  },

  'parallel patches all take effect': async (t) => {
    const all = await t.configMaps();
    t.ok(await t.create(all, t.configMap('a')), 201);
    const keys = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(keys.map((key) => t.merge(`${all}/a`, { data: { [key]: key } })));
    t.equal(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
      'statuses',
    );
    t.matches(await t.get(`${all}/a`), { data: { a: 'a', b: 'b', c: 'c', d: 'd' } });
  },
});
