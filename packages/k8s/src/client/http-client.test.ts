import { getEventListeners } from 'node:events';
import {
  bodyOf,
  describeError,
  intercept,
  JsonNumber,
  type Transport,
  type TransportInterceptor,
  type TransportRequest,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../app/prometheus.ts';
import { evenFaults, withFaults } from '../testing/faults.ts';
import { Gadget, gadget, Note } from '../testing/gadget.fixture.ts';
import { Refusal } from '../testing/refusal.ts';
import { createScriptedApi, type ScriptedApiOptions } from '../testing/scripted-api.ts';
import { TransportError, type TransportErrorCode } from '../transport/transport-error.ts';
import type { CallOptions, Client, WatchEvent } from './client.ts';
import { type ClientOptions, createClient } from './http-client.ts';
import { KubeError } from './kube-error.ts';
import { createRetryBudget } from './retry-budget.ts';

const baseUrl = 'https://api.test/planes/p1';
const a = { namespace: 'default', name: 'a' };
const ofA = { kind: Gadget, name: a };

interface SetUp {
  readonly api?: Partial<ScriptedApiOptions>;
  readonly client?: Partial<ClientOptions>;
  readonly between?: readonly TransportInterceptor[];
}

function setUp({ api: apiOptions, client: clientOptions, between = [] }: SetUp = {}) {
  const clock = new VirtualClock();
  const api = createScriptedApi({
    clock,
    random: seeded('api'),
    kinds: [Gadget, Note],
    basePath: '/planes/p1',
    ...apiOptions,
  });
  const sent: TransportRequest[] = [];
  const record: TransportInterceptor = (next) => (request, options) => (sent.push(request), next(request, options));
  const transport = intercept(api.transport, ...between, record);
  const client = createClient({
    transport,
    baseUrl,
    clock,
    random: seeded('client'),
    userAgent: 'tester/1',
    ...clientOptions,
  });
  const controller = new AbortController();
  const { signal } = controller;
  /** The path and query of the last request, with its plane cut off. */
  const lastPath = (): string => sent.at(-1)?.url.slice(baseUrl.length) ?? '';
  return { clock, api, client, sent, lastPath, controller, signal, options: { signal } };
}

/** Answers instead of the server. */
const answering =
  (status: number, text: string, headers: Record<string, string> = {}): TransportInterceptor =>
  () =>
  () =>
    Promise.resolve({ status, headers, body: bodyOf(new TextEncoder().encode(text)) });
const failing =
  (error: Error): TransportInterceptor =>
  () =>
  () =>
    Promise.reject(error);
const hanging: TransportInterceptor =
  () =>
  (_request, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'fine', (error: unknown) => (error instanceof KubeError ? error.code : error)); // prettier-ignore

describe('reads', () => {
  it('get and find objects as the server holds them, every digit of them', async () => {
    const { api, client, sent, options, lastPath } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: new JsonNumber('9223372036854775807') } }));
    const object = await client.get(Gadget, a, options);
    expect(String(object.spec?.size)).toBe('9223372036854775807');
    expect(lastPath()).toBe('/apis/example.dev/v1/namespaces/default/gadgets/a');
    expect(sent.at(-1)?.headers).toEqual({ accept: 'application/json', 'user-agent': 'tester/1' });
    expect(await client.find(Gadget, { ...a, name: 'b' }, options)).toBeUndefined();
    await expect(client.get(Gadget, { ...a, name: 'b' }, options)).rejects.toMatchObject({
      code: 'not-found',
      status: 404,
    });
    const { metadata } = object;
    expect(await client.findMetadata(Gadget, a, options)).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata,
    });
  });

  it('B02: a kind that is missing proves nothing about its objects', async () => {
    const { api, client, options } = setUp();
    api.unserve(Gadget);
    await expect(client.find(Gadget, a, options)).rejects.toMatchObject({ code: 'kind-missing' });
    await expect(client.delete(ofA, { ...options, uid: 'u' })).rejects.toMatchObject({ code: 'kind-missing' });
    await expect(client.list(Gadget, options)).rejects.toMatchObject({ code: 'kind-missing' });
  });

  it('list every page of one snapshot', async () => {
    const { api, client, sent, options } = setUp();
    for (let i = 0; i < 1_201; i++) api.put(Gadget, gadget(`g-${i}`));
    const { items, resourceVersion } = await client.list(Gadget, options);
    expect([items.length, resourceVersion, sent.length]).toEqual([1_201, String(api.revision), 3]);
    expect(items[0]).toMatchObject({ apiVersion: 'example.dev/v1', kind: 'Gadget', metadata: { name: 'g-0' } });
    expect(sent.every(({ url }) => url.includes('limit=500') && !url.includes('resourceVersion'))).toBe(true);
    const partial = await client.listMetadata(Gadget, { ...options, labelSelector: 'x', namespace: 'default' });
    expect(partial.items).toEqual([]);
    // A server refuses a list that is asked for as an object.
    expect(sent.at(-1)?.headers['accept']).toContain(';as=PartialObjectMetadataList;');
    await client.list(Gadget, { ...options, resourceVersion: '3', pageSize: 1_000 });
    expect(
      sent.slice(-2).map(({ url }) => url.includes('resourceVersion=3&resourceVersionMatch=NotOlderThan')),
    ).toEqual([true, false]);
    await expect(client.list(Gadget, { ...options, resourceVersion: '0' })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('C37: a list whose snapshot expires on the way is begun anew, one that breaks is an error', async () => {
    let onPage = (_page: number): void => undefined;
    let page = 0;
    const count: TransportInterceptor = (next) => (request, options) => {
      onPage(++page);
      return next(request, options);
    };
    const { api, client, sent, options } = setUp({ between: [count] });
    for (let i = 0; i < 10_000; i += 10) api.put(Gadget, gadget(`g-${i}`));
    onPage = (at) => {
      if (at !== 2) return;
      api.put(Gadget, gadget('late'));
      api.compact();
    };
    const { items } = await client.list(Gadget, { ...options, pageSize: 300 });
    expect([items.length, sent.filter(({ url }) => url.includes('limit=300')).length]).toEqual([1_001, 2]);
    page = 0;
    onPage = (at) => {
      api.refuse = () => (at === 3 ? new Refusal({ code: 500, reason: 'InternalError', message: 'x' }) : undefined);
    };
    await expect(client.list(Gadget, { ...options, pageSize: 100 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    { name: 'a sign-in page', text: '<html>sign in</html>' },
    { name: 'nothing', text: '' },
    { name: 'half an object', text: '{"kind":"Gadget","apiVersion":"example.dev/v1","meta' },
    { name: 'another object', text: JSON.stringify({ ...gadget('b') }) },
    { name: 'another kind', text: JSON.stringify({ ...gadget('a'), kind: 'Gizmo' }) },
    { name: 'another version', text: JSON.stringify({ ...gadget('a'), apiVersion: 'example.dev/v2' }) },
    { name: 'an object without a name', text: JSON.stringify({ ...gadget('a'), metadata: {} }) },
    { name: 'a Status', text: '{"kind":"Status","apiVersion":"v1","status":"Failure","code":404}' },
    {
      name: 'a list without a revision',
      text: '{"kind":"GadgetList","apiVersion":"example.dev/v1","metadata":{},"items":[]}',
    },
    {
      name: 'a list of another kind',
      text: '{"kind":"NoteList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}',
    },
    {
      name: 'a list without items',
      text: '{"kind":"GadgetList","apiVersion":"example.dev/v1","metadata":{"resourceVersion":"1"}}',
    },
    {
      name: 'a list of nameless things',
      text: '{"kind":"GadgetList","apiVersion":"example.dev/v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{}}]}',
    },
  ])('a 200 with $name is malformed', async ({ text }) => {
    const { client, options } = setUp({ between: [answering(200, text)] });
    expect(await codeOf(client.get(Gadget, a, options))).toBe('malformed');
    expect(await codeOf(client.list(Gadget, options))).toBe('malformed');
  });

  it('a list may have no items at all', async () => {
    const text = '{"kind":"GadgetList","apiVersion":"example.dev/v1","metadata":{"resourceVersion":"7"},"items":null}';
    const { client, options } = setUp({ between: [answering(200, text)] });
    expect(await client.list(Gadget, options)).toEqual({ items: [], resourceVersion: '7' });
  });

  it('a body that is cut short is never a short list', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const fault = seed % 2 === 0 ? { cutBody: 1 } : { truncatedBody: 1 };
      const { api, client, options } = setUp({
        between: [withFaults(seeded(seed), fault, { clock: new VirtualClock() })],
      });
      for (let i = 0; i < 20; i++) api.put(Gadget, gadget(`g-${i}`));
      expect(await codeOf(client.list(Gadget, options))).toBe(seed % 2 === 0 ? 'unavailable' : 'malformed');
    }
  });

  it('a 404 that is cut short says nothing of a kind', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const { client, options } = setUp({
        between: [withFaults(seeded(seed), { cutBody: 1 }, { clock: new VirtualClock() })],
      });
      const found = client.find(Gadget, { namespace: 'default', name: 'absent' }, options);
      await expect(found).rejects.toMatchObject({ code: 'unavailable', status: 404 });
    }
  });
});

