import { absent, exactly } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** What a request body may be. */
export const bodyCases = defineCases('bodies', {
  'YAML is taken for writes': async (t) => {
    const maps = await t.configMaps();
    const raw =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  text: |\n    two\n    lines\n';
    const created = t.ok(await t.request('POST', maps, { raw, type: 'application/yaml' }), 201);
    t.matches(created, { data: { x: '1', text: 'two\nlines\n' } });
    t.is(
      (created.headers['content-type'] ?? '').startsWith('application/json'),
      'the answer is JSON where JSON is accepted',
    );
    const update = raw.replace('"1"', '"2"');
    t.matches(t.ok(await t.request('PUT', `${maps}/a`, { raw: update, type: 'application/yaml' })), {
      data: { x: '2' },
    });
    const widget = `apiVersion: ${t.group}/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 5, flag: true, ratio: 1.5, either: "7", words: [a, b]}\n`;
    t.matches(t.ok(await t.request('POST', await t.widgets(), { raw: widget, type: 'application/yaml' }), 201), {
      spec: { size: 5, flag: true, ratio: 1.5, either: '7', words: ['a', 'b'] },
    });
  },

  'protobuf is taken for built-in kinds, as kubectl sends it': async (t) => {
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const maps = await t.configMaps();
    const metadata = [...field(1, 'a'), ...field(11, [...field(1, 'l'), ...field(2, 'v')])];
    const raw = unknown('v1', 'ConfigMap', [...field(1, metadata), ...field(2, [...field(1, 'x'), ...field(2, 'ä')])]);
    t.ok(await t.request('POST', maps, { raw, type: protobuf, accept: `${protobuf},application/json` }), 201);
    t.matches(t.ok(await t.get(`${maps}/a`)), { metadata: { name: 'a', labels: { l: 'v' } }, data: { x: 'ä' } });
    t.refused(
      await t.request('POST', maps, { raw: unknown('v1', 'Secret', field(1, field(1, 'b'))), type: protobuf }),
      {
        code: 400,
        reason: 'BadRequest',
        message: /^Secret in version "v1" cannot be handled as a ConfigMap/,
      },
    );
    t.refused(await t.request('POST', maps, { raw: new Uint8Array([1, 2, 3, 4, 5]), type: protobuf }), {
      code: 400,
      reason: 'BadRequest',
      message: /provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\]/,
    });
  },

  'an apply takes YAML and JSON': async (t) => {
    const maps = await t.configMaps();
    const options = { type: 'application/apply-patch+yaml', query: { fieldManager: 'm' } };
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: one\n';
    t.matches(t.ok(await t.request('PATCH', `${maps}/a`, { ...options, raw: yaml }), 201), { data: { x: 'one' } });
    t.refused(await t.request('PATCH', `${maps}/a`, { ...options, raw: 'a: b: c' }), {
      code: 400,
      reason: 'BadRequest',
      message: /^error decoding YAML: /,
    });
  },

  'YAML 1.1 words and numbers are read as Go reads them': async (t) => {
    const raw = `apiVersion: ${t.group}/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  free: {yes: yes, no: no, on: on, tilde: ~, octal: 0o14, hex: 0x1F, exp: 1e3, date: 2026-01-02, merge: "x", 5: five}\n`;
    t.matches(t.ok(await t.request('POST', await t.widgets(), { raw, type: 'application/yaml' }), 201), {
      spec: { free: { octal: 12, hex: 31, exp: 1000, date: '2026-01-02', tilde: null, merge: 'x', '5': 'five' } },
    });
  },

  'what is not JSON is a bad request': async (t) => {
    const maps = await t.configMaps();
    for (const [raw, message] of [
      [
        '{"kind":"ConfigMap"',
        /^the object provided is unrecognized \(must be of type ConfigMap\): couldn't get version\/kind; json parse error: unexpected end of JSON input/,
      ],
      ['[]', /couldn't get version\/kind; json parse error: json: cannot unmarshal array into Go value/],
      ['"x"', /couldn't get version\/kind; json parse error: json: cannot unmarshal string into Go value/],
      ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},}', /invalid character '}'/],
    ] as const) {
      t.refused(await t.request('POST', maps, { raw }), { code: 400, reason: 'BadRequest', message });
    }
    t.refused(await t.request('POST', await t.widgets(), { raw: '{' }), { code: 400, reason: 'BadRequest' });
    t.refused(
      await t.request('POST', await t.widgets(), {
        raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
      }),
      {
        code: 400,
        reason: 'BadRequest',
      },
    );
    t.refused(await t.request('POST', maps, { raw: 'a: b: c', type: 'application/yaml' }), {
      code: 400,
      reason: 'BadRequest',
    });
  },

  'an unknown content type is refused': async (t) => {
    t.refused(await t.request('POST', await t.configMaps(), { raw: '{}', type: 'text/plain' }), {
      code: 415,
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
    t.refused(await t.request('POST', await t.widgets(), { raw: '{}', type: 'text/plain' }), {
      code: 415,
      reason: 'UnsupportedMediaType',
    });
    t.ok(await t.create(await t.configMaps(), t.configMap('a'), { type: 'application/json; charset=utf-8' }), 201);
  },

  'parameters of a content type are looked at, but not those of a patch': async (t) => {
    for (const path of [await t.configMaps(), await t.widgets()]) {
      const body = path.endsWith('widgets') ? t.widget('a') : t.configMap('a');
      const query = { dryRun: 'All' };
      for (const type of ['application/json;', 'application/json ; a="b;\\"c" ;d=e; ', 'Application/JSON', '']) {
        t.ok(await t.create(path, body, { type, query }), 201);
      }
      for (const end of [';;', '; charset', '; charset="utf-8', '; a=b; A=c', ', application/json']) {
        const type = `application/json${end}`;
        t.refused(await t.create(path, body, { type, query }), {
          code: 415,
          reason: 'UnsupportedMediaType',
          message: /^the body of the request was in an unknown format/,
        });
      }
      t.ok(await t.create(path, body), 201);
      t.ok(await t.merge(`${path}/a`, {}, { type: 'application/merge-patch+json; charset' }));
      t.refused(await t.merge(`${path}/a`, {}, { type: 'Application/merge-patch+json' }), {
        code: 415,
        reason: 'UnsupportedMediaType',
        message: path.endsWith('widgets')
          ? /^the body of the request was in an unknown format/
          : '415: Unsupported Media Type',
      });
    }
  },

  'what stands twice is merged where there is a type, and else the last counts': async (t) => {
    const map = (members: string): string => `{"apiVersion":"v1","kind":"ConfigMap",${members}}`;
    const maps = await t.configMaps();
    t.matches(
      t.ok(
        await t.request('POST', maps, {
          raw: map(
            '"metadata":{"name":"x","labels":{"q":"1"},"finalizers":["x/a","x/b"]},"data":{"x":"1","y":"1"},"data":{"y":"2","z":"3"},"metadata":{"name":"a","annotations":{"r":"2"},"finalizers":null}',
          ),
        }),
        201,
      ),
      {
        metadata: { name: 'a', labels: { q: '1' }, annotations: { r: '2' }, finalizers: absent },
        data: exactly({ x: '1', y: '2', z: '3' }),
      },
    );
    t.matches(
      t.ok(await t.request('PUT', `${maps}/a`, { raw: map('"metadata":{"name":"a"},"data":{"x":"1"},"data":null') })),
      { data: absent },
    );
    const spec = (containers: string): string =>
      `{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":${containers}}}}`;
    const deployment = `{"metadata":{"name":"a"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}}},"spec":${spec('[{"name":"a","image":"b"}]')},"spec":${spec('[{"name":"c"},{"name":"d","image":"e"}]')}}`;
    const deployments = await t.named('apps/v1', 'deployments');
    t.matches(t.ok(await t.request('POST', deployments, { raw: deployment, query: { dryRun: 'All' } }), 201), {
      spec: {
        replicas: 2,
        template: {
          spec: {
            containers: [
              { name: 'c', image: 'b' },
              { name: 'd', image: 'e' },
            ],
          },
        },
      },
    });
    const widget = `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"x","labels":{"q":"1"}},"metadata":{"name":"a"},"spec":{"size":1},"spec":{"free":{"x":1}}}`;
    t.matches(t.ok(await t.request('POST', await t.widgets(), { raw: widget }), 201), {
      metadata: { name: 'a', labels: absent },
      spec: { free: { x: 1 }, size: absent },
    });
  },

  'halves of surrogate pairs become replacement characters': async (t) => {
    const halves = String.raw`"x":"\ud800","y":"a\udc00b","z":"\ud83d\ude00","w":"\ud800\ud800\udc00","v":"\\ud800"`;
    const data = { x: '\ufffd', y: 'a\ufffdb', z: '😀', w: '\ufffd\ud800\udc00', v: String.raw`\ud800` };
    const map = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{${halves}}}`;
    t.matches(t.ok(await t.request('POST', await t.configMaps(), { raw: map }), 201), { data });
    const widget = `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"free":{${halves}}}}`;
    t.matches(t.ok(await t.request('POST', await t.widgets(), { raw: widget }), 201), { spec: { free: data } });
  },

  'what is no resource is known by its name': async (t) => {
    for (const kind of ['List', 'Status', 'ConfigMapList']) {
      t.refused(await t.create(await t.configMaps(), { apiVersion: 'v1', kind, metadata: { name: 'a' } }), {
        code: 400,
        reason: 'BadRequest',
        message: `${kind} in version "v1" cannot be handled as a ConfigMap: converting (v1.${kind}) to (core.ConfigMap): unknown conversion`,
      });
    }
    t.refused(
      await t.request('POST', await t.configMaps(), { raw: '{}', type: 'application/vnd.kubernetes.protobuf' }),
      {
        code: 400,
        message:
          'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})',
      },
    );
  },

  'a body of more than 3 MiB is refused': async (t) => {
    const body = t.configMap('a', { data: { x: 'a'.repeat(3 * 1024 * 1024) } });
    t.refused(await t.create(await t.configMaps(), body), { code: 413, reason: 'RequestEntityTooLarge' });
  },

  'an object of more than 1 MiB of data is refused': async (t) => {
    t.refused(await t.create(await t.configMaps(), t.configMap('a', { data: { x: 'a'.repeat(1024 * 1024 + 1) } })), {
      code: 422,
      reason: 'Invalid',
      message: 'ConfigMap "a" is invalid: []: Too long: may not be more than 1048576 bytes',
      causes: [{ reason: 'FieldValueTooLong', field: '[]' }],
    });
    t.matches(
      t.ok(await t.create(await t.configMaps(), t.configMap('b', { data: { x: 'a'.repeat(1024 * 1024) } })), 201),
      { kind: 'ConfigMap' },
    );
  },

  'nested deeply, a body is taken or refused, never more': async (t) => {
    const depth = 9000;
    const raw = `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"free":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
    const answer = await t.request('POST', await t.widgets(), { raw });
    t.is([201, 400].includes(answer.status), `status ${answer.status} is an answer`);
    t.ok(await t.get(await t.widgets()));
  },

  'characters beyond ASCII survive; a byte order mark and bad UTF-8 do not break': async (t) => {
    const maps = await t.configMaps();
    const text = 'ä € 😀 \u2028 <&> \u0001';
    t.matches(t.ok(await t.create(maps, t.configMap('a', { data: { x: text } })), 201), { data: { x: text } });
    t.matches(t.ok(await t.get(`${maps}/a`)), { data: { x: text } });
    t.matches(t.ok(await t.merge(`${maps}/a`, { data: { '.x': text }, metadata: { annotations: { y: text } } })), {
      data: { x: text, '.x': text },
      metadata: { annotations: { y: text }, generation: absent },
    });
  },
});

/** A length-delimited protobuf field. */
function field(number: number, content: string | readonly number[]): readonly number[] {
  const bytes = typeof content === 'string' ? [...new TextEncoder().encode(content)] : content;
  return [number * 8 + 2, bytes.length, ...bytes];
}

/** The envelope of every such body: a magic number, then type and content. */
const unknown = (apiVersion: string, kind: string, content: readonly number[]): Uint8Array =>
  new Uint8Array([
    0x6b,
    0x38,
    0x73,
    0,
    ...field(1, [...field(1, apiVersion), ...field(2, kind)]),
    ...field(2, content),
  ]);
