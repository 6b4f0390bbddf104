import { absent, containing, exactly } from '../pattern.ts';
import type { Answer } from '../answer.ts';
import { defineCases } from '../test-case.ts';

const managers = (answer: Answer) => answer.at('metadata', 'managedFields') ?? null;

/** Who owns which field. */
export const managedFieldsCases = defineCases('managed fields', {
  'a create and an update own by operation Update': async (t) => {
    const maps = await t.configMaps();
    const created = t.ok(
      await t.create(maps, t.configMap('a', { data: { x: '1' } }), { query: { fieldManager: 'maker' } }),
      201,
    );
    t.equal(
      managers(created),
      [
        exactly({
          manager: 'maker',
          operation: 'Update',
          apiVersion: 'v1',
          time: created.at('metadata', 'creationTimestamp') as string,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
        }),
      ],
      'managedFields of the create',
    );
    const patched = t.ok(await t.merge(`${maps}/a`, { data: { y: '2' } }, { query: { fieldManager: 'patcher' } }));
    t.equal(
      managers(patched),
      containing(
        { manager: 'maker', fieldsV1: exactly({ 'f:data': { '.': {}, 'f:x': {} } }) },
        { manager: 'patcher', operation: 'Update', fieldsV1: exactly({ 'f:data': { 'f:y': {} } }) },
      ),
      'after a patch',
    );
    const taken = t.ok(await t.merge(`${maps}/a`, { data: { x: '3' } }, { query: { fieldManager: 'patcher' } }));
    t.equal(
      managers(taken),
      containing(
        { manager: 'maker', fieldsV1: exactly({ 'f:data': {} }) },
        { manager: 'patcher', fieldsV1: exactly({ 'f:data': { 'f:x': {}, 'f:y': {} } }) },
      ),
      'a changed value changes hands',
    );
    const same = t.ok(await t.merge(`${maps}/a`, { data: { x: '3' } }, { query: { fieldManager: 'third' } }));
    t.equal(managers(same), exactly(managers(taken)), 'an equal value does not');
    const removed = t.ok(await t.merge(`${maps}/a`, { data: { x: null } }, { query: { fieldManager: 'third' } }));
    t.equal(
      managers(removed),
      [{ manager: 'maker' }, { manager: 'patcher', fieldsV1: exactly({ 'f:data': { 'f:y': {} } }) }],
      'what is removed is owned by nobody',
    );
  },

  'without a fieldManager it is the user agent up to the slash': async (t) => {
    const maps = await t.configMaps();
    t.equal(
      managers(
        t.ok(await t.create(maps, t.configMap('a', { data: { x: '1' } }), { userAgent: 'Some-Agent/1.2 (x)' }), 201),
      ),
      [{ manager: 'Some-Agent' }],
      'manager',
    );
    t.equal(
      managers(t.ok(await t.create(maps, t.configMap('b', { data: { x: '1' } }), { userAgent: 'bare' }), 201)),
      [{ manager: 'bare' }],
      'manager',
    );
  },

  'the status subresource has entries of its own': async (t) => {
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { size: 1 } })), 201);
    const answer = t.ok(await t.merge(`${all}/a/status`, { status: { phase: 'x' } }));
    t.equal(
      managers(answer),
      containing(
        {
          manager: 'conformance',
          operation: 'Update',
          subresource: absent,
          fieldsV1: exactly({ 'f:spec': { '.': {}, 'f:mode': {}, 'f:size': {} } }),
        },
        {
          manager: 'conformance',
          operation: 'Update',
          subresource: 'status',
          fieldsV1: exactly({ 'f:status': { '.': {}, 'f:phase': {} } }),
        },
      ),
      'managedFields',
    );
  },

  'defaults are not owned by an applier, and not removed': async (t) => {
    const path = `${await t.widgets()}/a`;
    const created = t.ok(await t.apply(path, t.widget('a', { spec: { size: 1 } }), { manager: 'one' }), 201);
    t.matches(created, { spec: { size: 1, mode: 'fast' } });
    t.equal(managers(created), [{ fieldsV1: exactly({ 'f:spec': { 'f:size': {} } }) }], 'managedFields');
    t.matches(t.ok(await t.apply(path, t.widget('a', { spec: { mode: 'slow' } }), { manager: 'two' })), {
      spec: { size: 1, mode: 'slow' },
    });
    t.matches(t.ok(await t.apply(path, t.widget('a', { spec: { flag: true } }), { manager: 'two' })), {
      spec: { size: 1, mode: 'fast', flag: true },
    });
  },

  'an apply that only changes its ownership is a write': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const created = t.ok(await t.create(await t.configMaps(), t.configMap('a', { data: { x: '1' } })), 201);
    const applied = t.ok(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'one' }));
    t.is(applied.resourceVersion !== created.resourceVersion, 'the resourceVersion changes');
    t.equal(
      managers(applied),
      [
        { manager: 'one', operation: 'Apply' },
        { manager: 'conformance', operation: 'Update' },
      ],
      'appliers come first',
    );
  },

  'managedFields can be given up': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.apply(path, t.configMap('a', { data: { x: '1' } }), { manager: 'one' }), 201);
    const kept = t.ok(await t.update(path, t.configMap('a', { data: { x: '1' } })));
    t.equal(managers(kept), [{ manager: 'one' }], 'an update that leaves them out keeps them');
    const cleared = t.ok(await t.merge(path, { metadata: { managedFields: [{}] } }));
    t.is(cleared.at('metadata', 'managedFields') === undefined, 'none are left');
    const after = t.ok(await t.apply(path, t.configMap('a', { data: { x: '2' } }), { manager: 'two', force: true }));
    t.equal(
      managers(after),
      containing({ manager: 'two', operation: 'Apply' }, { manager: 'before-first-apply', operation: 'Update' }),
      'after the next apply',
    );
  },
});
