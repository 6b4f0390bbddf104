import { JsonNumber, parseJson, parseJsonBytes, readAll, stringifyJson } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Gadget, gadget, Note } from './gadget.fixture.ts';
import { Refusal } from './refusal.ts';
import { createScriptedApi, type ScriptedApiOptions } from './scripted-api.ts';

/** Whatever an answer may hold. */
interface Body extends Gadget {
  code: number;
  message: string;
  metadata: Gadget['metadata'] & { continue?: string; managedFields?: { manager: string }[] };
  items: Gadget[];
  groups: object[];
  resources: { name: string }[];
}

const gadgets = '/apis/example.dev/v1/namespaces/default/gadgets';
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

function setUp(options: Partial<ScriptedApiOptions> = {}) {
  const clock = new VirtualClock();
  const api = createScriptedApi({ clock, random: seeded('api'), kinds: [Gadget, Note], ...options });
  const controller = new AbortController();
  const send = (method: string, path: string, ...[body, type = 'application/json']: [unknown?, string?]) =>
    api.transport(
      {
        method,
        url: `https://api.test${path}`,
        headers: { 'content-type': type, 'user-agent': 'tester/1' },
        body: body === undefined ? undefined : new TextEncoder().encode(stringifyJson(body)),
      },
      { signal: controller.signal },
    );
  const call = async (...args: Parameters<typeof send>): Promise<{ status: number; body: Body }> => {
    const response = await send(...args);
    return { status: response.status, body: parseJsonBytes(await readAll(response.body)) as unknown as Body };
  };
  /** Events read so far, as `TYPE name@rv`. */
  const watch = async (query: string, path = gadgets) => {
    const response = await send('GET', `${path}?watch=true&${query}`);
    const events: string[] = [];
    const state = {
      events,
      status: response.status,
      done: undefined as undefined | true | Error,
    };
    void (async () => {
      try {
        for await (const chunk of response.body) {
          const { type, object } = parseJson(new TextDecoder().decode(chunk)) as unknown as {
            type: string;
            object: Body;
          };
          const { name, resourceVersion, annotations } = object.metadata;
          const mark = annotations?.['k8s.io/initial-events-end'] ? ' (end)' : '';
          events.push(type === 'ERROR' ? `ERROR ${object.code}` : `${type} ${name ?? ''}@${resourceVersion}${mark}`);
        }
        state.done = true;
      } catch (error) {
        state.done = error as Error;
      }
    })();
    await clock.settle();
    return state;
  };
  return { clock, api, controller, send, call, watch };
}

