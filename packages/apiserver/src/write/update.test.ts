import type { JsonObject } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import {
  configMap,
  configMaps,
  gadget,
  gadgets,
  leases,
  messageOf,
  metadataOf,
  widget,
  widgets,
  writePlane,
} from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());

const uid = '11111111-2222-3333-4444-555555555555';
const stale = 'the object has been modified; please apply your changes to the latest version and try again';
let count = 0;
const fresh = (): string => `u${count++}`;

/** A widget, as the server has it. */
async function created(
  fields: JsonObject = {},
): Promise<{ path: string; name: string; object: JsonObject & { metadata: JsonObject } }> {
  const name = fresh();
  const { body } = await plane.ask('POST', widgets, widget(name, fields));
  return { path: `${widgets}/${name}`, name, object: body as JsonObject & { metadata: JsonObject } };
}

describe('which object is meant', () => {
  it.each([
    [
      'another name',
      { metadata: { name: 'b' } },
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'no name',
      { metadata: {} },
      400,
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      configMap('a', { metadata: { namespace: 'x' } }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['none there', configMap('a'), 404, 'configmaps "a" not found'],
  ])('%s', async (...[_, body, status, message]) => {
    const answer = await plane.ask('PUT', `${configMaps}/a`, body);
    expect([answer.status, messageOf(answer)]).toEqual([status, message]);
  });

  it('another uid', async () => {
    const { path, name, object } = await created();
    const answer = await plane.ask('PUT', path, { ...object, metadata: { ...object.metadata, uid } });
    const key = `/registry/example.com/widgets/default/${name}`;
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata['uid'] as string}`;
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      `Operation cannot be fulfilled on widgets.example.com "${name}": StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
    ]);
    const patched = await plane.merge(path, { metadata: { uid } });
    expect([patched.status, messageOf(patched)]).toEqual([
      422,
      `Widget.example.com "${name}" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`,
    ]);
  });
});

describe('resourceVersion', () => {
  it.each([
    ['old', '1', 409, `Operation cannot be fulfilled on widgets.example.com "NAME": ${stale}`],
    ['of the future', '99999999', 409, `Operation cannot be fulfilled on widgets.example.com "NAME": ${stale}`],
    ['no number', 'x', 500, 'strconv.ParseUint: parsing "x": invalid syntax'],
    ['negative', '-1', 500, 'strconv.ParseUint: parsing "-1": invalid syntax'],
    [
      'none',
      undefined,
      422,
      'widgets.example.com "NAME" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ],
    [
      'zero',
      '0',
      422,
      'widgets.example.com "NAME" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ],
  ])('%s', async (...[_, resourceVersion, status, message]) => {
    const { path, name, object } = await created();
    const metadata = { ...object.metadata, resourceVersion };
    const answer = await plane.ask('PUT', path, { ...object, metadata });
    expect([answer.status, messageOf(answer)]).toEqual([status, message.replace('NAME', name)]);
    if (resourceVersion === undefined) return;
    expect((await plane.merge(path, { metadata: { resourceVersion } })).status).toBe(status);
  });

  it('is not needed for a ConfigMap, but for a Lease', async () => {
    const name = fresh();
    await plane.ask('POST', configMaps, configMap(name));
    expect((await plane.ask('PUT', `${configMaps}/${name}`, configMap(name, { data: { x: '1' } }))).status).toBe(200);
    const lease = { metadata: { name } };
    expect((await plane.ask('PUT', `${leases}/${name}`, lease)).status).toBe(201);
    expect((await plane.ask('PUT', `${leases}/${name}`, lease)).status).toBe(422);
  });
});

describe('what an update cannot change', () => {
  it('creation, generation and selfLink are kept without a word', async () => {
    const { path, object } = await created();
    const metadata = { creationTimestamp: '2001-02-03T04:05:06Z', generation: 9, selfLink: '/x' };
    expect((await plane.merge(path, { metadata })).body).toEqual(object);
  });

  it('nor does the mark of deletion go', async () => {
    const { path } = await created({ metadata: { finalizers: ['x.dev/f'] } });
    const { body } = await plane.ask('DELETE', path);
    const metadata = { deletionTimestamp: null, deletionGracePeriodSeconds: null };
    expect((await plane.merge(path, { metadata })).body).toEqual(body);
  });

  it.each([
    ['deletionTimestamp', '2001-02-03T04:05:06Z', '"2001-02-03T04:05:06Z"'],
    ['deletionGracePeriodSeconds', 5, '5'],
  ])('%s is refused', async (field, value, shown) => {
    const { path, name } = await created();
    const answer = await plane.merge(path, { metadata: { [field]: value } });
    expect(messageOf(answer)).toBe(
      `Widget.example.com "${name}" is invalid: metadata.${field}: Invalid value: ${shown}: field is immutable`,
    );
  });
});

describe('generation', () => {
  const generationOf = async (path: string, patch: JsonObject): Promise<unknown> =>
    metadataOf(await plane.merge(path, patch))['generation'];

  it('counts changes of what is desired', async () => {
    const { path } = await created({ spec: { size: 1 } });
    expect(await generationOf(path, { metadata: { labels: { x: '1' }, finalizers: ['x.dev/f'] } })).toBe(1);
    expect(await generationOf(path, { spec: { size: 1 } })).toBe(1);
    expect(await generationOf(path, { spec: { size: 2 } })).toBe(2);
    expect(await generationOf(path, { status: { phase: 'x' } })).toBe(2);
    expect(await generationOf(`${path}/status`, { status: { phase: 'x' }, spec: { size: 9 } })).toBe(2);
    expect(metadataOf(await plane.ask('DELETE', path))['generation']).toBe(3);
    expect(await generationOf(path, { spec: { size: 3 } })).toBe(4);
  });

  it('counts status where it is no subresource, and nothing for a ConfigMap', async () => {
    await plane.ask('POST', gadgets, gadget('g', { status: { phase: 'x' } }));
    expect(await generationOf(`${gadgets}/g`, { status: { phase: 'y' } })).toBe(2);
    await plane.ask('POST', configMaps, configMap('g'));
    expect(await generationOf(`${configMaps}/g`, { data: { x: '1' } })).toBeUndefined();
  });
});

describe('an update that changes nothing', () => {
  it('writes nothing', async () => {
    const { path, object } = await created({ spec: { size: 1, free: { n: 1.5 } } });
    const revision = plane.api.revision;
    await plane.clock.advance(5000);
    expect((await plane.ask('PUT', path, object)).body).toEqual(object);
    expect((await plane.merge(path, { spec: { size: 1 } })).body).toEqual(object);
    expect((await plane.jsonPatch(path, [])).body).toEqual(object);
    expect((await plane.merge(`${path}/status`, { spec: { size: 5 } })).body).toEqual(object);
    expect(plane.api.revision).toBe(revision);
  });
});

describe('status', () => {
  it('is written through its own path, and nothing else is', async () => {
    const { path, object } = await created({ spec: { size: 1 }, metadata: { labels: { x: '1' } } });
    const patch = {
      spec: { size: 2 },
      status: { phase: 'x' },
      metadata: { labels: { x: '2' }, finalizers: ['x.dev/f'] },
    };
    const { body } = await plane.merge(`${path}/status`, patch);
    expect(body).toMatchObject({
      spec: object['spec'],
      status: { phase: 'x' },
      metadata: { labels: { x: '1' }, generation: 1 },
    });
    expect((body['metadata'] as JsonObject)['finalizers']).toBeUndefined();
    expect((await plane.merge(path, { status: { phase: 'y' }, spec: { size: 3 } })).body).toMatchObject({
      spec: { size: 3 },
      status: { phase: 'x' },
    });
    expect((await plane.merge(`${path}/status`, { status: null })).body['status']).toBeUndefined();
  });

  it('of a built-in kind comes with metadata', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'labelled' } });
    const { body } = await plane.merge('/api/v1/namespaces/labelled/status', {
      metadata: { labels: { x: '1' } },
      spec: { finalizers: null },
    });
    expect(body).toMatchObject({ metadata: { labels: { x: '1' } }, spec: { finalizers: ['kubernetes'] } });
  });
});

