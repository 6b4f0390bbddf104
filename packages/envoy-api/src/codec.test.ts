import { parseJson, type JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { equalMessages } from './equal.ts';
import { EnvoyApiError } from './error.ts';
import { decodeMessage } from './read.ts';
import { encodeMessage } from './write.ts';

const cluster = 'envoy.config.cluster.v3.Cluster';
const struct = 'google.protobuf.Struct';
const any = 'google.protobuf.Any';
const duration = 'google.protobuf.Duration';

/** An encoding with these parts: numbers are bytes, strings UTF-8. */
const bytes = (...parts: (number | string)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));

describe('comes back as it was', () => {
  it.each<{ name: string; type: string; json: JsonObject }>([
    { name: 'nothing', type: cluster, json: {} },
    {
      name: 'enums, durations, wrappers',
      type: cluster,
      json: { name: 'c', type: 'EDS', connect_timeout: '0.250s', per_connection_buffer_limit_bytes: 32768 },
    },
    { name: 'an enum value nobody knows', type: cluster, json: { dns_lookup_family: 77 } },
    {
      name: 'a map with keys of every kind',
      type: cluster,
      json: { typed_extension_protocol_options: { ...JSON.parse('{"__proto__": {}}'), a: {}, b: {} } },
    },
    {
      name: 'an Any in an Any',
      type: any,
      json: {
        '@type':
          'type.googleapis.com/envoy.extensions.transport_sockets.internal_upstream.v3.InternalUpstreamTransport',
        passthrough_metadata: [{ kind: { host: {} }, name: 'tunnel' }],
        transport_socket: {
          name: 'envoy.transport_sockets.raw_buffer',
          typed_config: {
            '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer',
          },
        },
      },
    },
    {
      name: 'an Any that is an Any',
      type: any,
      json: { '@type': 'type.googleapis.com/google.protobuf.Any', value: { '@type': 'x/none', '@bytes': 'AAE=' } },
    },
    { name: 'an Any with a form of its own', type: any, json: { '@type': 'x/google.protobuf.Duration', value: '3s' } },
    { name: 'an Any that nobody knows', type: any, json: { '@type': 'example.com/a.B', '@bytes': 'CgE=' } },
    { name: 'a form of its own', type: duration, json: { value: '1.500s' } },
    { name: 'a Struct', type: struct, json: { value: { a: [1, null, 'x', { b: true }], c: -0.5 } } },
    {
      name: '64-bit numbers',
      type: 'google.protobuf.UInt64Value',
      json: { value: '18446744073709551615' },
    },
  ])('$name', ({ type, json }) => {
    const encoded = encodeMessage(type, json);
    expect(decodeMessage(type, encoded)).toEqual(json);
    expect(encodeMessage(type, decodeMessage(type, encoded))).toEqual(encoded);
  });

  it('unknown fields, at any depth', () => {
    // 1: name "c"; 4095 (varint): 7; 4 (connect_timeout) with seconds 5 and field 9 (varint): 1
    const input = bytes(0x0a, 1, 'c', 0xf8, 0xff, 0x01, 7, 0x22, 4, 0x08, 5, 0x48, 1);
    const json = decodeMessage(cluster, input);
    expect(json).toEqual({
      name: 'c',
      connect_timeout: { '@bytes': 'CAVIAQ==' },
      '@unknown': [{ no: 4095, wireType: 0, data: 'Bw==' }],
    });
    expect(equalMessages(cluster, encodeMessage(cluster, json), input)).toBe(true);
  });

  it('a Value without one', () => {
    const input = bytes(0x0a, 5, 0x0a, 1, 'k', 0x12, 0);
    const json = decodeMessage(struct, input);
    expect(encodeMessage(struct, json)).toEqual(input);
  });
});

