import { type JsonObject, JsonNumber } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { note, testPlane, type TestPlane, widget } from '../plane.fixture.ts';

const accept = (value: string) => ({ headers: { accept: value } });
const table = accept('application/json;as=Table;v=v1;g=meta.k8s.io');
const partial = accept('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
const path = '/apis/example.com/v1/namespaces/default/widgets';

function plane(): TestPlane {
  const made = testPlane();
  const metadata = { name: 'w', creationTimestamp: '2026-01-01T00:00:00Z' };
  made.put(widget, metadata, {
    spec: { color: 'red', size: 5.5, tags: ['a'] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  return made;
}

describe('a table', () => {
  it('has the columns of the version and a row for each object', async () => {
    const { clock, ask } = plane();
    await clock.advance(65_000);
    const { body } = await ask(path, table);
    expect(body).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '2' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: expect.any(String), priority: 0 },
        {
          name: 'Color',
          type: 'string',
          format: '',
          description: 'Custom resource definition column (in JSONPath format): .spec.color',
          priority: 0,
        },
        { name: 'Size', type: 'integer', format: '', description: 'How large it is.', priority: 1 },
        {
          name: 'Ready',
          type: 'string',
          format: '',
          description: expect.stringContaining('@.type=="Ready"'),
          priority: 0,
        },
        { name: 'Age', type: 'date', format: '', description: expect.any(String), priority: 0 },
      ],
      rows: [
        {
          cells: ['w', 'red', 5, 'True', '65s'],
          object: {
            kind: 'PartialObjectMetadata',
            apiVersion: 'meta.k8s.io/v1',
            metadata: {
              name: 'w',
              namespace: 'default',
              creationTimestamp: '2026-01-01T00:00:00Z',
              resourceVersion: '2',
            },
          },
        },
      ],
    });
  });

  it('has the age alone where a version has no columns, and null where there is nothing to show', async () => {
    const { ask, put } = plane();
    put(widget, { name: 'v' }, { spec: { color: ['no', 'text'] } });
    const beta = (await ask('/apis/example.com/v1beta1/widgets', table)).body;
    expect((beta.columnDefinitions as { name: string }[]).map(({ name }) => name)).toEqual(['Name', 'Age']);
    const { rows } = (await ask(`${path}/v`, table)).body;
    expect(rows).toMatchObject([{ cells: ['v', '["no","text"]', null, null, null] }]);
  });

  it.each([
    ['', 'PartialObjectMetadata'],
    ['?includeObject=Metadata', 'PartialObjectMetadata'],
    ['?includeObject=Object', 'Widget'],
    ['?includeObject=None', undefined],
  ])('includes what is asked for: %s', async (query, kind) => {
    const { body } = await plane().ask(`${path}/w${query}`, table);
    const [row] = body.rows as { object: JsonObject | null }[];
    expect(row?.object?.kind).toBe(kind);
  });

  it('includes nothing else', async () => {
    const { body } = await plane().ask(`${path}/w?includeObject=Foo`, table);
    expect(body).toMatchObject({
      code: 400,
      message: `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
    });
  });

  it('comes in a watch, its columns with the first event only', async () => {
    const { watch, put, clock } = plane();
    const reader = await watch(`${path}?watch=1&allowWatchBookmarks=1`, table);
    await clock.advance(3_000);
    put(widget, { name: 'v', creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(await reader.events()).toMatchObject([
      {
        type: 'ADDED',
        object: {
          kind: 'Table',
          columnDefinitions: [{}, {}, {}, {}, {}],
          rows: [{ cells: ['w', 'red', 5, 'True', '0s'] }],
        },
      },
      { type: 'BOOKMARK', object: { kind: 'Table', columnDefinitions: null, metadata: { resourceVersion: '2' } } },
      { type: 'ADDED', object: { columnDefinitions: null, rows: [{ cells: ['v', null, null, null, '3s'] }] } },
    ]);
    await reader.stop();
  });
});

describe('metadata alone', () => {
  it('comes of an object, of a list, and in a watch', async () => {
    const { ask, watch } = plane();
    const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'w' } };
    const one = (await ask(`${path}/w`, partial)).body;
    expect(one).toMatchObject(object);
    expect(Object.keys(one)).toHaveLength(3);
    const list = accept('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect((await ask(path, list)).body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      metadata: {},
      items: [object],
    });
    const reader = await watch(`${path}?watch=1&allowWatchBookmarks=1`, partial);
    const events = await reader.events();
    expect(events).toMatchObject([{ object }, { type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata' } }]);
    await reader.stop();
  });

  it('is not mixed up with a list of it', async () => {
    const { ask, put } = plane();
    expect((await ask(path, partial)).body).toMatchObject({
      code: 406,
      reason: 'NotAcceptable',
      message:
        'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
    });
    const list = accept('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect((await ask(`${path}/w`, list)).body).toMatchObject({ code: 500, message: 'content is not a list' });
    put(note, { name: 'n' });
    expect((await ask('/api/v1/namespaces/default/notes/n', list)).body).toMatchObject({
      code: 406,
      message: 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.Note)',
    });
  });
});

describe('encodings', () => {
  it('are YAML where it is asked for, with exact numbers and no text that YAML 1.1 reads as something else', async () => {
    const { ask, put } = plane();
    put(
      note,
      { name: 'n' },
      { data: { yes: 'yes', time: '2026-01-01T00:00:00Z', large: new JsonNumber('9007199254740993') } },
    );
    const { headers, text } = await ask('/api/v1/namespaces/default/notes/n', accept('application/yaml'));
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toContain('  large: 9007199254740993\n  time: "2026-01-01T00:00:00Z"\n  "yes": "yes"\nkind: Note\n');
    const list = await ask('/api/v1/notes', accept('application/yaml'));
    expect(parse(list.text)).toMatchObject({ kind: 'NoteList', items: [{ metadata: { name: 'n' } }] });
    const missing = await ask('/api/v1/namespaces/default/notes/x', accept('application/yaml'));
    expect([missing.status, parse(missing.text)]).toMatchObject([404, { kind: 'Status', code: 404 }]);
  });

  it.each([
    ['application/yaml;as=Table;v=v1;g=meta.k8s.io', 'application/json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml', 'application/yaml'],
  ])('of an error, which has no other projection: %s', async (type, want) => {
    const { status, headers } = await plane().ask(`${path}/nothing`, accept(type));
    expect([status, headers['content-type']]).toEqual([404, want]);
  });

  it('have white space for people', async () => {
    const { ask } = plane();
    const lines = async (query: string, agent = 'kubectl/1.35'): Promise<number> =>
      (await ask(`${path}/w${query}`, { headers: { 'user-agent': agent } })).text.split('\n').length;
    expect([await lines(''), await lines('?pretty=0', 'curl/8')]).toEqual([1, 1]);
    expect(await lines('?pretty=true')).toBeGreaterThan(10);
    expect(await lines('', 'curl/8')).toBeGreaterThan(10);
  });

  it.each([
    [
      `${path}/w`,
      'text/html',
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      '/api/v1/notes',
      'application/json;as=Table;v=v2;g=meta.k8s.io',
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      '/api/v1/namespaces/default/notes/n',
      'text/html',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      '/api/v1/notes',
      'application/*',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    ],
    [
      '/api/v1/notes?watch=1',
      'application/yaml',
      'only the following media types are accepted: application/json;stream=watch',
    ],
  ])('are no others: %s %s', async (where, type, message) => {
    const { text, status } = await plane().ask(where, accept(type));
    expect([status, parse(text)]).toMatchObject([406, { reason: 'NotAcceptable', message, code: 406 }]);
  });
});
