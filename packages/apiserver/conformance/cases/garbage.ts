import { absent } from '../pattern.ts';
import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';

const nameIs = (object: { readonly [key: string]: unknown }, name: string): boolean =>
  (object['metadata'] as { name: string }).name === name;

/** A ConfigMap owned by the one called `owner`. */
const ownedBy = (t: Test, uid: string, members: Record<string, boolean> = {}) =>
  t.configMap('dependent', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, ...members }] },
  });

/** What becomes of the dependents of an object that goes. */
export const garbageCases = defineCases('garbage', {
  'dependents go with their owner': [
    'controllers',
    async (t) => {
      const maps = await t.configMaps();
      const owner = t.ok(await t.create(maps, t.configMap('owner')), 201);
      t.ok(await t.create(maps, ownedBy(t, owner.uid)), 201);
      t.ok(await t.create(maps, t.configMap('other')), 201);
      using watch = await t.watch(maps);
      t.ok(await t.delete(`${maps}/owner`, { query: { propagationPolicy: 'Background' } }));
      t.is(
        (await watch.until(({ type, object }) => type === 'DELETED' && nameIs(object, 'dependent'))) !== undefined,
        'the dependent goes',
      );
      t.equal(t.ok(await t.get(maps)).names, ['other'], 'what is left');
    },
  ],

  'foreground: the owner goes after its blocking dependents': [
    'controllers',
    async (t) => {
      const maps = await t.configMaps();
      const owner = t.ok(await t.create(maps, t.configMap('owner')), 201);
      t.ok(await t.create(maps, ownedBy(t, owner.uid, { blockOwnerDeletion: true })), 201);
      using watch = await t.watch(maps);
      t.ok(await t.delete(`${maps}/owner`, { query: { propagationPolicy: 'Foreground' } }));
      const gone: string[] = [];
      await watch.until(({ type, object }) => {
        if (type === 'DELETED') gone.push((object['metadata'] as { name: string }).name);
        return gone.length === 2;
      });
      t.equal(gone, ['dependent', 'owner'], 'order of deletion');
    },
  ],

  'orphaned dependents lose their owner and stay': [
    'controllers',
    async (t) => {
      const maps = await t.configMaps();
      const owner = t.ok(await t.create(maps, t.configMap('owner')), 201);
      t.ok(await t.create(maps, ownedBy(t, owner.uid)), 201);
      using watch = await t.watch(maps);
      t.ok(await t.delete(`${maps}/owner`, { query: { propagationPolicy: 'Orphan' } }));
      await watch.until(({ type, object }) => type === 'DELETED' && nameIs(object, 'owner'));
      t.matches(t.ok(await t.get(`${maps}/dependent`)), {
        metadata: { ownerReferences: absent, deletionTimestamp: absent },
      });
    },
  ],

  'an owner that never was, or has another uid, does not keep a dependent': [
    'controllers',
    async (t) => {
      const maps = await t.configMaps();
      t.ok(await t.create(maps, t.configMap('owner')), 201);
      using watch = await t.watch(maps);
      t.ok(await t.create(maps, ownedBy(t, '11111111-2222-3333-4444-555555555555')), 201);
      t.is(
        (await watch.until(({ type, object }) => type === 'DELETED' && nameIs(object, 'dependent'))) !== undefined,
        'the dependent goes',
      );
      t.matches(t.ok(await t.get(maps)), { items: [{ metadata: { name: 'owner' } }] });
    },
  ],

  'a dependent with another owner stays, without the one that went': [
    'controllers',
    async (t) => {
      const maps = await t.configMaps();
      const [one, two] = [
        t.ok(await t.create(maps, t.configMap('one')), 201),
        t.ok(await t.create(maps, t.configMap('two')), 201),
      ];
      const reference = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
      t.ok(
        await t.create(
          maps,
          t.configMap('dependent', {
            metadata: { ownerReferences: [reference('one', one.uid), reference('two', two.uid)] },
          }),
        ),
        201,
      );
      using watch = await t.watch(maps);
      t.ok(await t.delete(`${maps}/one`));
      const event = await watch.until(({ type, object }) => type === 'MODIFIED' && nameIs(object, 'dependent'));
      t.equal(
        event?.object ?? null,
        { metadata: { ownerReferences: [{ name: 'two' }], deletionTimestamp: absent } },
        'the dependent',
      );
    },
  ],

  'custom resources own and are owned': [
    'controllers',
    async (t) => {
      const [maps, widgets] = [await t.configMaps(), await t.widgets()];
      const owner = t.ok(await t.create(widgets, t.widget('owner')), 201);
      using watch = await t.watch(maps);
      t.ok(
        await t.create(
          maps,
          t.configMap('dependent', {
            metadata: {
              ownerReferences: [{ apiVersion: `${t.group}/v1`, kind: 'Widget', name: 'owner', uid: owner.uid }],
            },
          }),
        ),
        201,
      );
      t.ok(await t.delete(`${widgets}/owner`));
      t.is(
        (await watch.until(({ type, object }) => type === 'DELETED' && nameIs(object, 'dependent'))) !== undefined,
        'the dependent goes',
      );
    },
  ],
});
