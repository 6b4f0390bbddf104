import { containing, exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What built-in kinds merge by key. */
export const strategicCases = defineCases('strategic patches', {
  'lists with a merge key are merged, others replaced': async (t) => {
    const all = await t.core('services');
    const service = t.service('a', {
      metadata: { finalizers: ['x.dev/a'] },
      spec: {
        clusterIP: 'None',
        ports: [
          { name: 'one', port: 80 },
          { name: 'two', port: 81 },
        ],
        externalIPs: ['10.0.0.1'],
        selector: { a: '1', b: '2' },
      },
    });
    t.ok(await t.create(all, service), 201);
    const answer = t.ok(
      await t.strategic(`${all}/a`, {
        metadata: { finalizers: ['x.dev/b'] },
        spec: {
          ports: [
            { port: 81, name: 'changed' },
            { port: 82, name: 'three' },
          ],
          externalIPs: ['10.0.0.2'],
          selector: { a: null, c: '3' },
        },
      }),
    );
    t.matches(answer, {
      metadata: { finalizers: containing('x.dev/a', 'x.dev/b') },
      spec: {
        ports: [
          { name: 'one', port: 80 },
          { name: 'changed', port: 81 },
          { name: 'three', port: 82 },
        ],
        externalIPs: ['10.0.0.2'],
        selector: exactly({ b: '2', c: '3' }),
      },
    });
  },

  '$patch, $setElementOrder and $deleteFromPrimitiveList': async (t) => {
    const all = await t.core('services');
    const service = t.service('a', {
      metadata: { finalizers: ['x.dev/a', 'x.dev/b'] },
      spec: {
        clusterIP: 'None',
        ports: [
          { name: 'one', port: 80 },
          { name: 'two', port: 81 },
          { name: 'three', port: 82 },
        ],
      },
    });
    t.ok(await t.create(all, service), 201);
    t.matches(t.ok(await t.strategic(`${all}/a`, { spec: { ports: [{ port: 81, $patch: 'delete' }] } })), {
      spec: { ports: [{ port: 80 }, { port: 82 }] },
    });
    t.matches(
      t.ok(
        await t.strategic(`${all}/a`, {
          spec: {
            '$setElementOrder/ports': [{ port: 82 }, { port: 90 }, { port: 80 }],
            ports: [{ port: 90, name: 'n' }],
          },
        }),
      ),
      { spec: { ports: [{ port: 82 }, { port: 90 }, { port: 80 }] } },
    );
    t.matches(
      t.ok(await t.strategic(`${all}/a`, { spec: { ports: [{ port: 99, name: 'only' }, { $patch: 'replace' }] } })),
      {
        spec: { ports: [{ port: 99 }] },
      },
    );
    t.matches(
      t.ok(await t.strategic(`${all}/a`, { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.dev/a'] } })),
      {
        metadata: { finalizers: ['x.dev/b'] },
      },
    );
    t.matches(t.ok(await t.strategic(`${all}/a`, { metadata: { labels: { x: '1', y: '2' } } })), {
      metadata: { labels: { x: '1', y: '2' } },
    });
    t.matches(t.ok(await t.strategic(`${all}/a`, { metadata: { labels: { $patch: 'replace', z: '3' } } })), {
      metadata: { labels: exactly({ z: '3' }) },
    });
    t.ok(await t.strategic(`${all}/a`, { metadata: { finalizers: null } }));
  },

  'owner references merge by uid': async (t) => {
    const maps = await t.configMaps();
    // Owners that are there: a collector may be at work.
    const owner = async (name: string) => {
      const { uid } = t.ok(await t.create(maps, t.configMap(name)), 201);
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
    };
    const [one, two] = [await owner('one'), await owner('two')];
    t.ok(await t.create(maps, t.configMap('a', { metadata: { ownerReferences: [one] } })), 201);
    t.matches(t.ok(await t.strategic(`${maps}/a`, { metadata: { ownerReferences: [two] } })), {
      metadata: { ownerReferences: containing(one, two) },
    });
    const without = { metadata: { ownerReferences: [{ $patch: 'delete', uid: one.uid }] } };
    t.matches(t.ok(await t.strategic(`${maps}/a`, without)), { metadata: { ownerReferences: [two] } });
  },

  'what does not apply is refused': async (t) => {
    const all = await t.core('services');
    t.ok(await t.create(all, t.service('a')), 201);
    t.refused(await t.strategic(`${all}/a`, { spec: { ports: [{ name: 'no key' }] } }), { code: 500 });
    t.refused(await t.strategic(`${all}/a`, { spec: { ports: [{ port: 80, $patch: 'explode' }] } }), { code: 500 });
    t.refused(await t.strategic(`${all}/a`, { spec: { ports: 'x' } }), {
      code: 422,
      reason: 'Invalid',
      message: ' "" is invalid: patch: Invalid value: "map[spec:map[ports:x]]": cannot restore slice from string',
      causes: [{ field: 'patch' }],
    });
    t.refused(await t.request('PATCH', `${all}/a`, { raw: '[]', type: 'application/strategic-merge-patch+json' }), {
      code: 400,
      reason: 'BadRequest',
      message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    });
  },
});
