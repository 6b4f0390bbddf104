import type { JsonObject, JsonValue } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import { writeProtobuf } from '../protobuf/message-writer.fixture.ts';
import { metaTypes } from '../resources/builtin/types/meta.ts';
import {
  type Answer,
  configMap,
  configMaps,
  messageOf,
  metadataOf,
  widget,
  widgets,
  writePlane,
} from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());

let count = 0;

/** A new object, by its path. */
async function made(
  all: typeof configMaps | typeof widgets,
  metadata: JsonObject = {},
): Promise<{ path: string; name: string; uid: string; resourceVersion: string }> {
  const name = `d${count++}`;
  const answer = await plane.ask('POST', all, (all === widgets ? widget : configMap)(name, { metadata }));
  const { uid, resourceVersion } = metadataOf(answer) as { uid: string; resourceVersion: string };
  return { path: `${all}/${name}`, name, uid, resourceVersion };
}

const remove = (path: string, options?: JsonValue, query = ''): Promise<Answer> =>
  plane.ask('DELETE', path, options, { query });
const held = { finalizers: ['x.dev/f'] };

describe('options', () => {
  const unparsed = `couldn't get version/kind; json parse error: `;
  const policy = (value: string): string =>
    `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "${value}": supported values: "Foreground", "Background", "Orphan", "nil"`;
  const both =
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set';
  const dryRun = (value: string): string =>
    `DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ${value}: supported values: "All"`;

  it.each<[string, number, string]>([
    ['{', 400, `${unparsed}unexpected end of JSON input`],
    [' ', 400, `${unparsed}unexpected end of JSON input`],
    ['{}x', 400, `${unparsed}invalid character 'x' after top-level value`],
    [
      '{"kind":"ConfigMap","apiVersion":"v1"}',
      400,
      'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"propagationPolicy":5}',
      400,
      'json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
    ],
    [
      '{"dryRun":"All"}',
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string',
    ],
    [
      '{"gracePeriodSeconds":"x"}',
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    ['{"propagationPolicy":"X"}', 422, policy('X')],
    ['{"kind":"DeleteOptions","apiVersion":"apps/v1","propagationPolicy":"X"}', 422, policy('X')],
    ['{"kind":"DeleteOptions","apiVersion":"nowhere.dev/v1","propagationPolicy":"X"}', 422, policy('X')],
    ['{"propagationPolicy":"Orphan","orphanDependents":true}', 422, both],
    ['{"dryRun":["Some"]}', 422, dryRun('["Some"]')],
  ])('%s: %i', async (body, status, message) => {
    const { path } = await made(configMaps);
    const answer = await remove(path, body);
    expect([answer.status, messageOf(answer)]).toEqual([status, message]);
    expect((await plane.ask('GET', path)).status).toBe(200);
  });

  it.each<[string, number, string]>([
    ['propagationPolicy=X', 422, policy('X')],
    ['propagationPolicy=', 422, policy('')],
    ['dryRun=', 422, dryRun('[""]')],
    ['dryRun=All&dryRun=Some', 422, dryRun('["All","Some"]')],
    ['gracePeriodSeconds=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['orphanDependents=true&propagationPolicy=Orphan', 422, both],
  ])('?%s: %i', async (query, status, message) => {
    const { path } = await made(configMaps);
    const answer = await remove(path, undefined, query);
    expect([answer.status, messageOf(answer)]).toEqual([status, message]);
  });

  it.each<[string, string | undefined, string, string]>([
    ['in a body', '{"dryRun":[],"orphanDependents":true}', 'application/json', 'dryRun=All'],
    ['in YAML', 'orphanDependents: true', 'application/yaml', ''],
    ['in the query', undefined, 'application/json', 'orphanDependents=maybe'],
  ])('%s', async (...[_, body, type, query]) => {
    const { path } = await made(configMaps);
    await plane.ask('DELETE', path, body, { type, query });
    expect(metadataOf(await plane.ask('GET', path))).toMatchObject({
      finalizers: ['orphan'],
      deletionGracePeriodSeconds: 0,
    });
  });

  it.each([configMaps, widgets] as const)('as protobuf, as typed Go clients send them: %s', async (all) => {
    const kind = { apiVersion: 'v1', kind: 'DeleteOptions' };
    // Bytes below 128 only: the text is the body.
    const body = (options: JsonObject): string =>
      Buffer.from(writeProtobuf(metaTypes.get('DeleteOptions'), { ...kind, ...options })).toString('latin1');
    const type = 'application/vnd.kubernetes.protobuf';
    const { path } = await made(all);
    expect((await plane.ask('DELETE', path, body({ propagationPolicy: 'X' }), { type })).status).toBe(422);
    expect((await plane.ask('DELETE', path, 'k8s', { type })).status).toBe(400);
    expect((await plane.ask('DELETE', path, body({ dryRun: ['All'] }), { type })).status).toBe(200);
    expect((await plane.ask('GET', path)).status).toBe(200);
    expect((await plane.ask('DELETE', path, body({}), { type })).status).toBe(200);
    expect((await plane.ask('GET', path)).status).toBe(404);
  });

  it('of another content type', async () => {
    const { path } = await made(configMaps);
    expect((await plane.ask('DELETE', path, '{}', { type: 'text/plain' })).status).toBe(415);
  });
});

describe('preconditions', () => {
  it('of an object', async () => {
    const { path, name, uid, resourceVersion } = await made(widgets);
    const wrong = await remove(path, { preconditions: { uid: 'x', resourceVersion: '1' } });
    const why = `the UID in the precondition (x) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    expect([wrong.status, messageOf(wrong), wrong.body['details']]).toEqual([
      409,
      `Operation cannot be fulfilled on Widget.example.com "${name}": ${why}`,
      { name, group: 'example.com', kind: 'Widget' },
    ]);
    expect(messageOf(await remove(path, { preconditions: { resourceVersion: '1' } }))).toBe(
      `Operation cannot be fulfilled on Widget.example.com "${name}": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
    expect((await remove(path, { preconditions: { uid, resourceVersion } })).status).toBe(200);
  });

  it('of a namespace, which has words of its own', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'pre' } });
    const answer = await remove('/api/v1/namespaces/pre', { preconditions: { uid: 'x' } });
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      expect.stringMatching(
        /^Operation cannot be fulfilled on namespaces "pre": Precondition failed: UID in precondition: x, UID in object meta: [0-9a-f-]+$/,
      ),
    ]);
  });
});

