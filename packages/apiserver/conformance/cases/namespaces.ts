import { containing, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** How namespaces end. */
export const namespaceCases = defineCases('namespaces', {
  'a deleted namespace is terminating, and takes nothing new': async (t) => {
    const name = await t.namespace();
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('held', { metadata: { finalizers: ['x.dev/f'] } })), 201);
    t.matches(t.ok(await t.delete(`/api/v1/namespaces/${name}`)), {
      kind: 'Namespace',
      metadata: { deletionTimestamp: present },
      status: { phase: 'Terminating' },
    });
    for (const [path, body, plural] of [
      [maps, t.configMap('new'), 'configmaps'],
      [await t.widgets(), t.widget('new'), `widgets.${t.group}`],
    ] as const) {
      t.refused(await t.create(path, body), {
        code: 403,
        reason: 'Forbidden',
        message: `${plural} "new" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
        details: { name: 'new' },
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${name} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      });
    }
    t.refused(await t.apply(`${maps}/new`, t.configMap('new'), { manager: 'm' }), {
      code: 403,
      causes: [{ reason: 'NamespaceTerminating' }],
    });
    t.matches(t.ok(await t.merge(`${maps}/held`, { data: { x: '1' } })), { data: { x: '1' } });
    t.matches(t.ok(await t.delete(`/api/v1/namespaces/${name}`)), {
      kind: 'Namespace',
      status: { phase: 'Terminating' },
    });
    t.ok(await t.merge(`${maps}/held`, { metadata: { finalizers: null } }));
  },

  'a namespace goes with its content': [
    'controllers',
    async (t) => {
      const name = await t.namespace();
      const [maps, widgets] = [await t.configMaps(), await t.widgets()];
      t.ok(await t.create(maps, t.configMap('a')), 201);
      t.ok(await t.create(widgets, t.widget('a')), 201);
      using watch = await t.watch('/api/v1/namespaces', { query: { fieldSelector: `metadata.name=${name}` } });
      t.ok(await t.delete(`/api/v1/namespaces/${name}`));
      const last = await watch.until(({ type }) => type === 'DELETED');
      t.equal(
        last?.object ?? null,
        { metadata: { name, deletionTimestamp: present }, status: { phase: 'Terminating' } },
        'the last event',
      );
      t.refused(await t.get(`/api/v1/namespaces/${name}`), {
        code: 404,
        reason: 'NotFound',
        message: `namespaces "${name}" not found`,
      });
      t.matches(t.ok(await t.get(maps)), { items: [] });
      t.matches(t.ok(await t.get(widgets)), { items: [] });
    },
  ],

  'what holds a namespace up is told in its conditions': [
    'controllers',
    async (t) => {
      const name = await t.namespace();
      const widgets = await t.widgets();
      t.ok(await t.create(widgets, t.widget('held', { metadata: { finalizers: ['x.dev/f'] } })), 201);
      using watch = await t.watch('/api/v1/namespaces', { query: { fieldSelector: `metadata.name=${name}` } });
      t.ok(await t.delete(`/api/v1/namespaces/${name}`));
      const told = await watch.until(({ object }) =>
        Array.isArray((object['status'] as { conditions?: unknown }).conditions),
      );
      t.equal(
        told?.object ?? null,
        {
          status: {
            phase: 'Terminating',
            conditions: containing(
              {
                type: 'NamespaceContentRemaining',
                status: 'True',
                reason: 'SomeResourcesRemain',
                message: `Some resources are remaining: widgets.${t.group} has 1 resource instances`,
              },
              {
                type: 'NamespaceFinalizersRemaining',
                status: 'True',
                reason: 'SomeFinalizersRemain',
                message: 'Some content in the namespace has finalizers remaining: x.dev/f in 1 resource instances',
              },
              { type: 'NamespaceDeletionDiscoveryFailure', status: 'False' },
            ),
          },
        },
        'conditions',
      );
      t.matches(t.ok(await t.get(`${widgets}/held`)), { metadata: { deletionTimestamp: present } });
      t.ok(await t.merge(`${widgets}/held`, { metadata: { finalizers: null } }));
      t.is(
        (await watch.until(({ type }) => type === 'DELETED')) !== undefined,
        'the namespace goes once the last finalizer is gone',
      );
    },
  ],

  'a namespace keeps its name label, and the namespaces that must be stay': async (t) => {
    const path = `/api/v1/namespaces/${await t.namespace()}`;
    t.matches(t.ok(await t.merge(path, { metadata: { labels: { 'kubernetes.io/metadata.name': null, x: '1' } } })), {
      metadata: { labels: { 'kubernetes.io/metadata.name': present, x: '1' } },
    });
    t.refused(await t.delete('/api/v1/namespaces/default', { query: { dryRun: 'All' } }), {
      code: 403,
      reason: 'Forbidden',
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
    t.ok(await t.get('/api/v1/namespaces/default'));
    t.ok(await t.get('/api/v1/namespaces/kube-system'));
  },
});