describe('writes', () => {
  it('creates with what the server sets, once per name, and keeps every digit', async () => {
    const { api, call } = setUp();
    const draft = gadget('a', { spec: { size: new JsonNumber('9007199254740993') }, status: { phase: 'Mine' } });
    const { status, body } = await call('POST', gadgets, draft);
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({
      name: 'a',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: '2',
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(String(body.spec?.size)).toBe('9007199254740993');
    expect(body.status).toBeUndefined();
    const again = await call('POST', gadgets, draft);
    expect(again).toMatchObject({
      status: 409,
      body: { kind: 'Status', reason: 'AlreadyExists', details: { name: 'a', group: 'example.dev', kind: 'gadgets' } },
    });
    const generated = await call('POST', gadgets, { metadata: { generateName: 'b-' } });
    expect(generated.body.metadata.name).toMatch(/^b-[0-9a-f]{5}$/);
    expect(api.writes.map(({ rv, verb, key, who }) => [rv, verb, key.slice(0, 9), who])).toEqual([
      [2, 'create', 'default/a', 'tester'],
      [3, 'create', 'default/b', 'tester'],
    ]);
  });

  it('splits main and status writes, counts generations, and makes no revision of nothing', async () => {
    const { api, call } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: 1 }, status: { phase: 'Old' } }));
    const main = await call('PATCH', `${gadgets}/a`, { spec: { size: 2 }, status: { phase: 'New' } }, merge);
    expect(main.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'Old' }, metadata: { generation: 2 } });
    const state = await call('PATCH', `${gadgets}/a/status`, { spec: { size: 3 }, status: { phase: 'New' } }, merge);
    expect(state.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'New' }, metadata: { generation: 2 } });
    const labels = await call('PATCH', `${gadgets}/a`, { metadata: { labels: { x: 'y' }, uid: undefined } }, merge);
    expect(labels.body.metadata.generation).toBe(2);
    const revision = api.revision;
    await call('PATCH', `${gadgets}/a`, { metadata: { labels: { x: 'y' } } }, merge);
    await call('PATCH', `${gadgets}/a`, { spec: { size: 9 } }, merge).then(() => api.revision);
    expect(api.revision).toBe(revision + 1);
    const dry = await call('PATCH', `${gadgets}/a?dryRun=All`, { spec: { size: 10 } }, merge);
    expect(dry.body.spec?.size).toBe(10);
    expect(api.get(Gadget, { namespace: 'default', name: 'a' })?.spec?.size).toBe(9);
  });

  it.each([
    {
      name: 'PUT with an old revision',
      method: 'PUT',
      body: gadget('a', { metadata: { name: 'a', resourceVersion: '1' } }),
      type: undefined,
    },
    {
      name: 'merge patch with an old revision',
      method: 'PATCH',
      body: { metadata: { resourceVersion: '1' } },
      type: merge,
    },
    {
      name: 'apply with an old revision',
      method: 'PATCH',
      body: gadget('a', { metadata: { name: 'a', resourceVersion: '1' } }),
      type: apply,
    },
    {
      name: 'PUT of another uid',
      method: 'PUT',
      body: gadget('a', { metadata: { name: 'a', uid: 'other' } }),
      type: undefined,
    },
    { name: 'delete of another uid', method: 'DELETE', body: { preconditions: { uid: 'other' } }, type: undefined },
    {
      name: 'delete of another revision',
      method: 'DELETE',
      body: { preconditions: { resourceVersion: '1' } },
      type: undefined,
    },
  ])('$name → conflict', async ({ method, body, type }) => {
    const { api, call } = setUp();
    api.put(Gadget, gadget('a'));
    const answer = await call(method, `${gadgets}/a`, body, type);
    expect(answer).toMatchObject({ status: 409, body: { reason: 'Conflict', details: { name: 'a' } } });
    expect(api.revision).toBe(2);
  });

  it('JSON patches apply whole or not at all', async () => {
    const { api, call } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: 1 } }));
    const failing = [
      { op: 'replace', path: '/spec/size', value: 2 },
      { op: 'test', path: '/metadata/uid', value: 'x' },
    ];
    expect(await call('PATCH', `${gadgets}/a`, failing, json)).toMatchObject({
      status: 422,
      body: { reason: 'Invalid' },
    });
    const { body } = await call('PATCH', `${gadgets}/a`, failing.slice(0, 1), json);
    expect(body.spec?.size).toBe(2);
    expect(await call('PATCH', `${gadgets}/a`, {}, 'application/strategic-merge-patch+json')).toMatchObject({
      status: 415,
    });
  });

  it('finalizers hold a delete; the last one to go removes the object', async () => {
    const { api, call, watch } = setUp();
    api.put(Gadget, gadget('a', { metadata: { name: 'a', finalizers: ['x/y'] } }));
    const events = await watch('resourceVersion=2');
    const { status, body } = await call('DELETE', `${gadgets}/a`);
    expect([status, body.metadata.deletionTimestamp, body.metadata.generation]).toEqual([
      200,
      '2026-01-01T00:00:00Z',
      2,
    ]);
    await call('DELETE', `${gadgets}/a`);
    await call('PATCH', `${gadgets}/a`, { metadata: { finalizers: null } }, merge);
    expect(api.objects(Gadget)).toEqual([]);
    expect(events.events).toEqual(['MODIFIED a@3', 'DELETED a@4']);
    const gone = await call('DELETE', `${gadgets}/a`);
    expect(gone).toMatchObject({ status: 404, body: { reason: 'NotFound', details: { name: 'a', kind: 'gadgets' } } });
    api.put(Gadget, gadget('b'));
    expect(await call('DELETE', `${gadgets}/b`)).toMatchObject({
      status: 200,
      body: { kind: 'Status', status: 'Success' },
    });
  });
});