describe('what is answered', () => {
  it('a Status of what is gone', async () => {
    const { path, name, uid } = await made(widgets);
    const answer = await remove(path);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name, group: 'example.com', kind: 'widgets', uid },
      },
    ]);
    expect((await remove(path)).status).toBe(404);
  });

  it('some kinds as they were', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await plane.ask('POST', accounts, { metadata: { name: 'a' } });
    const answer = await remove(`${accounts}/a`);
    expect(answer.body).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'a', resourceVersion: String(plane.api.revision) },
    });
  });

  it('the object where finalizers hold it; 202 for clients of old', async () => {
    const { path } = await made(widgets, held);
    const answer = await remove(path, { orphanDependents: false });
    expect([answer.status, metadataOf(answer)]).toMatchObject([
      202,
      { generation: 2, deletionGracePeriodSeconds: 0, deletionTimestamp: '2026-01-01T00:00:01Z' },
    ]);
    const again = await remove(path);
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  it('on a dry run what would be, and nothing happens', async () => {
    const [free, waiting] = [await made(widgets), await made(widgets, held)];
    const revision = plane.api.revision;
    expect((await remove(free.path, undefined, 'dryRun=All')).body).toMatchObject({
      status: 'Success',
      details: { uid: free.uid },
    });
    expect(metadataOf(await remove(waiting.path, undefined, 'dryRun=All'))['deletionTimestamp']).toBeDefined();
    expect(plane.api.revision).toBe(revision);
  });
});