describe('watches', () => {
  const follow = (stream: AsyncIterable<WatchEvent<Gadget>>) => {
    const state: { events: string[]; end?: unknown } = { events: [] };
    void (async () => {
      for await (const event of stream) {
        state.events.push(
          event.type === 'bookmark'
            ? `bookmark ${event.resourceVersion}`
            : `${event.type} ${event.object.metadata.name}`,
        );
      }
    })().then(
      () => (state.end = 'closed'),
      (error: unknown) => (state.end = error),
    );
    return state;
  };

  it('stream a list, go on as a watch, and leave nothing behind', async () => {
    const { api, client, clock, lastPath, signal, options } = setUp();
    api.put(Gadget, gadget('a'));
    const stream = await client.watch(Gadget, {
      ...options,
      sendInitialEvents: true,
      timeoutSeconds: 300,
      fieldSelector: 'metadata.namespace=default',
    });
    expect(lastPath()).toBe(
      '/apis/example.dev/v1/gadgets?fieldSelector=metadata.namespace%3Ddefault&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    const state = follow(stream);
    await clock.advance(60_000);
    api.put(Gadget, gadget('b'));
    api.remove(Gadget, a);
    await clock.advance(300_000);
    expect(state.events).toEqual([
      'added a',
      'bookmark 2',
      'bookmark 2',
      'added b',
      'deleted a',
      ...Array.from({ length: 3 }, () => 'bookmark 4'),
    ]);
    expect([state.end, api.openWatches(), clock.pending, getEventListeners(signal, 'abort').length]).toEqual([
      'closed',
      0,
      0,
      0,
    ]);
  });

  it('of metadata only', async () => {
    const { api, client, options } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: 1 } }));
    const stream = await client.watchMetadata(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 });
    const { value } = await stream.next();
    expect(Object.keys((value as { object: object }).object)).toEqual(['apiVersion', 'kind', 'metadata']);
    await stream.return?.();
    expect(api.openWatches()).toBe(0);
  });

  it('end with the reason of the caller, in a pending read too', async () => {
    const { client, clock, controller, api, options } = setUp();
    const state = follow(await client.watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 }));
    await clock.settle();
    const reason = new Error('enough');
    controller.abort(reason);
    await clock.settle();
    expect([state.end, api.openWatches(), clock.pending]).toEqual([reason, 0, 0]);
  });

  it.each([
    { expiry: 'status' as const, where: 'its answer' },
    { expiry: 'event' as const, where: 'its stream' },
  ])('say in $where that their revision is gone', async ({ expiry }) => {
    const { api, client, options } = setUp();
    api.put(Gadget, gadget('a'));
    api.compact();
    api.expiry = expiry;
    const read = async () =>
      (await client.watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 })).next();
    await expect(read()).rejects.toMatchObject({ code: 'gone', status: 410 });
  });

  it('a broken connection is unavailable, and says so once', async () => {
    const { api, client, clock, signal, options } = setUp();
    const state = follow(await client.watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 }));
    api.endWatches({ error: new TransportError('connection-lost', 'reset') });
    await clock.settle();
    expect(state.end).toMatchObject({ code: 'unavailable' });
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });
});

