import { defineCases } from '../test-case.ts';

/** Reading some of many. */
export const selectorCases = defineCases('selectors', {
  'label selectors': async (t) => {
    const maps = await t.configMaps();
    for (const [name, labels] of [
      ['a', { x: '1', y: '' }],
      ['b', { x: '2' }],
      ['c', { z: '3' }],
    ] as const) {
      t.ok(await t.create(maps, t.configMap(name, { metadata: { labels } })), 201);
    }
    for (const [labelSelector, names] of [
      ['x=1', ['a']],
      ['x==2', ['b']],
      ['x!=1', ['b', 'c']],
      ['x', ['a', 'b']],
      ['!x', ['c']],
      ['x in (1,2)', ['a', 'b']],
      ['x notin (1)', ['b', 'c']],
      ['x,y', ['a']],
      ['y=', ['a']],
      ['x>1', ['b']],
      ['x<2', ['a']],
      [' x = 1 , y ', ['a']],
      ['', ['a', 'b', 'c']],
    ] as const) {
      t.equal(t.ok(await t.get(maps, { query: { labelSelector } })).names, names, labelSelector);
    }
    for (const labelSelector of ['x=1=2', 'x in 1', 'x in (', '=x', 'x>a', 'a b', '-x']) {
      t.refused(await t.get(maps, { query: { labelSelector } }), {
        code: 400,
        reason: 'BadRequest',
        message: /^unable to parse requirement: |^found |^invalid selector|couldn't parse|values/i,
      });
    }
  },

  'field selectors: name and namespace for all, more where a kind has them': async (t) => {
    const maps = await t.someConfigMaps(['a', 'b', 'c']);
    const namespace = await t.namespace();
    for (const [fieldSelector, names] of [
      ['metadata.name=a', ['a']],
      ['metadata.name!=a', ['b', 'c']],
      [`metadata.namespace=${namespace},metadata.name=b`, ['b']],
      ['metadata.namespace=other', []],
      ['', ['a', 'b', 'c']],
    ] as const) {
      t.equal(t.ok(await t.get(maps, { query: { fieldSelector } })).names, names, fieldSelector);
    }
    t.refused(await t.get(maps, { query: { fieldSelector: 'data.x=1' } }), {
      code: 400,
      reason: 'BadRequest',
      message: '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    t.refused(await t.get(maps, { query: { fieldSelector: 'x' } }), {
      code: 400,
      reason: 'BadRequest',
      message: /invalid selector: 'x'; can't understand 'x'/,
    });
    t.matches(
      t.ok(
        await t.get('/api/v1/namespaces', {
          query: { fieldSelector: `metadata.name=${namespace},status.phase=Active` },
        }),
      ),
      {
        items: [{ metadata: { name: namespace } }],
      },
    );
    const secrets = await t.core('secrets');
    for (const [name, type] of [
      ['a', 'x.dev/one'],
      ['b', 'x.dev/two'],
    ] as const) {
      t.ok(await t.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type }), 201);
    }
    t.equal(t.ok(await t.get(secrets, { query: { fieldSelector: 'type=x.dev/two' } })).names, ['b'], 'secrets by type');
  },

  'field selectors of custom resources are those of their definition': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { mode: 'slow', size: 1 } })), 201);
    t.ok(await t.create(all, t.widget('b', { spec: { size: 2 } })), 201);
    t.equal(t.ok(await t.get(all, { query: { fieldSelector: 'spec.mode=slow' } })).names, ['a'], 'by mode');
    t.equal(t.ok(await t.get(all, { query: { fieldSelector: 'spec.size=2' } })).names, ['b'], 'by size');
    t.equal(
      t.ok(await t.get(all, { query: { fieldSelector: 'spec.mode!=slow,metadata.name=b' } })).names,
      ['b'],
      'by both',
    );
    t.refused(await t.get(all, { query: { fieldSelector: 'spec.code=x' } }), {
      code: 400,
      reason: 'BadRequest',
      message: /field label not supported: spec.code$/,
    });
  },
});
