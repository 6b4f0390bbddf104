import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';

const widget = (t: Test, name: string, spec: string): string =>
  `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`;

/** Numbers as Go reads, stores and writes them. */
export const numberCases = defineCases('numbers', {
  'integers up to 64 bits are exact, in schema and out of it': async (t) => {
    const all = await t.widgets();
    for (const [index, text] of [
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '0',
      '-1',
    ].entries()) {
      const answer = t.ok(
        await t.request('POST', all, { raw: widget(t, `a${index}`, `{"count":${text},"free":{"n":${text}}}`) }),
        201,
      );
      t.says(answer, `"count":${text}`);
      t.says(answer, `"n":${text}`);
      t.says(t.ok(await t.get(`${all}/a${index}`)), `"count":${text}`);
    }
  },

  'what is no 64-bit integer becomes a double, and is written as Go writes it': async (t) => {
    const all = await t.widgets();
    for (const [index, [sent, stored]] of Object.entries({
      '1.5': '1.5',
      '0.1': '0.1',
      '1e3': '1000',
      '1E3': '1000',
      '1.0': '1',
      '-0': '0',
      '-0.0': '0',
      '1e21': '1e+21',
      '123456789012345678901234567890': '1.2345678901234568e+29',
      '9223372036854775808': '9223372036854776000',
      '1e-7': '1e-7',
      '0.000001': '0.000001',
      '1.7976931348623157e308': '1.7976931348623157e+308',
      '5e-324': '5e-324',
      '100000000000000000000': '100000000000000000000',
      '1e20': '100000000000000000000',
    }).entries()) {
      const answer = t.ok(await t.request('POST', all, { raw: widget(t, `a${index}`, `{"free":{"n":${sent}}}`) }), 201);
      t.says(answer, `"n":${stored}`);
      t.says(t.ok(await t.get(`${all}/a${index}`)), `"n":${stored}`);
    }
  },

  'a number that no double holds is refused': async (t) => {
    t.refused(await t.request('POST', await t.widgets(), { raw: widget(t, 'a', '{"free":{"n":1e400}}') }), {
      code: 400,
      reason: 'BadRequest',
    });
  },

  'integer fields of a schema take 1.0 and 1e2, not 1.5': async (t) => {
    const all = await t.widgets();
    t.says(t.ok(await t.request('POST', all, { raw: widget(t, 'a', '{"size":1.0}') }), 201), '"size":1');
    t.says(t.ok(await t.request('POST', all, { raw: widget(t, 'b', '{"size":1e2}') }), 201), '"size":100');
    t.refused(await t.request('POST', all, { raw: widget(t, 'c', '{"size":1.5}') }), { code: 422, reason: 'Invalid' });
    t.refused(await t.request('POST', all, { raw: widget(t, 'd', '{"count":9223372036854775808}') }), {
      code: 422,
      reason: 'Invalid',
    });
    t.refused(await t.request('POST', all, { raw: widget(t, 'e', '{"replicas":2147483648}') }), {
      code: 422,
      reason: 'Invalid',
    });
  },

  'number fields take integers and keep them': async (t) => {
    const all = await t.widgets();
    t.says(t.ok(await t.request('POST', all, { raw: widget(t, 'a', '{"ratio":3}') }), 201), '"ratio":3');
    t.says(t.ok(await t.request('POST', all, { raw: widget(t, 'b', '{"ratio":0.5}') }), 201), '"ratio":0.5');
  },

  'patches keep the numbers they do not touch, and compare by value': async (t) => {
    const path = `${await t.widgets()}/a`;
    const created = t.ok(
      await t.request('POST', await t.widgets(), {
        raw: widget(t, 'a', '{"count":9007199254740993,"free":{"n":1e3,"m":0.1}}'),
      }),
      201,
    );
    const patched = t.ok(await t.merge(path, { spec: { size: 1 } }));
    t.says(patched, '"count":9007199254740993');
    t.says(patched, '"n":1000');
    t.ok(await t.jsonPatch(path, [{ op: 'test', path: '/spec/free/n', value: 1000 }]));
    const raw = '{"spec":{"count":9007199254740993}}';
    const same = t.ok(await t.request('PATCH', path, { raw, type: 'application/merge-patch+json' }));
    t.equal(same.resourceVersion, patched.resourceVersion, 'resourceVersion after a patch with the same number');
    t.is(created.resourceVersion !== patched.resourceVersion, 'the first patch was a write');
    const next = t.ok(
      await t.request('PATCH', path, {
        raw: '{"spec":{"count":9007199254740992}}',
        type: 'application/merge-patch+json',
      }),
    );
    t.says(next, '"count":9007199254740992');
    t.is(next.resourceVersion !== same.resourceVersion, 'neighbours beyond 2^53 are different numbers');
  },

  'built-in kinds decode numbers by type': async (t) => {
    const leases = await t.named('coordination.k8s.io/v1', 'leases');
    const lease = (name: string, seconds: string): string =>
      `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"${name}"},"spec":{"leaseDurationSeconds":${seconds}}}`;
    t.says(t.ok(await t.request('POST', leases, { raw: lease('a', '30') }), 201), '"leaseDurationSeconds":30');
    for (const bad of ['1.5', '"30"', '2147483648', '1e400', 'true', '[]']) {
      t.refused(await t.request('POST', leases, { raw: lease('b', bad) }), {
        code: 400,
        reason: 'BadRequest',
        message: /^Lease in version "v1" cannot be handled as a Lease: json: cannot unmarshal/,
      });
    }
    t.says(t.ok(await t.request('POST', leases, { raw: lease('c', 'null') }), 201), '"spec":{}');
    t.refused(await t.request('POST', leases, { raw: lease('d', '1.0') }), { code: 400 });
    t.refused(await t.request('POST', leases, { raw: lease('e', '3e1') }), { code: 400 });
  },
});