describe('writes', () => {
  it('create, apply, patch and update, each with its media type, strictly validated', async () => {
    const { client, sent, lastPath, options } = setUp();
    const base = '/apis/example.dev/v1/namespaces/default/gadgets';
    const { apiVersion, kind, ...draft } = gadget('a', { spec: { size: 1 } });
    const created = await client.create(Gadget, draft, { ...options, fieldManager: 'me' });
    expect([created.apiVersion, lastPath()]).toEqual([
      'example.dev/v1',
      `${base}?fieldManager=me&fieldValidation=Strict`,
    ]);
    await client.apply(Gadget, { metadata: a, spec: { size: 2 } }, { ...options, fieldManager: 'me', force: true });
    expect([lastPath(), sent.at(-1)?.headers['content-type']]).toEqual([
      `${base}/a?fieldManager=me&fieldValidation=Strict&force=true`,
      'application/apply-patch+yaml',
    ]);
    const patch = { type: 'json', body: [{ op: 'replace', path: '/status', value: { phase: 'On' } }] } as const;
    const test = { type: 'merge', body: { status: {} } } as const;
    await client.patch(ofA, test, { ...options, subresource: 'status' });
    const patched = await client
      .patch(ofA, patch, { ...options, subresource: 'status', dryRun: true, fieldValidation: 'Warn' })
      .catch(describeError);
    expect(patched).toMatchObject({ status: { phase: 'On' } });
    expect([lastPath(), sent.at(-1)?.headers['content-type']]).toEqual([
      `${base}/a/status?fieldValidation=Warn&dryRun=All`,
      'application/json-patch+json',
    ]);
    const merged = await client.patch(ofA, { type: 'merge', body: { spec: { size: 3 } } }, options);
    expect(sent.at(-1)?.headers['content-type']).toBe('application/merge-patch+json');
    const updated = await client.update(Gadget, { ...merged, spec: { size: 4 } }, options);
    expect(updated.spec).toEqual({ size: 4 });
    expect(await codeOf(client.update(Gadget, { ...merged, spec: { size: 5 } }, options))).toBe('conflict');
    expect(await codeOf(client.update(Gadget, gadget('a'), options))).toBe('invalid');
    expect(await codeOf(client.create(Gadget, gadget('a'), options))).toBe('already-exists');
    expect(
      await codeOf(
        client.apply(Gadget, gadget('a', { spec: { size: 9 } }), { ...options, fieldManager: 'you', force: false }),
      ),
    ).toBe('conflict');
  });

  it('a JSON patch that does not fit any more is a conflict', async () => {
    const { api, client, options } = setUp();
    api.put(Gadget, gadget('a'));
    const patch = { type: 'json', body: [{ op: 'test', path: '/metadata/uid', value: 'another' }] } as const;
    expect(await codeOf(client.patch(ofA, patch, options))).toBe('conflict');
  });

  it('delete says what became of the object, and never touches another', async () => {
    const { api, client, sent, options } = setUp();
    const uidOf = (): string => api.get(Gadget, a)?.metadata.uid ?? '';
    api.put(Gadget, gadget('a'));
    expect(await codeOf(client.delete(ofA, { ...options, uid: 'other' }))).toBe('conflict');
    expect(await codeOf(client.delete(ofA, { ...options, uid: '' }))).toBe('invalid');
    expect(await client.delete(ofA, { ...options, uid: uidOf(), propagationPolicy: 'Background' })).toBe('gone');
    expect(JSON.parse(new TextDecoder().decode(sent.at(-1)?.body))).toMatchObject({
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
    });
    expect(await client.delete(ofA, { ...options, uid: 'x' })).toBe('gone');
    api.put(Gadget, gadget('a', { metadata: { name: 'a', finalizers: ['x/y'] } }));
    expect(await client.delete(ofA, { ...options, uid: uidOf() })).toBe('terminating');
    expect(await client.delete(ofA, { ...options, uid: uidOf() })).toBe('terminating');
  });

  it('are never repeated', async () => {
    const clock = new VirtualClock();
    const { api, client, options } = setUp({ between: [withFaults(seeded(1), { lostReply: 1 }, { clock })] });
    expect(await codeOf(client.create(Gadget, gadget('a'), options))).toBe('unavailable');
    expect([api.writes.length, api.requests.length]).toEqual([1, 1]);
  });

  it('what admit throws reaches the caller as it is, and nothing is sent', async () => {
    const metrics = createMetrics();
    const { api, client, clock, options } = setUp({ client: { metrics } });
    const fenced = new KubeError('fenced', 'not the leader');
    const admit = (): void => {
      throw fenced;
    };
    await expect(client.create(Gadget, gadget('a'), { ...options, admit })).rejects.toBe(fenced);
    expect([api.requests, clock.pending]).toEqual([[], 0]);
    expect(await metrics.text()).not.toContain('method="POST"');
  });
});