describe('server-side apply', () => {
  const as = (manager: string, force = false): string => `${gadgets}/a?fieldManager=${manager}&force=${force}`;

  it('removes what its manager applied before and leaves the rest', async () => {
    const { api, call } = setUp();
    await call('PATCH', as('one'), gadget('a', { spec: { size: 1, parts: ['x'] } }), apply);
    await call('PATCH', as('two'), gadget('a', { metadata: { name: 'a', labels: { two: 'yes' } } }), apply);
    const { body } = await call('PATCH', as('one'), gadget('a', { spec: { size: 2 } }), apply);
    expect(body.spec).toEqual({ size: 2 });
    expect(body.metadata.labels).toEqual({ two: 'yes' });
    expect(body.metadata.managedFields).toMatchObject([
      { manager: 'two', operation: 'Apply', fieldsV1: { 'f:metadata': { 'f:labels': { 'f:two': {} } } } },
      { manager: 'one', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:size': {} } } },
    ]);
    const { revision } = api;
    await call('PATCH', as('one'), gadget('a', { spec: { size: 2 } }), apply);
    expect(api.revision).toBe(revision);
  });

  it('conflicts name the manager and the field, and force takes it over', async () => {
    const { call } = setUp();
    await call('PATCH', as('one'), gadget('a', { spec: { size: 1 } }), apply);
    await call('PATCH', `${gadgets}/a?fieldManager=hand`, { spec: { size: 5 } }, merge);
    const refused = await call('PATCH', as('one'), gadget('a', { spec: { size: 1 } }), apply);
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.size' }] } },
    });
    expect(refused.body.message).toContain('conflict with "hand"');
    const { body } = await call('PATCH', as('one', true), gadget('a', { spec: { size: 1 } }), apply);
    expect(body.spec?.size).toBe(1);
    expect(body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['one']);
  });

  it('two managers share a list that is a map', async () => {
    const { api, call } = setUp();
    api.put(Gadget, gadget('a'));
    const set = (manager: string, ...conditions: object[]) =>
      call('PATCH', `${gadgets}/a/status?fieldManager=${manager}`, { ...gadget('a'), status: { conditions } }, apply);
    await set('one', { type: 'A', status: 'True' }, { type: 'B', status: 'True' });
    await set('two', { type: 'C', status: 'False' });
    const { body } = await set('one', { type: 'B', status: 'False' });
    expect(body.status?.conditions).toEqual([
      { type: 'B', status: 'False' },
      { type: 'C', status: 'False' },
    ]);
  });
});