describe('one content, one form', () => {
  it('the order on the wire does not show', () => {
    const one = bytes(0x0a, 1, 'c', 0x10, 0);
    const other = bytes(0x10, 0, 0x0a, 1, 'c');
    expect(decodeMessage(cluster, one)).toEqual(decodeMessage(cluster, other));
    expect(equalMessages(cluster, one, other)).toBe(true);
  });

  it('the order of keys does not show in bytes', () => {
    const one = encodeMessage(struct, { value: { b: 1, a: { d: 1, c: 2 } } });
    expect(encodeMessage(struct, { value: { a: { c: 2, d: 1 }, b: 1 } })).toEqual(one);
    expect(JSON.stringify(decodeMessage(struct, one))).toBe('{"value":{"a":{"c":2,"d":1},"b":1}}');
  });

  it('numbers that a double does not hold', () => {
    const json = parseJson('{"value": 18446744073709551615}') as JsonObject;
    expect(decodeMessage('google.protobuf.UInt64Value', encodeMessage('google.protobuf.UInt64Value', json))).toEqual({
      value: '18446744073709551615',
    });
  });

  it("protobuf's own names are read too", () => {
    expect(encodeMessage(cluster, { connectTimeout: '1s' })).toEqual(encodeMessage(cluster, { connect_timeout: '1s' }));
  });
});

describe('different messages', () => {
  it.each<{ name: string; a: JsonObject; b: JsonObject }>([
    { name: 'a field', a: { name: 'a' }, b: { name: 'b' } },
    {
      name: 'an unknown field',
      a: { '@unknown': [{ no: 999, wireType: 0, data: 'AQ==' }] },
      b: { '@unknown': [{ no: 999, wireType: 0, data: 'Ag==' }] },
    },
    {
      name: 'inside of an Any',
      a: { typed_extension_protocol_options: { x: { '@type': 'x/google.protobuf.Duration', value: '1s' } } },
      b: { typed_extension_protocol_options: { x: { '@type': 'x/google.protobuf.Duration', value: '2s' } } },
    },
  ])('$name', ({ a, b }) => {
    expect(equalMessages(cluster, encodeMessage(cluster, a), encodeMessage(cluster, b))).toBe(false);
  });
});

describe('what is refused, and where it stands', () => {
  it.each<{ name: string; type?: string; json: JsonObject; want: string }>([
    { name: 'a type', type: 'a.B', json: {}, want: 'unknown-type: a.B' },
    { name: 'a field', json: { nam: 'x' }, want: `invalid: ${cluster}.nam: no such field in ${cluster}` },
    { name: 'a list', json: { filters: {} }, want: `invalid: ${cluster}.filters: no list` },
    { name: 'an enum', json: { type: 'NOPE' }, want: `invalid: ${cluster}.type: ` },
    { name: 'a message', json: { load_assignment: 3 }, want: `invalid: ${cluster}.load_assignment: no object` },
    {
      name: 'inside of a list',
      json: { load_assignment: { endpoints: [{}, { priority: -1 }] } },
      want: `invalid: ${cluster}.load_assignment.endpoints[1].priority: `,
    },
    { name: 'base64', json: { '@unknown': [{ no: 1, wireType: 0, data: 3 }] }, want: `invalid: ${cluster}.@unknown: ` },
    { name: 'an Any of no type', json: { cluster_type: { typed_config: { a: 1 } } }, want: 'unknown-type: ' },
  ])('$name', ({ type = cluster, json, want }) => {
    let thrown: unknown;
    try {
      encodeMessage(type, json);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(EnvoyApiError);
    expect((thrown as EnvoyApiError).message.slice(0, want.length)).toBe(want);
  });

  it('bytes that are no message', () => {
    expect(() => decodeMessage(cluster, bytes(0x0a, 9, 'c'))).toThrow(/^unreadable: envoy\.config\.cluster/);
    expect(() => equalMessages(cluster, bytes(), bytes(0x0a, 9))).toThrow(/^unreadable: /);
  });
});
