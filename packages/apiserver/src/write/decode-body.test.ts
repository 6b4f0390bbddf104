/** What a real server (v1.36.3) answered to the same requests. */
import { parseJson } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import { configMaps, messageOf, widget, widgets, writePlane } from './write-plane.fixture.ts';

const plane = await writePlane();
afterAll(() => plane[Symbol.dispose]());

const envelope = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const notConfigMap = 'the object provided is unrecognized (must be of type ConfigMap): ';
const notWidget = 'the object provided is unrecognized (must be of type Widget): ';
const unparsed = `couldn't get version/kind; json parse error: `;
const noName = (kind: string): string =>
  `${kind} "" is invalid: metadata.name: Required value: name or generateName is required`;

describe('bodies of built-in kinds', () => {
  it.each([
    ['', `${notConfigMap}${unparsed}unexpected end of JSON input (<empty>)`],
    ['{', `${notConfigMap}${unparsed}unexpected end of JSON input ({)`],
    ['[]', `${notConfigMap}${unparsed}json: cannot unmarshal array into Go value of type ${envelope} (5b5d)`],
    ['"x"', `${notConfigMap}${unparsed}json: cannot unmarshal string into Go value of type ${envelope} (227822)`],
    ['null', noName('ConfigMap')],
    ['{}', noName('ConfigMap')],
    ['{"kind":"ConfigMap"}', noName('ConfigMap')],
    ['{"apiVersion":"v1"}', noName('ConfigMap')],
    [
      '{"apiVersion":5}',
      `${notConfigMap}${unparsed}json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":5})`,
    ],
    [
      '{"apiVersion":"a/b/c","kind":"ConfigMap"}',
      `${notConfigMap}unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)`,
    ],
    [
      '{"apiVersion":"v1","kind":"Foo"}',
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"apiVersion":"v2","kind":"ConfigMap"}',
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"apiVersion":"v1","kind":"Secret"}',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"apiVersion":"apps/v1","kind":"Deployment"}',
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
    ...['List', 'Status', 'ConfigMapList'].map((kind): [string, string] => [
      `{"apiVersion":"v1","kind":"${kind}"}`,
      `${kind} in version "v1" cannot be handled as a ConfigMap: converting (v1.${kind}) to (core.ConfigMap): unknown conversion`,
    ]),
    [
      '{"a":1,}',
      `${notConfigMap}${unparsed}invalid character '}' looking for beginning of object key string ({"a":1,})`,
    ],
    ['   ', `${notConfigMap}${unparsed}unexpected end of JSON input (202020)`],
    [
      '{"data":{"x":1}}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
  ])('%s', async (body, want) => {
    expect(messageOf(await plane.ask('POST', configMaps, body))).toBe(want);
  });
});