describe('C27: versions', () => {
  it('speaks the newest one that is served, found once, and follows the server', async () => {
    const { api, client, sent, clock, options } = setUp();
    api.put(Gadget, gadget('a'));
    api.serve(Gadget, ['v1beta1']);
    const { items } = await client.list(Gadget, options);
    expect(items[0]?.apiVersion).toBe('example.dev/v1beta1');
    expect(sent.map(({ url }) => url.slice(baseUrl.length).replace(/\?.*/, ''))).toEqual([
      '/apis/example.dev/v1/gadgets',
      '/apis/example.dev',
      '/apis/example.dev/v1beta1',
      '/apis/example.dev/v1beta1/gadgets',
    ]);
    await client.apply(Gadget, gadget('a', { spec: { size: 1 } }), { ...options, fieldManager: 'me', force: false });
    expect(new TextDecoder().decode(sent.at(-1)?.body)).toContain('"apiVersion":"example.dev/v1beta1"');
    await client.watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 });
    expect(sent).toHaveLength(6);
    api.serve(Gadget, ['v1']);
    expect((await client.get(Gadget, a, options)).apiVersion).toBe('example.dev/v1');
    api.unserve(Gadget);
    expect(await codeOf(client.get(Gadget, a, options))).toBe('kind-missing');
    const { length } = sent;
    expect(await codeOf(client.get(Gadget, a, options))).toBe('kind-missing');
    expect(sent).toHaveLength(length + 1);
    api.serve(Gadget, ['v1beta1']);
    await clock.advance(10_000);
    expect((await client.get(Gadget, a, options)).apiVersion).toBe('example.dev/v1beta1');
  });

  it('does not call a kind missing when the server cannot be asked', async () => {
    const { api, client, options } = setUp({
      between: [
        (next) => (request, given) =>
          request.url.endsWith('/apis/example.dev') ? Promise.reject(new Error('reset')) : next(request, given),
      ],
    });
    api.unserve(Gadget);
    expect(await codeOf(client.get(Gadget, a, options))).toBe('unavailable');
  });
});