describe('reads', () => {
  it('pages one snapshot, and refuses the rest with a fresh token once it is compacted', async () => {
    const { api, call } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) api.put(Gadget, gadget(name));
    const names = ({ body }: { body: Body }): string[] => body.items.map((item) => item.metadata.name);
    const first = await call('GET', `${gadgets}?limit=2`);
    expect(first.body.kind).toBe('GadgetList');
    expect(first.body.items[0]?.kind).toBeUndefined();
    api.put(Gadget, gadget('bb'));
    api.remove(Gadget, { namespace: 'default', name: 'd' });
    const second = await call('GET', `${gadgets}?limit=2&continue=${first.body.metadata.continue}`);
    expect([...names(first), ...names(second)]).toEqual(['a', 'b', 'c', 'd']);
    expect(second.body.metadata).toMatchObject({ resourceVersion: '6', remainingItemCount: 1 });
    api.compact();
    const stale = await call('GET', `${gadgets}?limit=2&continue=${second.body.metadata.continue}`);
    expect(stale).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const rest = await call('GET', `${gadgets}?limit=2&continue=${stale.body.metadata.continue}`);
    expect([names(rest), rest.body.metadata.resourceVersion]).toEqual([['e'], '8']);
  });

  it.each([
    { query: 'labelSelector=tier%20in%20(x,y)', want: ['a', 'b'] },
    { query: 'labelSelector=!tier', want: ['c'] },
    { query: 'fieldSelector=metadata.name=b', want: ['b'] },
    { query: 'fieldSelector=spec.size!=1', want: ['b', 'c'] },
    { query: 'fieldSelector=metadata.namespace=other', want: [] },
  ])('selects by $query', async ({ query, want }) => {
    const { api, call } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: 1 }, metadata: { name: 'a', labels: { tier: 'x' } } }));
    api.put(Gadget, gadget('b', { metadata: { name: 'b', labels: { tier: 'y' } } }));
    api.put(Gadget, gadget('c'));
    const { body } = await call('GET', `/apis/example.dev/v1/gadgets?${query}`);
    expect(body.items.map((item) => item.metadata.name)).toEqual(want);
  });

  it('serves metadata only, other versions, and discovery', async () => {
    const { api, call, send } = setUp({ basePath: '/planes/p1' });
    api.put(Gadget, gadget('a', { spec: { size: 1 } }));
    const base = '/planes/p1';
    const beta = await call('GET', `${base}/apis/example.dev/v1beta1/namespaces/default/gadgets/a`);
    expect(beta.body).toMatchObject({ apiVersion: 'example.dev/v1beta1', spec: { size: 1 } });
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const url = `https://api.test${base}${gadgets}/a`;
    const partial = await api.transport(
      { method: 'GET', url, headers: { accept } },
      { signal: new AbortController().signal },
    );
    const object = parseJsonBytes(await readAll(partial.body)) as object;
    expect(Object.keys(object)).toEqual(['apiVersion', 'kind', 'metadata']);
    const groups = await call('GET', `${base}/apis`);
    expect(groups.body.groups).toMatchObject([{ name: 'example.dev', preferredVersion: { version: 'v1' } }]);
    const resources = await call('GET', `${base}/apis/example.dev/v1`);
    expect(resources.body.resources.map(({ name }) => name)).toEqual(['gadgets', 'gadgets/status']);
    const outside = await send('GET', gadgets);
    expect([outside.status, new TextDecoder().decode(await readAll(outside.body))]).toEqual([
      404,
      '404 page not found\n',
    ]);
  });

  it('a lagging replica serves old reads where they are allowed, and holds events back', async () => {
    const { api, call, watch, clock } = setUp();
    api.put(Gadget, gadget('a', { spec: { size: 1 } }));
    const events = await watch('resourceVersion=2');
    api.freeze();
    api.put(Gadget, gadget('a', { spec: { size: 2 } }));
    await clock.settle();
    const old = await call('GET', `${gadgets}?resourceVersion=0`);
    const exact = await call('GET', gadgets);
    expect([old.body.items[0]?.spec?.size, exact.body.items[0]?.spec?.size, events.events]).toEqual([1, 2, []]);
    api.thaw();
    await clock.settle();
    expect(events.events).toEqual(['MODIFIED a@3']);
  });
});