describe('finalizers', () => {
  const held = { metadata: { finalizers: ['x.dev/f'] } };

  it('are not added to what is going', async () => {
    const { path, name } = await created(held);
    await plane.ask('DELETE', path);
    const answer = await plane.merge(path, { metadata: { finalizers: ['x.dev/f', 'x.dev/b', 'x.dev/a'] } });
    expect(messageOf(answer)).toBe(
      `Widget.example.com "${name}" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.dev/a", "x.dev/b"}`,
    );
  });

  it('let an object go with the last of them: it is answered as it would have been', async () => {
    const { path } = await created(held);
    const deleting = (await plane.ask('DELETE', path)).body as { metadata: JsonObject };
    const last = { ...deleting, metadata: { ...deleting.metadata, finalizers: [] }, spec: { size: 5 } };
    const dry = await plane.ask('PUT', path, last, { query: 'dryRun=All' });
    expect((await plane.ask('GET', path)).body).toEqual(deleting);
    const gone = await plane.ask('PUT', path, last);
    expect(gone.body).toMatchObject({
      spec: { size: 5 },
      metadata: { resourceVersion: deleting.metadata['resourceVersion'] },
    });
    expect(gone.body).toEqual(dry.body);
    expect((await plane.ask('GET', path)).status).toBe(404);
  });

  it('are not taken off through status', async () => {
    const { path } = await created(held);
    await plane.ask('DELETE', path);
    await plane.merge(`${path}/status`, { metadata: { finalizers: null }, status: { phase: 'x' } });
    expect((await plane.ask('GET', path)).status).toBe(200);
  });
});

describe('a create by update', () => {
  it('keeps no uid, and no resourceVersion', async () => {
    const name = fresh();
    const refused = await plane.ask('PUT', `${leases}/${name}`, { metadata: { name, uid } });
    expect(messageOf(refused)).toMatch(/Key: \/registry\/leases\/default\/.*UID in object meta: $/);
    const made = await plane.ask('PUT', `${leases}/${name}`, { metadata: { name, resourceVersion: '5' } });
    expect([made.status, metadataOf(made)['name']]).toEqual([201, name]);
  });
});
