import type { JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { note, testPlane, type TestPlane, widget, zone } from '../plane.fixture.ts';

const names = ({ items }: JsonObject): readonly string[] =>
  (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);

/** Notes a, b, c, d in revisions 2 to 5. */
function fourNotes(): TestPlane {
  const plane = testPlane();
  for (const name of ['a', 'b', 'c', 'd'])
    plane.put(note, { name, labels: { odd: String(name === 'a' || name === 'c') } });
  return plane;
}

describe('a list', () => {
  it('of a built-in kind has items that do not say what they are; one of a custom resource does', async () => {
    const plane = fourNotes();
    plane.put(widget, { name: 'w' }, { spec: { color: 'red' } });
    expect((await plane.ask('/api/v1/notes?limit=1')).body).toEqual({
      kind: 'NoteList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '6', continue: expect.any(String), remainingItemCount: 3 },
      items: [{ metadata: { name: 'a', namespace: 'default', labels: { odd: 'true' }, resourceVersion: '2' } }],
    });
    expect((await plane.ask('/apis/example.com/v1beta1/widgets')).body).toEqual({
      kind: 'WidgetList',
      apiVersion: 'example.com/v1beta1',
      metadata: { resourceVersion: '6', continue: '' },
      items: [
        {
          apiVersion: 'example.com/v1beta1',
          kind: 'Widget',
          metadata: { name: 'w', namespace: 'default', resourceVersion: '6' },
          spec: { color: 'red' },
        },
      ],
    });
  });

  it('of nothing has no items, rather than none', async () => {
    const { body } = await testPlane().ask('/apis/example.com/v1/zones');
    expect(body).toEqual({
      kind: 'ZoneList',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '1', continue: '' },
      items: [],
    });
  });

  it('selects by namespace, labels and fields', async () => {
    const plane = fourNotes();
    plane.put(note, { name: 'e', namespace: 'other' });
    plane.put(widget, { name: 'w' }, { spec: { color: 'red' } });
    plane.put(widget, { name: 'v' }, { spec: { color: 'blue' } });
    const list = async (path: string): Promise<readonly string[]> => names((await plane.ask(path)).body);
    expect(await list('/api/v1/namespaces/other/notes')).toEqual(['e']);
    expect(await list('/api/v1/notes?labelSelector=odd%3Dtrue')).toEqual(['a', 'c']);
    expect(await list('/api/v1/notes?labelSelector=odd!%3Dtrue&fieldSelector=metadata.namespace%3Ddefault')).toEqual([
      'b',
      'd',
    ]);
    expect(await list('/api/v1/notes?fieldSelector=metadata.name%3Db')).toEqual(['b']);
    expect(await list('/apis/example.com/v1/widgets?fieldSelector=spec.color%3Dred')).toEqual(['w']);
  });
});

