import { exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What is done about fields that nobody knows. */
export const fieldValidationCases = defineCases('field validation', {
  'Strict: unknown and repeated fields are refused': async (t) => {
    const strict = { query: { fieldValidation: 'Strict' } };
    const all = await t.widgets();
    t.refused(
      await t.create(all, t.widget('a', { spec: { unknown: 1, nested: { a: 'x', other: 2 } }, extra: 1 }), strict),
      {
        code: 400,
        reason: 'BadRequest',
        message: `Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "extra", unknown field "spec.nested.other", unknown field "spec.unknown"`,
      },
    );
    t.refused(await t.create(all, t.widget('a', { metadata: { unknown: 1 } }), strict), {
      code: 400,
      message: /strict decoding error: unknown field "metadata.unknown"$/,
    });
    const maps = await t.configMaps();
    t.refused(await t.create(maps, t.configMap('a', { dta: {}, metadata: { lables: {} } }), strict), {
      code: 400,
      reason: 'BadRequest',
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta", unknown field "metadata.lables"',
    });
    const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
    t.refused(await t.request('POST', maps, { raw: twice, ...strict }), {
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.x"',
    });
    const dataTwice =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"},"data":{"y":"2"}}';
    t.refused(await t.request('POST', maps, { raw: dataTwice, ...strict }), {
      code: 400,
      message: /duplicate field "data"$/,
    });
    t.ok(await t.create(maps, t.configMap('a', { data: { x: '1' } }), strict), 201);
    t.ok(await t.create(all, t.widget('a', { spec: { free: { anything: 1 } } }), strict), 201);
  },

  'Strict of patches': async (t) => {
    const strict = { query: { fieldValidation: 'Strict' } };
    const widget = `${await t.widgets()}/a`;
    t.ok(await t.create(await t.widgets(), t.widget('a')), 201);
    t.refused(await t.merge(widget, { spec: { unknown: 1 } }, strict), {
      code: 422,
      reason: 'Invalid',
      message: /strict decoding error: unknown field "spec.unknown"/,
    });
    t.refused(await t.jsonPatch(widget, [{ op: 'add', path: '/spec', value: { unknown: 1 } }], strict), {
      code: 422,
      message: /unknown field "spec.unknown"/,
    });
    const map = `${await t.configMaps()}/a`;
    t.ok(await t.create(await t.configMaps(), t.configMap('a')), 201);
    t.refused(await t.merge(map, { dta: {} }, strict), {
      code: 422,
      reason: 'Invalid',
      message: /strict decoding error: unknown field "dta"/,
    });
    t.refused(await t.strategic(map, { dta: {} }, strict), {
      code: 422,
      reason: 'Invalid',
      message: /strict decoding error: unknown field "dta"/,
    });
    t.refused(
      await t.request('PATCH', map, {
        raw: '{"data":{"x":"1","x":"2"}}',
        type: 'application/merge-patch+json',
        ...strict,
      }),
      {
        code: 422,
        message: /duplicate field "data.x"/,
      },
    );
    t.refused(await t.jsonPatch(map, [{ op: 'add', path: '/data', value: {}, extra: 1 }], strict), {
      code: 422,
      message: /unknown field/,
    });
  },

  'Warn, the default: the write succeeds, each fault is a warning': async (t) => {
    const all = await t.widgets();
    const answer = t.ok(await t.create(all, t.widget('a', { spec: { unknown: 1, other: 2 } })), 201);
    t.equal(
      answer.headers['warning'] ?? null,
      '299 - "unknown field \\"spec.other\\"", 299 - "unknown field \\"spec.unknown\\""',
      'warnings',
    );
    t.matches(answer, { spec: exactly({ mode: 'fast' }) });
    const maps = await t.configMaps();
    const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"},"dta":{}}';
    const warned = t.ok(await t.request('POST', maps, { raw: twice, query: { fieldValidation: 'Warn' } }), 201);
    t.equal(warned.headers['warning'] ?? null, /duplicate field \\"data.x\\"/, 'warnings');
    t.equal(warned.headers['warning'] ?? null, /unknown field \\"dta\\"/, 'warnings');
    t.matches(warned, { data: { x: '2' } });
    const patched = t.ok(await t.merge(`${maps}/a`, { dta: {} }));
    t.equal(patched.headers['warning'] ?? null, '299 - "unknown field \\"dta\\""', 'warnings of a patch');
  },

  'Ignore: no warning; anything else is refused': async (t) => {
    const all = await t.widgets();
    const quiet = t.ok(
      await t.create(all, t.widget('a', { spec: { unknown: 1 } }), { query: { fieldValidation: 'Ignore' } }),
      201,
    );
    t.is(quiet.headers['warning'] === undefined, 'no warning');
    t.refused(await t.create(all, t.widget('b'), { query: { fieldValidation: 'Loud' } }), {
      code: 422,
      reason: 'Invalid',
      message:
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loud": supported values: "", "Ignore", "Strict", "Warn"',
    });
  },
});
