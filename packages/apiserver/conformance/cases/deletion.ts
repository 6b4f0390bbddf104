import { absent, exactly, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const held = { metadata: { finalizers: ['x.dev/f'] } };
const options = (members: Record<string, unknown>) =>
  ({ kind: 'DeleteOptions', apiVersion: 'v1', ...members }) as never;

/** How objects go. */
export const deletionCases = defineCases('deletion', {
  'finalizers hold an object until the last is removed': async (t) => {
    const path = `${await t.widgets()}/a`;
    const created = t.ok(
      await t.create(await t.widgets(), t.widget('a', { metadata: { finalizers: ['x.dev/a', 'x.dev/b'] } })),
      201,
    );
    const deleting = t.ok(await t.delete(path));
    t.matches(deleting, {
      kind: 'Widget',
      metadata: {
        deletionTimestamp: /Z$/,
        deletionGracePeriodSeconds: 0,
        generation: 2,
        finalizers: ['x.dev/a', 'x.dev/b'],
        uid: created.uid,
      },
    });
    t.is(deleting.resourceVersion !== created.resourceVersion, 'the mark is a write');
    const again = t.ok(await t.delete(path));
    t.equal(again.body, deleting.body, 'a second delete changes nothing');
    t.matches(t.ok(await t.merge(path, { metadata: { finalizers: ['x.dev/b'] } })), {
      metadata: { finalizers: ['x.dev/b'] },
    });
    t.matches(t.ok(await t.merge(path, { metadata: { finalizers: [] } })), {
      metadata: { finalizers: absent, uid: created.uid },
    });
    t.refused(await t.get(path), { code: 404, reason: 'NotFound' });
  },

  'a ConfigMap with finalizers': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a', held)), 201);
    t.matches(t.ok(await t.delete(path)), {
      kind: 'ConfigMap',
      metadata: { deletionTimestamp: present, deletionGracePeriodSeconds: 0, generation: absent },
    });
    t.ok(await t.merge(path, { data: { x: '1' } }));
    t.matches(t.ok(await t.update(path, t.configMap('a'))), { kind: 'ConfigMap', metadata: { finalizers: absent } });
    t.refused(await t.get(path), { code: 404 });
  },

  'while it goes, an object takes no new finalizers': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a', held)), 201);
    t.ok(await t.delete(path));
    t.refused(await t.merge(path, { metadata: { finalizers: ['x.dev/f', 'x.dev/g'] } }), {
      code: 422,
      reason: 'Invalid',
      message:
        /metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \[\]string{"x.dev\/g"}/,
    });
    t.matches(t.ok(await t.merge(path, { spec: { size: 1 }, metadata: { labels: { x: '1' } } })), {
      metadata: { generation: 3, deletionTimestamp: present },
    });
    t.matches(t.ok(await t.merge(path, { metadata: { deletionTimestamp: null } })), {
      metadata: { deletionTimestamp: present },
    });
  },

  'while it goes, the name is taken': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a', held)), 201);
    t.ok(await t.delete(path));
    t.refused(await t.create(await t.widgets(), t.widget('a')), {
      code: 409,
      reason: 'AlreadyExists',
      message: `object is being deleted: widgets.${t.group} "a" already exists`,
    });
  },

  'preconditions: uid and resourceVersion': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const created = t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    const other = '11111111-2222-3333-4444-555555555555';
    t.refused(await t.delete(path, { body: options({ preconditions: { uid: other } }) }), {
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (${other}) does not match the UID in record (${created.uid}). The object might have been deleted and then recreated`,
      details: { name: 'a', kind: 'ConfigMap' },
    });
    t.refused(await t.delete(path, { body: options({ preconditions: { resourceVersion: '1' } }) }), {
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${created.resourceVersion}). The object might have been modified`,
    });
    t.ok(
      await t.delete(path, {
        body: options({ preconditions: { uid: created.uid, resourceVersion: created.resourceVersion } }),
      }),
    );
    t.refused(await t.get(path), { code: 404 });
    const widget = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a', held)), 201);
    t.refused(await t.delete(widget, { body: options({ preconditions: { uid: other } }) }), {
      code: 409,
      reason: 'Conflict',
    });
    t.matches(t.ok(await t.get(widget)), { metadata: { deletionTimestamp: absent } });
  },

  'options that make no sense are refused': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.refused(await t.delete(path, { body: options({ propagationPolicy: 'Sideways' }) }), {
      code: 422,
      reason: 'Invalid',
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    });
    t.refused(await t.delete(path, { body: options({ propagationPolicy: 'Orphan', orphanDependents: true }) }), {
      code: 422,
      reason: 'Invalid',
    });
    t.refused(await t.delete(path, { body: options({ dryRun: ['Some'] }) }), { code: 422, reason: 'Invalid' });
    t.refused(await t.delete(path, { raw: '{' }), { code: 400, reason: 'BadRequest' });
    t.refused(await t.delete(path, { body: { kind: 'ConfigMap', apiVersion: 'v1' } }), {
      code: 400,
      reason: 'BadRequest',
    });
    t.ok(await t.get(path));
  },

  'the options may come in the query, in YAML, or without a kind': async (t) => {
    const maps = await t.configMaps();
    for (const name of ['a', 'b', 'c', 'd']) t.ok(await t.create(maps, t.configMap(name)), 201);
    t.ok(await t.delete(`${maps}/a`, { query: { propagationPolicy: 'Background', gracePeriodSeconds: 0 } }));
    t.ok(
      await t.delete(`${maps}/b`, {
        raw: 'kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Background\n',
        type: 'application/yaml',
      }),
    );
    t.ok(await t.delete(`${maps}/c`, { body: { propagationPolicy: 'Background' } }));
    t.ok(
      await t.delete(`${maps}/d`, {
        body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', gracePeriodSeconds: 30 },
      }),
    );
    t.matches(t.ok(await t.get(maps)), { items: [] });
  },

  'Foreground marks the object and waits for the collector': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.matches(t.ok(await t.delete(path, { query: { propagationPolicy: 'Foreground' } })), {
      metadata: { deletionTimestamp: present, finalizers: ['foregroundDeletion'] },
    });
  },

  'Orphan marks the object and waits for the collector': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a', held)), 201);
    t.matches(t.ok(await t.delete(path, { body: options({ propagationPolicy: 'Orphan' }) })), {
      metadata: { deletionTimestamp: present, finalizers: exactly(['x.dev/f', 'orphan']) },
    });
    t.matches(t.ok(await t.delete(path, { body: options({ propagationPolicy: 'Background' }) })), {
      metadata: { finalizers: exactly(['x.dev/f']) },
    });
  },

  'a collection is deleted by selector': async (t) => {
    const maps = await t.configMaps();
    for (const [name, x] of [
      ['a', '1'],
      ['b', '1'],
      ['c', '2'],
    ] as const)
      t.ok(await t.create(maps, t.configMap(name, { metadata: { labels: { x } } })), 201);
    const answer = t.ok(await t.delete(maps, { query: { labelSelector: 'x=1' } }));
    t.matches(answer, {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    });
    t.equal(t.ok(await t.get(maps)).names, ['c'], 'what is left');
    t.matches(t.ok(await t.delete(maps, { query: { fieldSelector: 'metadata.name=none' } })), { items: [] });
    t.ok(await t.delete(maps, { query: { dryRun: 'All' } }));
    t.equal(t.ok(await t.get(maps)).names, ['c'], 'what is left after a dry run');
    t.ok(await t.delete(maps));
    t.matches(t.ok(await t.get(maps)), { items: [] });
  },

  'a collection with finalizers is marked': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', held)), 201);
    t.ok(await t.create(all, t.widget('b')), 201);
    t.matches(t.ok(await t.delete(all)), { kind: 'WidgetList', items: [present, present] });
    t.matches(t.ok(await t.get(all)), { items: [{ metadata: { name: 'a', deletionTimestamp: present } }] });
  },

  'what has no verb deletecollection refuses it': async (t) => {
    t.refused(await t.delete('/api/v1/namespaces'), {
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
    });
  },
});
