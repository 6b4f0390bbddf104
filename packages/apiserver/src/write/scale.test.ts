import type { JsonObject } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import { messageOf, metadataOf, widget, widgets, writePlane } from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());
await plane.ask('POST', widgets, widget('s', { spec: { replicas: 2 } }));
await plane.ask('POST', widgets, widget('none'));

const path = `${widgets}/s/scale`;
const scale = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 's', ...metadata },
  spec,
});
const noScale = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"';

describe('scale', () => {
  it('is read and written', async () => {
    await plane.merge(`${widgets}/s/status`, { status: { replicas: 1, selector: 'app=x' } });
    const { body } = await plane.ask('GET', path);
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 1, selector: 'app=x' } });
    expect((await plane.ask('PUT', path, { ...body, spec: { replicas: 3 } })).body).toMatchObject({
      spec: { replicas: 3 },
    });
    expect((await plane.merge(path, { spec: { replicas: 4 } })).body).toMatchObject({ spec: { replicas: 4 } });
    const json = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
    expect((await plane.jsonPatch(path, json)).body).toMatchObject({ spec: { replicas: 5 } });
    expect((await plane.ask('GET', `${widgets}/s`)).body).toMatchObject({
      spec: { replicas: 5, mode: 'fast' },
      metadata: { generation: 4 },
    });
  });

  it('takes the replicas from their owner, and gives them to nobody', async () => {
    const managed = async () => JSON.stringify(metadataOf(await plane.ask('GET', `${widgets}/owned`))['managedFields']);
    await plane.ask('POST', widgets, widget('owned', { spec: { replicas: 1 } }));
    expect(await managed()).toContain('f:replicas');
    await plane.merge(`${widgets}/owned/scale`, { spec: { replicas: 2 } });
    expect(await managed()).not.toMatch(/f:replicas|scale/);
  });

  it.each<[string, JsonObject, number, string | RegExp]>([
    ['another kind', { ...scale({}), kind: 'Widget' }, 400, noScale],
    ['no number', scale({ replicas: 'x' }), 400, noScale],
    ['a fraction', scale({ replicas: 1.5 }), 400, noScale],
    [
      'fewer than none',
      scale({ replicas: -1 }),
      422,
      'Widget.example.com "s" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
    ],
    ['an old resourceVersion', scale({ replicas: 9 }, { resourceVersion: '1' }), 409, /the object has been modified/],
    ['another uid', scale({ replicas: 9 }, { uid: 'u' }), 409, /Precondition failed: UID in precondition: u/],
    [
      'another name',
      scale({}, { name: 't' }),
      400,
      'the name of the object (t) does not match the name on the URL (s)',
    ],
    ['another namespace', scale({}, { namespace: 't' }), 400, /namespace of the provided object does not match/],
  ])('%s', async (...[_, body, status, message]) => {
    const answer = await plane.ask('PUT', path, body);
    expect(answer.status).toBe(status);
    expect(messageOf(answer)).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });

  it('of an object that does not say is no Scale, until it does', async () => {
    const answer = await plane.ask('GET', `${widgets}/none/scale`);
    expect([answer.status, messageOf(answer)]).toEqual([
      500,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    ]);
    expect((await plane.merge(`${widgets}/none/scale`, { spec: { replicas: 0 } })).body).toMatchObject({
      spec: {},
      status: { replicas: 0 },
    });
    expect((await plane.ask('GET', `${widgets}/none`)).body['spec']).toEqual({ replicas: 0, mode: 'fast' });
  });

  it('is not applied', async () => {
    expect((await plane.apply(path, scale({ replicas: 1 }))).status).toBe(500);
  });
});
