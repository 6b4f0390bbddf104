import { absent, exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** JSON patches, merge patches and strategic merge patches. */
export const patchCases = defineCases('patches', {
  'merge: members are set, merged, and removed by null': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(
      await t.create(
        await t.widgets(),
        t.widget('a', { spec: { free: { keep: 1, drop: 2, deep: { x: 1 } }, words: ['a', 'b'] } }),
      ),
      201,
    );
    const answer = t.ok(
      await t.merge(path, { spec: { free: { drop: null, deep: { y: 2, none: null } }, words: ['c'] } }),
    );
    t.matches(answer, { spec: { free: exactly({ keep: 1, deep: { x: 1, y: 2 } }), words: ['c'] } });
    t.matches(t.ok(await t.merge(path, { spec: { free: { keep: { now: 'an object' } } } })), {
      spec: { free: { keep: { now: 'an object' } } },
    });
    t.matches(t.ok(await t.merge(path, { spec: null })), { spec: absent });
  },

  'merge: what no object can be is refused': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    for (const [raw, message] of [
      ['[]', 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
      ['"x"', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
      ['{', /^error decoding patch: /],
    ] as const) {
      t.refused(await t.request('PATCH', path, { raw, type: 'application/merge-patch+json' }), {
        code: 400,
        reason: 'BadRequest',
        message,
      });
    }
    t.refused(await t.merge(path, { metadata: { name: 'b' } }), {
      code: 400,
      reason: 'BadRequest',
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
    t.refused(await t.merge(path, { metadata: { namespace: 'default' } }), {
      code: 400,
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
    for (const patch of [{ data: 'x' }, { kind: 'Secret' }, { apiVersion: 'v2' }]) {
      t.refused(await t.merge(path, patch), {
        code: 422,
        reason: 'Invalid',
        message: /^ "" is invalid: patch: Invalid value: /,
        causes: [{ reason: 'FieldValueInvalid', field: 'patch' }],
      });
    }
  },

  'JSON patch: every operation': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(
      await t.create(
        await t.widgets(),
        t.widget('a', { spec: { words: ['a', 'c'], free: { x: 1, 'a/b': 2, 'm~n': 3 } } }),
      ),
      201,
    );
    const answer = t.ok(
      await t.jsonPatch(path, [
        { op: 'test', path: '/spec/words/0', value: 'a' },
        { op: 'add', path: '/spec/words/1', value: 'b' },
        { op: 'remove', path: '/spec/words/0' },
        { op: 'add', path: '/spec/words/-', value: 'd' },
        { op: 'replace', path: '/spec/free/x', value: { y: [1] } },
        { op: 'copy', from: '/spec/free/x/y', path: '/spec/free/z' },
        { op: 'move', from: '/spec/free/a~1b', path: '/spec/free/moved' },
        { op: 'remove', path: '/spec/free/m~0n' },
      ]),
    );
    t.matches(answer, { spec: { words: ['b', 'c', 'd'], free: exactly({ x: { y: [1] }, z: [1], moved: 2 }) } });
  },

  'JSON patch: what does not apply is refused and changes nothing': async (t) => {
    const path = `${await t.configMaps()}/a`;
    const created = t.ok(await t.create(await t.configMaps(), t.configMap('a', { data: { x: '1' } })), 201);
    for (const operation of [
      { op: 'test', path: '/data/x', value: '2' },
      { op: 'test', path: '/data/none', value: '2' },
      { op: 'remove', path: '/data/y' },
      { op: 'add', path: '/nothing/y', value: '2' },
      { op: 'replace', path: '/nothing/y', value: '2' },
      { op: 'copy', from: '/nothing/x', path: '/data/y' },
      { op: 'move', from: '/data/none', path: '/data/y' },
      { op: 'explode', path: '/data/x' },
    ]) {
      t.refused(await t.jsonPatch(path, [{ op: 'add', path: '/data/z', value: 'z' }, operation]), {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
        details: { causes: absent },
      });
    }
    t.refused(await t.jsonPatch(path, { op: 'add' }), {
      code: 400,
      reason: 'BadRequest',
      message: /^error decoding patch: json: cannot unmarshal object into Go value of type \[\]/,
    });
    t.refused(await t.request('PATCH', path, { raw: '[{]', type: 'application/json-patch+json' }), {
      code: 400,
      reason: 'BadRequest',
      message: /^error decoding patch: /,
    });
    t.equal(t.ok(await t.get(path)).body, created.body, 'what is stored');
  },

  'JSON patch: replace sets what is missing, as on every real server': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a', { data: { x: '1' } })), 201);
    t.matches(t.ok(await t.jsonPatch(path, [{ op: 'replace', path: '/data/y', value: '2' }])), {
      data: { x: '1', y: '2' },
    });
    t.ok(await t.jsonPatch(path, [{ op: 'test', path: '/data/none', value: null }]));
    t.ok(await t.jsonPatch(path, [{ op: 'test', path: '/data/x', value: '1', beside: 1 }]));
  },

  'JSON patch: no more than 10,000 operations': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a', { data: { x: '1' } })), 201);
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/x', value: '1' }));
    t.refused(await t.jsonPatch(path, patch), { code: 413, reason: 'RequestEntityTooLarge' });
  },

  'JSON patch: a test of the resourceVersion is a precondition': async (t) => {
    const path = `${await t.widgets()}/a`;
    const created = t.ok(await t.create(await t.widgets(), t.widget('a')), 201);
    const patch = [
      { op: 'test', path: '/metadata/resourceVersion', value: created.resourceVersion },
      { op: 'add', path: '/spec', value: { size: 1 } },
    ];
    t.ok(await t.jsonPatch(path, patch));
    t.refused(await t.jsonPatch(path, patch), { code: 422, reason: 'Invalid' });
  },

  'custom resources take no strategic merge patch': async (t) => {
    const path = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a')), 201);
    t.refused(await t.strategic(path, { spec: { size: 1 } }), {
      code: 415,
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
  },

  'a patch without a known type is refused': async (t) => {
    const path = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.refused(await t.request('PATCH', path, { raw: '{}', type: 'application/json' }), {
      code: 415,
      reason: 'UnsupportedMediaType',
    });
    t.refused(await t.request('PATCH', path, { raw: '{}', type: 'text/plain' }), {
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  },

  'a patch of what is not there creates nothing, but an apply does': async (t) => {
    const all = await t.configMaps();
    t.refused(await t.merge(`${all}/a`, { data: { x: '1' } }), { code: 404, reason: 'NotFound' });
    t.refused(await t.jsonPatch(`${all}/a`, []), { code: 404, reason: 'NotFound' });
    t.refused(await t.strategic(`${all}/a`, {}), { code: 404, reason: 'NotFound' });
    t.ok(await t.apply(`${all}/a`, t.configMap('a', { data: { x: '1' } }), { manager: 'm' }), 201);
  },

  'keys that are words of JavaScript are only keys': async (t) => {
    const all = await t.widgets();
    const raw = `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"free":{"__proto__":{"x":1},"constructor":2,"443":3}}}`;
    t.says(t.ok(await t.request('POST', all, { raw }), 201), '"__proto__":{"x":1}');
    const patch = '{"spec":{"free":{"__proto__":{"y":2},"toString":"s"}}}';
    const answer = t.ok(await t.request('PATCH', `${all}/a`, { raw: patch, type: 'application/merge-patch+json' }));
    t.says(answer, '"__proto__":{"x":1,"y":2}');
    t.says(answer, '"toString":"s"');
    t.says(answer, '"constructor":2');
  },
});