describe('C38: patience', () => {
  it('50 informers and a write wait for the time that a 429 names, and one goes first', async () => {
    const { api, client, clock, options } = setUp();
    const headers = { 'retry-after': '7' };
    api.refuse = () => new Refusal({ code: 429, reason: 'TooManyRequests', message: 'slow down', headers });
    await expect(client.list(Gadget, options)).rejects.toMatchObject({ code: 'throttled', retryAfterMs: 7_000 });
    api.refuse = () => undefined;
    const before = api.requests.length;
    const lists = Array.from({ length: 50 }, () => client.list(Gadget, options));
    const write = client.create(Gadget, gadget('a'), options);
    await clock.advance(6_999);
    expect(api.requests.length).toBe(before);
    await clock.advance(1);
    expect((await Promise.all(lists)).length).toBe(50);
    expect((await write).metadata.name).toBe('a');
    expect(clock.pending).toBe(0);
  });

  it.each([
    { name: '429, plain text', status: 429, headers: { 'retry-after': '7' }, planes: { p1: 7_000, p2: 0 } },
    { name: '429 without a time', status: 429, headers: {}, planes: { p1: 1_000, p2: 0 } },
    { name: '429 at once', status: 429, headers: { 'retry-after': '-1' }, planes: { p1: 1_000, p2: 0 } },
    {
      name: '503 with a date',
      status: 503,
      headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' },
      planes: { p1: 5_000, p2: 5_000 },
    },
    { name: '503 without a time', status: 503, headers: {}, planes: { p1: 0, p2: 0 } },
    { name: '500', status: 500, headers: { 'retry-after': '7' }, planes: { p1: 0, p2: 0 } },
  ])('$name: who waits for how long', async ({ status, headers, planes }) => {
    const { clock, options, clientOf, answer, sentAt } = twoPlanes();
    answer(status, headers);
    await codeOf(clientOf('p1').list(Note, options));
    answer(404, {});
    for (const plane of ['p1', 'p2']) void codeOf(clientOf(plane).list(Note, options));
    await clock.advance(10_000);
    expect({ p1: sentAt('p1')[1], p2: sentAt('p2')[0] }).toEqual(planes);
    expect(clock.pending).toBe(0);
  });

  it('a pause of 1e9 s is taken for a minute, and a caller is told instead of held', async () => {
    const { options, clientOf, answer, sent } = twoPlanes();
    answer(429, { 'retry-after': '1000000000' });
    await expect(clientOf('p1').list(Note, options)).rejects.toMatchObject({ retryAfterMs: 60_000 });
    await expect(clientOf('p1').list(Note, options)).rejects.toMatchObject({
      code: 'throttled',
      retryAfterMs: 60_000,
    });
    expect(sent()).toBe(1);
  });

  it('a watch that is throttled in its middle holds its plane back, too', async () => {
    const line =
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":429,"details":{"retryAfterSeconds":4}}}';
    const { clock, options, clientOf, answer, sent } = twoPlanes();
    answer(200, {}, line);
    const stream = await clientOf('p1').watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 });
    await expect(stream.next()).rejects.toMatchObject({ code: 'throttled', retryAfterMs: 4_000 });
    void codeOf(clientOf('p1').watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 }));
    await clock.advance(3_999);
    expect(sent()).toBe(1);
    await clock.advance(1);
    expect(sent()).toBe(2);
  });

  it.each([
    { code: 'connect-failed', waits: true, as: 'unavailable' },
    { code: 'tls-failed', waits: true, as: 'unavailable' },
    { code: 'connection-lost', waits: true, as: 'unavailable' },
    { code: 'refused', waits: true, as: 'unavailable' },
    { code: 'stream-reset', waits: false, as: 'unavailable' },
    { code: 'truncated', waits: false, as: 'unavailable' },
    { code: 'bad-encoding', waits: false, as: 'malformed' },
    { code: 'no-credentials', waits: false, as: 'unauthorized' },
    { code: 'wrong-origin', waits: false, as: 'invalid' },
  ] satisfies { code: TransportErrorCode; waits: boolean; as: string }[])(
    '$code is $as; the server is left alone: $waits',
    async ({ code, waits, as }) => {
      const { clock, options, clientOf, fail, answer, sent } = twoPlanes();
      fail(new TransportError(code, 'x'));
      expect(await codeOf(clientOf('p1').list(Note, options))).toBe(as);
      answer(404, {});
      void codeOf(clientOf('p2').list(Note, options));
      await clock.settle();
      expect(sent()).toBe(waits ? 1 : 2);
    },
  );

  /** Two planes of one server that answers as told, and the clients of one app. */
  function twoPlanes() {
    const clock = new VirtualClock();
    const random = seeded('planes');
    const budget = createRetryBudget({ clock, random });
    const sent: { url: string; at: number }[] = [];
    let reply: Transport = () => Promise.reject(new Error('nothing to say'));
    const transport: Transport = (request, given) => {
      sent.push({ url: request.url, at: clock.monotonic() });
      return reply(request, given);
    };
    const clients = new Map(
      ['p1', 'p2'].map((plane) => {
        const url = `https://api.test/planes/${plane}`;
        return [plane, createClient({ transport, baseUrl: url, clock, random, budget, userAgent: 'tester' })] as const;
      }),
    );
    return {
      clock,
      options: { signal: new AbortController().signal },
      clientOf: (plane: string) => clients.get(plane) as Client,
      sent: () => sent.length,
      sentAt: (plane: string) => sent.filter(({ url }) => url.includes(`/${plane}/`)).map(({ at }) => at),
      answer: (status: number, headers: Record<string, string>, text = 'Too many requests') => {
        reply = answering(status, text, headers)(reply);
      },
      fail: (error: Error) => {
        reply = failing(error)(reply);
      },
    };
  }
});

