import type { JsonObject, JsonValue } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  configMap,
  configMaps,
  leases,
  messageOf,
  metadataOf,
  widget,
  widgets,
  writePlane,
} from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());
await plane.ask('POST', configMaps, configMap('a', { data: { x: '1' } }));
await plane.ask('POST', widgets, widget('a', { spec: { size: 1 } }));

const types = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const patch = (type: keyof typeof types, body: JsonValue, { path = `${configMaps}/a`, query = '' } = {}) =>
  plane.ask('PATCH', path, body, {
    type: types[type],
    query: `dryRun=All${type === 'apply' ? '&fieldManager=m' : ''}${query}`,
  });

const map = 'value of type map[string]interface {}';
const operations = 'value of type []handlers.jsonPatchOp';

describe('what is no patch', () => {
  it.each<[keyof typeof types, string, string]>([
    ['merge', '', 'error decoding patch: unexpected end of JSON input'],
    ['merge', '{', 'error decoding patch: unexpected end of JSON input'],
    ['merge', '[]', `error decoding patch: json: cannot unmarshal array into Go ${map}`],
    ['merge', '5', `error decoding patch: json: cannot unmarshal number into Go ${map}`],
    ['merge', 'null', 'Invalid JSON Patch'],
    ['merge', '{"a":1e400}', 'error decoding patch: json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['json', '', 'error decoding patch: unexpected end of JSON input'],
    ['json', '{}', `error decoding patch: json: cannot unmarshal object into Go ${operations}`],
    ['json', '"x"', `error decoding patch: json: cannot unmarshal string into Go ${operations}`],
    ['json', '[5]', 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      'json',
      '[{"op":5,"path":"/x"}]',
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    ['strategic', '{', 'unexpected end of JSON input'],
    ['strategic', '[]', `json: cannot unmarshal array into Go ${map}`],
    ['strategic', '{"a":1e400}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['apply', '', 'invalid object type: /, Kind='],
    ['apply', '{}', 'invalid object type: /, Kind='],
    [
      'apply',
      '[]',
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go ${map}`,
    ],
    [
      'apply',
      'a: b: c',
      'error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
    ],
  ])('%s %s', async (type, body, message) => {
    const answer = await patch(type, body);
    expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  });

  it.each<[keyof typeof types, string, string]>([
    ['merge', '', 'Invalid JSON Patch'],
    ['merge', '"x"', 'Invalid JSON Patch'],
    ['json', '', 'unexpected end of JSON input'],
    ['json', '{}', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  ])('unseen by a strict reader: %s %s', async (type, body, message) => {
    const answer = await patch(type, body, { query: '&fieldValidation=Ignore' });
    expect([answer.status, messageOf(answer)]).toEqual([400, message]);
  });

  it('but null is an empty one, mostly', async () => {
    expect((await patch('json', 'null')).status).toBe(200);
    expect((await patch('strategic', 'null')).status).toBe(200);
  });

  it('of more than 10,000 operations', async () => {
    const test = { op: 'test', path: '/data/x', value: '1' };
    expect((await patch('json', Array<JsonValue>(10_000).fill(test))).status).toBe(200);
    const answer = await patch('json', Array<JsonValue>(10_001).fill(test));
    expect([answer.status, answer.body['reason']]).toEqual([413, 'RequestEntityTooLarge']);
    expect(messageOf(answer)).toBe(
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });
});

describe('types', () => {
  it.each([
    ['application/json', `${widgets}/a`, '-patch+json, application/apply-patch+yaml'],
    ['application/strategic-merge-patch+json', `${widgets}/a`, '-patch+json, application/apply-patch+yaml'],
    ['Application/Merge-Patch+JSON', `${widgets}/a`, '-patch+json, application/apply-patch+yaml'],
  ])('%s of %s', async (type, path, end) => {
    const answer = await plane.ask('PATCH', path, {}, { type });
    expect([answer.status, messageOf(answer)]).toEqual([
      415,
      `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge${end}`,
    ]);
  });

  it.each(['application/json', 'Application/Merge-Patch+JSON', ''])('%o of a built-in kind', async (type) => {
    const answer = await plane.ask('PATCH', `${configMaps}/a`, {}, { type });
    expect([answer.status, messageOf(answer)]).toEqual([415, '415: Unsupported Media Type']);
  });

  it('parameters do not count', async () => {
    const type = 'application/merge-patch+json; charset';
    expect((await plane.ask('PATCH', `${configMaps}/a`, {}, { type })).status).toBe(200);
  });
});

describe('what no object of the resource can be', () => {
  it.each<[string, keyof typeof types, JsonObject, string]>([
    [
      'a wrong type',
      'merge',
      { data: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    ['another kind', 'merge', { kind: 'Secret' }, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
    [
      'another version',
      'merge',
      { apiVersion: 'v2' },
      'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ['a wrong type, strategically', 'strategic', { data: ['x'] }, 'cannot restore map from slice'],
    [
      'no base64',
      'strategic',
      { binaryData: { x: '!' } },
      'error decoding from json: illegal base64 data at input byte 0',
    ],
  ])('%s', async (...[_, type, body, why]) => {
    const answer = await patch(type, body);
    expect([answer.status, answer.body['details']]).toMatchObject([
      422,
      { causes: [{ reason: 'FieldValueInvalid', field: 'patch' }] },
    ]);
    const shown =
      type === 'merge'
        ? /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":/
        : /^ "" is invalid: patch: Invalid value: "map\[(?:data:\[x\]|binaryData:map\[x:!\])\]": /;
    expect(messageOf(answer)).toMatch(shown);
    expect(String(messageOf(answer)).endsWith(`: ${why}`)).toBe(true);
  });

  it.each<[JsonObject, number, string | RegExp]>([
    [
      { apiVersion: 'example.com/v2' },
      422,
      'Widget.example.com "a" is invalid: apiVersion: Invalid value: "example.com/v2": must be example.com/v1',
    ],
    [{ apiVersion: 'v1' }, 422, 'Widget "a" is invalid: apiVersion: Invalid value: "v1": must be example.com/v1'],
    [{ kind: 'Foo' }, 422, 'Foo.example.com "a" is invalid: kind: Invalid value: "Foo": must be Widget'],
    [
      { kind: null },
      422,
      / "" is invalid: patch: .*: Object 'Kind' is missing in '\{"apiVersion":"example.com\/v1",.*\}'$/,
    ],
    [{ metadata: [] }, 422, /: json: cannot unmarshal array into Go value of type v1.ObjectMeta$/],
    [{ metadata: null }, 400, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
    [{ metadata: { name: 'b' } }, 400, 'the name of the object (b) does not match the name on the URL (a)'],
    [
      { metadata: { namespace: 'b' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [{ metadata: { namespace: null } }, 200, ''],
    [{ spec: { size: 101 } }, 422, /spec.size in body should be less than or equal to 100/],
  ])('a custom resource with %j: %i', async (body, status, message) => {
    const answer = await patch('merge', body, { path: `${widgets}/a` });
    expect(answer.status).toBe(status);
    if (status !== 200)
      expect(messageOf(answer)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });
});

describe('fieldValidation', () => {
  it.each<[string, keyof typeof types, string, string, string[]]>([
    [
      'merge',
      'merge',
      `${widgets}/a`,
      '{"spec":{"size":1,"size":2},"spec":{"unk":1}}',
      ['duplicate field "spec.size"', 'duplicate field "spec"', 'unknown field "spec.unk"'],
    ],
    [
      'JSON',
      'json',
      `${widgets}/a`,
      '[{"op":"add","path":"/spec/unk","value":1,"extra":1,"op":"add"}]',
      ['json patch unknown field "[0].extra"', 'json patch duplicate field "[0].op"', 'unknown field "spec.unk"'],
    ],
    [
      'strategic',
      'strategic',
      `${configMaps}/a`,
      '{"data":{"x":"1","x":"2"},"dta":1}',
      ['duplicate field "data.x"', 'unknown field "dta"'],
    ],
  ])('of a %s patch', async (...[_, type, path, body, flaws]) => {
    const strict = await patch(type, body, { path, query: '&fieldValidation=Strict' });
    expect(strict.status).toBe(422);
    expect(String(messageOf(strict)).endsWith(`: strict decoding error: ${flaws.join(', ')}`)).toBe(true);
    const warned = await patch(type, body, { path });
    expect([warned.status, warned.warning]).toEqual([
      200,
      flaws.map((flaw) => `299 - ${JSON.stringify(flaw)}`).join(', '),
    ]);
    expect((await patch(type, body, { path, query: '&fieldValidation=Ignore' })).warning).toBeUndefined();
  });

  it('of an apply', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1", x: "1"}\n';
    const strict = await patch('apply', body, { query: '&fieldValidation=Strict&force=true' });
    expect([strict.status, messageOf(strict)]).toEqual([
      400,
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 4: key "x" already set in map',
    ]);
    const warned = await patch('apply', body, { query: '&force=true' });
    expect([warned.status, warned.warning]).toEqual([200, String.raw`299 - "line 4: key \"x\" already set in map"`]);
  });

  it('goes out with a refusal too', async () => {
    const answer = await patch('merge', { spec: { unk: 1, size: 101 } }, { path: `${widgets}/a` });
    expect([answer.status, answer.warning]).toEqual([422, String.raw`299 - "unknown field \"spec.unk\""`]);
  });
});

describe('what is not there', () => {
  it.each<[keyof typeof types, number]>([
    ['merge', 404],
    ['json', 404],
    ['strategic', 404],
    ['apply', 201],
  ])('%s: %i', async (type, status) => {
    const body = type === 'apply' ? configMap('none') : '[not even a patch';
    expect((await patch(type, body, { path: `${configMaps}/none` })).status).toBe(status);
  });

  it('an apply with a uid creates nothing', async () => {
    const answer = await plane.apply(`${configMaps}/none`, configMap('none', { metadata: { uid: 'u' } }));
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      'Operation cannot be fulfilled on configmaps "none": uid mismatch: the provided object specified uid u, and no existing object was found',
    ]);
  });

  it('status is applied to nothing', async () => {
    expect((await plane.apply(`${widgets}/none/status`, widget('none', { status: {} }))).status).toBe(404);
  });
});

describe('apply', () => {
  it('creates, changes with force, and conflicts where it saw another resourceVersion', async () => {
    const path = `${leases}/applied`;
    const lease = (holder: string, metadata: JsonObject = {}): JsonObject => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'applied', ...metadata },
      spec: { holderIdentity: holder },
    });
    expect((await plane.apply(path, lease('a'))).status).toBe(201);
    expect((await plane.apply(path, lease('b'), 'fieldManager=other')).status).toBe(409);
    const forced = await plane.apply(path, lease('b'), 'fieldManager=other&force=true');
    expect(forced.body).toMatchObject({ spec: { holderIdentity: 'b' } });
    const stale = await plane.apply(path, lease('b', { resourceVersion: '1' }), 'fieldManager=other');
    expect([stale.status, stale.body['reason']]).toEqual([409, 'Conflict']);
    const same = await plane.apply(path, lease('b'), 'fieldManager=other');
    expect(metadataOf(same)['resourceVersion']).toBe(metadataOf(forced)['resourceVersion']);
  });

  it.each<[string, JsonObject, string]>([
    [
      'a time',
      { spec: { renewTime: '2026-01-02T03:04:05Z' } },
      'parsing time "2026-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
    ['a fraction', { spec: { leaseDurationSeconds: 1.5 } }, 'cannot convert float64 to int32'],
  ])('of what cannot be read, %s', async (...[_, members, why]) => {
    const type = 'coordination.k8s.io/v1, Kind=Lease';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'z' }, ...members };
    const refused = await patch('apply', lease, { path: `${leases}/z` });
    expect(refused.status).toBe(500);
    expect(messageOf(refused)).toBe(
      `failed to convert new object (/z; ${type}) to proper version: unable to convert unstructured object to ${type}: ${why}`,
    );
  });

  it('needs a name that agrees with the path', async () => {
    const answer = await patch('apply', configMap('b'));
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ]);
    expect(messageOf(await patch('apply', { ...configMap('a'), kind: 'Secret' }))).toBe(
      'invalid object type: /v1, Kind=Secret',
    );
  });
});

describe('owners that stand twice', () => {
  it('are told of, and kept once', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u1' };
    const tail =
      'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u1';
    const sent = await plane.ask(
      'POST',
      configMaps,
      configMap('owned', { metadata: { ownerReferences: [owner, owner] } }),
      { query: 'dryRun=All' },
    );
    expect(sent.warning).toBe(`299 - ".metadata.ownerReferences contains duplicate entries; ${tail}"`);
    expect(metadataOf(sent)['ownerReferences']).toEqual([owner]);
    const patched = await patch('merge', { metadata: { ownerReferences: [owner, owner] } });
    const missing = await plane.ask(
      'PUT',
      `${configMaps}/none`,
      configMap('none', { metadata: { ownerReferences: [owner, owner] } }),
    );
    expect([missing.status, missing.warning]).toEqual([404, sent.warning]);
    expect(patched.warning).toBe(
      `299 - ".metadata.ownerReferences contains duplicate entries after mutating admission happens; ${tail}"`,
    );
  });
});