describe('a list in pages', () => {
  it('is of one moment, whatever happens meanwhile', async () => {
    const plane = fourNotes();
    const first = (await plane.ask('/api/v1/notes?limit=2')).body;
    expect([names(first), first.metadata]).toMatchObject([['a', 'b'], { remainingItemCount: 2 }]);
    plane.remove(note, 'c');
    plane.put(note, { name: 'bb' });
    const token = (first.metadata as { continue: string }).continue;
    const second = (await plane.ask(`/api/v1/notes?limit=2&continue=${token}`)).body;
    expect([names(second), second.metadata]).toEqual([['c', 'd'], { resourceVersion: '5' }]);
  });

  it('counts what is left only where nothing is selected, and does not look whether any of it is', async () => {
    const plane = fourNotes();
    const { metadata } = (await plane.ask('/api/v1/notes?limit=1&labelSelector=odd%3Dtrue')).body;
    expect(metadata).toEqual({ resourceVersion: '5', continue: expect.any(String) });
    const second = (await plane.ask('/api/v1/notes?limit=2&labelSelector=odd%3Dtrue')).body;
    expect(second.metadata).toEqual({ resourceVersion: '5', continue: expect.any(String) });
    const rest = `/api/v1/notes?limit=2&labelSelector=odd%3Dtrue&continue=${(second.metadata as { continue: string }).continue}`;
    expect((await plane.ask(rest)).body).toMatchObject({ items: [], metadata: { resourceVersion: '5' } });
  });

  it('continues within a namespace by names alone', async () => {
    const plane = fourNotes();
    const { metadata } = (await plane.ask('/api/v1/namespaces/default/notes?limit=1')).body;
    const token = (metadata as { continue: string }).continue;
    expect(Buffer.from(token, 'base64url').toString()).toBe(
      String.raw`{"v":"meta.k8s.io/v1","rv":5,"start":"/a\u0000"}`,
    );
    expect(names((await plane.ask(`/api/v1/namespaces/default/notes?limit=1&continue=${token}`)).body)).toEqual(['b']);
  });

  it('expires with its revision, and offers to go on with what there is now', async () => {
    const plane = fourNotes();
    const token = ((await plane.ask('/api/v1/notes?limit=1')).body.metadata as { continue: string }).continue;
    plane.put(note, { name: 'aa' });
    plane.server.store.compact();
    const { status, body } = await plane.ask(`/api/v1/notes?limit=1&continue=${token}`);
    expect([status, body]).toMatchObject([410, { reason: 'Expired', metadata: { continue: expect.any(String) } }]);
    const next = (body.metadata as { continue: string }).continue;
    const rest = (await plane.ask(`/api/v1/notes?continue=${next}`)).body;
    expect([names(rest), rest.metadata]).toEqual([['aa', 'b', 'c', 'd'], { resourceVersion: '6' }]);
  });

  it.each([
    ['continue=abc', 400, /^invalid continue token: continue key is not valid: /],
    [
      `continue=${Buffer.from('{"v":"x"}').toString('base64url')}`,
      400,
      /server does not recognize this encoded version x$/,
    ],
    [
      `continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"/../a"}').toString('base64url')}`,
      400,
      /not valid/,
    ],
    [
      `continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"/a"}').toString('base64url')}&resourceVersion=5`,
      400,
      /^specifying resource version is not allowed when using continue$/,
    ],
  ])('refuses %s', async (query, status, message) => {
    const answer = await fourNotes().ask(`/api/v1/notes?${query}`);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe('the revision of a list', () => {
  it.each([
    ['resourceVersion=0', '5'],
    ['resourceVersion=0&limit=1', '5'],
    ['resourceVersion=3', '5'],
    ['resourceVersion=3&resourceVersionMatch=NotOlderThan', '5'],
    ['resourceVersion=3&resourceVersionMatch=Exact', '3'],
    ['resourceVersion=3&limit=10', '3'],
    ['resourceVersion=5&resourceVersionMatch=Exact', '5'],
  ])('%s: %s', async (query, revision) => {
    const { body } = await fourNotes().ask(`/api/v1/notes?${query}`);
    expect(body.metadata).toEqual({ resourceVersion: revision });
    expect(names(body)).toHaveLength(Number(revision) - 1);
  });

  it('may not be one that is forgotten', async () => {
    const plane = fourNotes();
    plane.server.store.compact(3);
    const ask = async (revision: number) =>
      plane.ask(`/api/v1/notes?resourceVersion=${revision}&resourceVersionMatch=Exact`);
    expect((await ask(2)).body).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
    expect(names((await ask(3)).body)).toEqual(['a', 'b']);
  });

  it.each([
    'resourceVersion=9',
    'resourceVersion=9&resourceVersionMatch=Exact',
    'resourceVersion=9&resourceVersionMatch=NotOlderThan',
  ])('may not be one that is still to come: %s', async (query) => {
    const { headers, body } = await fourNotes().ask(`/api/v1/notes?${query}`);
    expect(headers['retry-after']).toBe('1');
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Timeout: Too large resource version: 9, current: 5',
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
  });

  it.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=9223372036854775808', 400, 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    [
      'resourceVersion=18446744073709551616',
      400,
      'invalid resource version: resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    [
      'resourceVersion=x',
      400,
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'resourceVersionMatch=Foo&resourceVersion=1',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    ['labelSelector=%3D', 400, `found '=', expected: !, identifier, or 'end of string'`],
  ])('refuses %s', async (query, status, message) => {
    const answer = await fourNotes().ask(`/api/v1/notes?${query}`);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });
});

describe('a get', () => {
  it('answers in the version that was asked for', async () => {
    const plane = testPlane();
    plane.put(widget, { name: 'w' });
    const { headers, body } = await plane.ask('/apis/example.com/v1beta1/namespaces/default/widgets/w');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    expect(body).toMatchObject({ apiVersion: 'example.com/v1beta1', kind: 'Widget', metadata: { name: 'w' } });
  });

  it('says what it does not find', async () => {
    const plane = testPlane();
    expect((await plane.ask('/apis/example.com/v1/zones/z')).body).toMatchObject({
      code: 404,
      message: 'zones.example.com "z" not found',
      details: { name: 'z', group: 'example.com', kind: 'zones' },
    });
    plane.put(zone, { name: 'z' });
    expect((await plane.ask('/apis/example.com/v1/zones/z?resourceVersion=2')).status).toBe(200);
    expect((await plane.ask('/apis/example.com/v1/zones/z?resourceVersion=3')).status).toBe(504);
    expect((await plane.ask('/apis/example.com/v1/zones/z?resourceVersion=x')).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      code: 500,
    });
  });
});