describe('deadlines and aborts', () => {
  const calls = [
    { name: 'a read', call: (client: Client, options: CallOptions) => client.get(Gadget, a, options) },
    { name: 'a write', call: (client: Client, options: CallOptions) => client.create(Gadget, gadget('a'), options) },
    {
      name: 'the opening of a watch',
      call: (client: Client, options: CallOptions) =>
        client.watch(Gadget, { ...options, resourceVersion: '1', timeoutSeconds: 300 }),
    },
  ];

  it.each(calls)('$name that is not answered times out after 30 s', async ({ call }) => {
    const { client, clock, signal, options } = setUp({ between: [hanging] });
    const work = codeOf(call(client, options));
    await clock.advance(29_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await work).toBe('timeout');
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it.each(calls)('$name ends with the reason of the caller', async ({ call }) => {
    const { client, clock, controller, signal, options } = setUp({ between: [hanging] });
    const work = codeOf(call(client, options));
    await clock.settle();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await work).toBe(reason);
    expect([clock.pending, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    expect(await codeOf(call(client, options))).toBe(reason);
  });

  it('a body that does not end times out as well', async () => {
    const endless: TransportInterceptor =
      () =>
      (_request, { signal }) => {
        const body = {
          [Symbol.asyncIterator]: () => ({
            next: () => hanging(undefined as never)(undefined as never, { signal }) as never,
          }),
        };
        return Promise.resolve({ status: 200, headers: {}, body });
      };
    const { client, clock, options } = setUp({ between: [endless] });
    const work = codeOf(client.get(Gadget, a, options));
    await clock.advance(30_000);
    expect(await work).toBe('timeout');
  });

  it('a transport that was closed under a call is unavailable, and holds nobody back', async () => {
    const { api, client, options } = setUp({
      between: [
        (next) => (request, given) =>
          api.requests.length === 0 ? failing(new Error('disengaged'))(next)(request, given) : next(request, given),
      ],
    });
    expect(await codeOf(client.list(Gadget, options))).toBe('unavailable');
    expect(await codeOf(client.list(Gadget, options))).toBe('unavailable');
  });

  it('counts requests by their outcome', async () => {
    const metrics = createMetrics();
    const { api, client, options } = setUp({ client: { metrics } });
    api.put(Gadget, gadget('a'));
    await client.get(Gadget, a, options);
    await client.find(Gadget, { ...a, name: 'b' }, options);
    const broken = createClient({
      transport: failing(new Error('x'))(api.transport),
      baseUrl,
      clock: new VirtualClock(),
      random: seeded(1),
      metrics,
      userAgent: 'x',
    });
    await codeOf(broken.get(Gadget, a, options));
    const text = await metrics.text();
    for (const code of ['200', '404', '<error>']) {
      expect(text).toContain(`rest_client_requests_total{code="${code}",method="GET",host="api.test"} 1`);
    }
  });
});

describe('under 30 % faults', () => {
  it('every answer is the truth or an error of ours', async () => {
    let good = 0;
    for (let seed = 0; seed < 20; seed++) {
      const clock = new VirtualClock();
      const faults = withFaults(seeded(seed), { ...evenFaults(0.3), duplicateEvent: 0, staleEvent: 0 }, { clock });
      const { api, client, options } = setUp({ between: [faults], client: { clock } });
      for (let i = 0; i < 12; i++) api.put(Gadget, gadget(`g-${i}`));
      for (let i = 0; i < 30; i++) {
        const list = client.list(Gadget, { ...options, pageSize: 5 }).then(({ items }) => items.length);
        const outcome = await clock.run(
          Promise.all([
            list.catch((error: unknown) => error),
            codeOf(client.find(Gadget, { ...a, name: 'g-3' }, options)),
          ]),
        );
        const [listed, found] = outcome;
        if (listed instanceof Error) expect(listed).toBeInstanceOf(KubeError);
        else expect([listed, ++good]).toEqual([12, good]);
        expect(typeof found).toBe('string');
        expect(found).not.toBe('not-found');
        await clock.advance(1_000);
      }
    }
    expect(good).toBeGreaterThan(200);
  });
});