describe('watches', () => {
  it('replay the log, tell selection changes apart, and end at their timeout', async () => {
    const { api, watch, clock } = setUp();
    const label = (tier: string) => gadget('a', { metadata: { name: 'a', labels: { tier } } });
    for (const tier of ['x', 'x', 'y', 'x']) api.put(Gadget, label(tier));
    api.put(Note, { metadata: { name: 'n', namespace: 'default' } });
    const events = await watch('resourceVersion=1&labelSelector=tier=x&timeoutSeconds=5');
    api.remove(Gadget, { namespace: 'default', name: 'a' });
    await clock.settle();
    expect(events.events).toEqual(
      ['ADDED a@2', 'MODIFIED a@3', 'DELETED a@4', 'ADDED a@5', 'MODIFIED a@5'].slice(0, 4).concat('DELETED a@7'),
    );
    await clock.advance(5_000);
    expect([events.done, api.openWatches(), clock.pending]).toEqual([true, 0, 0]);
  });

  it('stream an initial list, then bookmarks at their interval and on demand', async () => {
    const { api, watch, clock } = setUp({ bookmarkEveryMs: 1_000 });
    api.put(Gadget, gadget('a'));
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const events = await watch(query);
    expect(events.events).toEqual(['ADDED a@2', 'BOOKMARK @2 (end)']);
    api.put(Note, { metadata: { name: 'n', namespace: 'default' } });
    await clock.advance(1_000);
    api.bookmark();
    await clock.settle();
    expect(events.events.slice(2)).toEqual(['BOOKMARK @3', 'BOOKMARK @3']);
    api.streamingLists = false;
    expect((await watch(query)).status).toBe(422);
  });

  it.each([
    { expiry: 'status' as const, status: 410, events: [], done: true },
    { expiry: 'event' as const, status: 200, events: ['ERROR 410'], done: true },
    { expiry: 'unsaid' as const, status: 200, events: [], done: true },
  ])('tell an expired revision by $expiry', async ({ expiry, status, events }) => {
    const { api, send } = setUp();
    api.put(Gadget, gadget('a'));
    api.compact();
    api.expiry = expiry;
    const response = await send('GET', `${gadgets}?watch=true&resourceVersion=1`);
    const text = new TextDecoder().decode(await readAll(response.body));
    expect(response.status).toBe(status);
    expect(text.includes('"ERROR"')).toBe(events.length > 0);
    expect(api.openWatches()).toBe(0);
  });

  it('lose events, go silent, break, and go back in time', async () => {
    const { api, watch, clock } = setUp();
    const events = await watch('resourceVersion=1');
    api.dropEvents(({ type }) => type === 'ADDED');
    const backup = api.snapshot();
    api.put(Gadget, gadget('a'));
    api.put(Gadget, gadget('a', { spec: { size: 1 } }));
    await clock.settle();
    expect(events.events).toEqual(['MODIFIED a@3']);
    api.restore(backup);
    await clock.settle();
    expect([(events.done as Error).message, api.revision, api.objects(Gadget)]).toEqual(['connection reset', 1, []]);
    const ahead = await watch('resourceVersion=3&allowWatchBookmarks=true');
    api.blackhole(true);
    const silent = await watch('resourceVersion=1');
    api.put(Gadget, gadget('b'));
    api.bookmark();
    await clock.settle();
    expect([ahead.events, silent.events, api.openWatches(Gadget)]).toEqual([[], [], 2]);
  });

  it('an abort ends a pending read with its reason and leaves nothing behind', async () => {
    const { api, watch, clock, controller } = setUp();
    const events = await watch('resourceVersion=1&timeoutSeconds=300&allowWatchBookmarks=true');
    const reason = new Error('enough');
    controller.abort(reason);
    await clock.settle();
    expect([events.done, api.openWatches(), clock.pending]).toEqual([reason, 0, 0]);
  });
});

describe('the script', () => {
  it('refuses, forgets and serves kinds, and counts requests', async () => {
    const { api, call, send, watch, clock } = setUp();
    api.refuse = ({ verb }) =>
      verb === 'list' ? new Refusal({ code: 403, reason: 'Forbidden', message: 'no' }) : undefined;
    expect((await call('GET', gadgets)).body).toMatchObject({ kind: 'Status', code: 403, reason: 'Forbidden' });
    const events = await watch('resourceVersion=1');
    api.unserve(Gadget);
    await clock.settle();
    expect([events.done, (await send('GET', `${gadgets}/a`)).status]).toEqual([true, 404]);
    api.serve(Gadget, ['v1beta1']);
    expect((await send('GET', `/apis/example.dev/v1beta1/gadgets?watch=true`)).status).toBe(200);
    expect(api.requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'GET 403',
      'GET 200',
      'GET 404',
      'GET 200',
    ]);
  });

  it('admits right before it handles, after the latency', async () => {
    const { api, clock } = setUp({ latencyMs: 100 });
    const url = `https://api.test${gadgets}/a`;
    let admitted = false;
    const admit = (): void => {
      admitted = true;
      throw new Error('fenced');
    };
    const { signal } = new AbortController();
    const refused = expect(api.transport({ method: 'DELETE', url, headers: {} }, { signal, admit })).rejects.toThrow(
      'fenced',
    );
    await clock.advance(99);
    expect(admitted).toBe(false);
    await clock.advance(1);
    await refused;
    expect(api.requests).toEqual([]);
  });
});