describe('bodies of custom resources', () => {
  const says = (fields: object): string =>
    JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, ...fields });
  const unusable = 'Widget in version "v1" cannot be handled as a Widget: ';
  const version = (said: string): string =>
    `the API version in the data (${said}) does not match the expected API version (example.com/v1)`;

  it.each([
    ['', `${notWidget}${unparsed}unexpected end of JSON input (<empty>)`],
    ['[]', `${notWidget}${unparsed}json: cannot unmarshal array into Go value of type ${envelope} (5b5d)`],
    ['null', `${notWidget}Object 'Kind' is missing in 'null' (6e756c6c)`],
    ['{}', `${notWidget}Object 'Kind' is missing in '{}' ({})`],
    ['{"kind":"Widget"}', version('')],
    [says({ apiVersion: 'example.com/v2' }), version('example.com/v2')],
    [says({ apiVersion: 'example.com/v1beta1' }), version('example.com/v1beta1')],
    [says({ apiVersion: 'v1', kind: 'ConfigMap' }), version('v1')],
    [says({ kind: 'Foo' }), 'Foo.example.com "a" is invalid: kind: Invalid value: "Foo": must be Widget'],
    [says({ metadata: [] }), `${unusable}json: cannot unmarshal array into Go value of type v1.ObjectMeta`],
    [says({ metadata: null }), noName('Widget.example.com')],
    [
      says({ metadata: { name: 5 } }),
      `${unusable}json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`,
    ],
    [
      says({ metadata: { name: 'a', labels: { x: 1 } } }),
      `${unusable}json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
    ],
    [
      says({ metadata: { name: 'a', creationTimestamp: 'x' } }),
      `${unusable}parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`,
    ],
    [
      says({}).replace('}}', '},"spec":{"free":{"n":1e400}}}'),
      `${unusable}json: cannot unmarshal number 1e400 into Go value of type float64`,
    ],
  ])('%s', async (body, want) => {
    expect(messageOf(await plane.ask('POST', widgets, body))).toBe(want);
  });

  it('say numbers as Go stores them', async () => {
    const body = says({}).replace(
      '}}',
      '},"spec":{"free":{"a":-0.0,"b":1e2,"c":18446744073709551615,"d":9007199254740993}}}',
    );
    const { text } = await plane.ask('POST', widgets, body, { query: 'dryRun=All' });
    expect(text).toContain('"free":{"a":0,"b":100,"c":18446744073709552000,"d":9007199254740993}');
  });

  it('go by their own version', async () => {
    const beta = widgets.replace('v1', 'v1beta1');
    const { body } = await plane.ask('POST', beta, says({ apiVersion: 'example.com/v1beta1' }), {
      query: 'dryRun=All',
    });
    expect(body).toMatchObject({ apiVersion: 'example.com/v1beta1', kind: 'Widget' });
  });
});

describe('content types', () => {
  const accepted =
    'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';

  it.each([
    ['text/plain', 415],
    ['application/json; charset=utf-8', 201],
    ['APPLICATION/JSON', 201],
    ['application/json;', 201],
    ['application/json ; a="b;\\"c" ;d=e; ', 201],
    ['application/json;;', 415],
    ['application/json; charset', 415],
    ['application/json; charset="utf-8', 415],
    ['application/json; a=b; A=c', 415],
    ['application/json, application/json', 415],
    ['', 201],
    ['application/yaml', 201],
    ['garbage', 415],
    ['application/cbor', 415],
    ['*/*', 415],
    ['application/vnd.kubernetes.protobuf', 400],
    ['constructor', 415],
  ])('%s: %i', async (type, status) => {
    const answer = await plane.ask('POST', configMaps, { metadata: { name: 'a' } }, { type, query: 'dryRun=All' });
    expect(answer.status).toBe(status);
    if (status === 415) expect(messageOf(answer)).toBe(accepted);
  });

  it('custom resources take no protobuf, and say that they do', async () => {
    const answer = await plane.ask('POST', widgets, widget('a'), { type: 'application/vnd.kubernetes.protobuf' });
    expect([answer.status, messageOf(answer)]).toEqual([415, accepted]);
  });
});

describe('fieldValidation', () => {
  const odd = parseJson(
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"f","zz":1,"ownerReferences":[{"apiVersion":"v1","kind":"A","name":"a","uid":"u","foo":1}]},"spec":{"unknown":1,"free":{"x":1}},"extra":{}}',
  );
  const twice =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"f","name":"g"},"spec":{"size":1,"size":2,"free":{"a":[{"b":1,"b":2}]}},"spec":{"size":3},"kind":"Widget"}';
  const oddMap =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"f","name":"g","zz":1,"labels":{"a":"b","a":"c"}},"data":{"x":"1","x":"2"},"dta":{"x":1,"x":2},"kind":"ConfigMap"}';
  const yaml =
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: f, zz: 1}\nspec:\n  size: 1\n  size: 2\n  unk: 1\n  size: 3\n';

  it.each([
    [
      'unknown fields',
      widgets,
      odd,
      undefined,
      [
        'unknown field "metadata.ownerReferences[0].foo"',
        'unknown field "metadata.zz"',
        'unknown field "extra"',
        'unknown field "spec.unknown"',
      ],
    ],
    [
      'repeated fields',
      widgets,
      twice,
      undefined,
      [
        'duplicate field "metadata.name"',
        'duplicate field "spec.size"',
        'duplicate field "spec.free.a[0].b"',
        'duplicate field "spec"',
        'duplicate field "kind"',
      ],
    ],
    [
      'a built-in kind',
      configMaps,
      oddMap,
      undefined,
      [
        'duplicate field "metadata.name"',
        'unknown field "metadata.zz"',
        'duplicate field "metadata.labels.a"',
        'duplicate field "data.x"',
        'unknown field "dta"',
        'duplicate field "kind"',
      ],
    ],
    [
      'YAML',
      widgets,
      yaml,
      'application/yaml',
      [
        'yaml: unmarshal errors:\n  line 6: key "size" already set in map\n  line 8: key "size" already set in map',
        'unknown field "metadata.zz"',
        'unknown field "spec.unk"',
      ],
    ],
  ])('%s', async (...[_, path, body, type, flaws]) => {
    const query = (fieldValidation: string) => ({ type, query: `dryRun=All&fieldValidation=${fieldValidation}` });
    const strict = await plane.ask('POST', path, body, query('Strict'));
    expect(strict.status).toBe(400);
    expect(messageOf(strict)).toMatch(/^(\w+) in version "v1" cannot be handled as a \1: strict decoding error: /);
    expect(String(messageOf(strict)).split('strict decoding error: ')[1]).toBe(flaws.join(', '));
    const warned = await plane.ask('POST', path, body, query(''));
    const told = flaws
      .flatMap((flaw) => flaw.replace('yaml: unmarshal errors:\n', '').split('\n'))
      .map((flaw) => flaw.trim());
    expect([warned.status, warned.warning]).toEqual([
      201,
      told.map((flaw) => `299 - ${JSON.stringify(flaw)}`).join(', '),
    ]);
    const ignored = await plane.ask('POST', path, body, query('Ignore'));
    expect([ignored.status, ignored.warning]).toEqual([201, undefined]);
  });
});