describe('the collector’s finalizers', () => {
  it.each<[string, string[], JsonObject, string[] | undefined]>([
    ['Orphan', [], { propagationPolicy: 'Orphan' }, ['orphan']],
    ['Foreground', ['x.dev/f'], { propagationPolicy: 'Foreground' }, ['x.dev/f', 'foregroundDeletion']],
    ['Background', ['x.dev/f', 'orphan'], { propagationPolicy: 'Background' }, ['x.dev/f']],
    ['Foreground for Orphan', ['orphan'], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    ['orphanDependents', ['foregroundDeletion'], { orphanDependents: true }, ['orphan']],
    ['no orphanDependents', ['orphan'], { orphanDependents: false }, undefined],
    ['nothing said', ['foregroundDeletion', 'x.dev/f'], {}, ['foregroundDeletion', 'x.dev/f']],
    ['nothing said, nothing there', [], {}, undefined],
  ])('%s', async (...[_, finalizers, options, want]) => {
    const { path } = await made(widgets, { finalizers });
    await remove(path, options);
    const answer = await plane.ask('GET', path);
    expect(answer.status).toBe(want ? 200 : 404);
    if (want) expect(metadataOf(answer)['finalizers']).toEqual(want);
  });

  it('change while it waits', async () => {
    const { path } = await made(widgets, held);
    await remove(path);
    expect(metadataOf(await remove(path, { propagationPolicy: 'Foreground' }))).toMatchObject({
      finalizers: ['x.dev/f', 'foregroundDeletion'],
      generation: 2,
    });
    expect(metadataOf(await remove(path, { propagationPolicy: 'Background' }))['finalizers']).toEqual(['x.dev/f']);
  });
});

describe('a namespace', () => {
  it('goes in steps', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'steps' } });
    const first = await remove('/api/v1/namespaces/steps', undefined, 'propagationPolicy=Foreground');
    expect(first.body).toMatchObject({
      status: { phase: 'Terminating' },
      metadata: { finalizers: ['foregroundDeletion'] },
    });
    expect(metadataOf(first)['deletionGracePeriodSeconds']).toBeUndefined();
    expect((await remove('/api/v1/namespaces/steps')).body).toEqual(first.body);
    const path = '/api/v1/namespaces/steps';
    await plane.merge(path, { metadata: { finalizers: null } });
    expect((await plane.merge(path, { spec: { finalizers: null } })).body['spec']).toEqual({
      finalizers: ['kubernetes'],
    });
    const finalized = await plane.ask('PUT', `${path}/finalize`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'steps' },
      spec: {},
    });
    expect(finalized.status).toBe(200);
    expect((await plane.ask('GET', path)).status).toBe(404);
  });

  it('that must be there stays', async () => {
    const answer = await remove('/api/v1/namespaces/kube-system');
    expect([answer.status, messageOf(answer)]).toEqual([
      403,
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    ]);
  });
});

describe('a collection', () => {
  it('is what a list with the same query answers', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'many' } });
    const all = '/api/v1/namespaces/many/configmaps';
    for (const [name, x] of Object.entries({ a: '1', b: '1', c: '2', d: '1' })) {
      await plane.ask('POST', all, configMap(name, { metadata: { labels: { x } } }));
    }
    const names = ({ body }: Answer) =>
      (body['items'] as JsonObject[]).map(({ metadata }) => (metadata as JsonObject)['name']);
    const dry = await remove(all, { dryRun: ['All'] });
    expect([dry.body['kind'], names(dry)]).toEqual(['ConfigMapList', ['a', 'b', 'c', 'd']]);
    expect(names(await remove(all, undefined, 'labelSelector=x%3D1&limit=2'))).toEqual(['a', 'b']);
    expect(names(await plane.ask('GET', all))).toEqual(['c', 'd']);
    await remove(all);
    expect(names(await plane.ask('GET', all))).toEqual([]);
  });
});
