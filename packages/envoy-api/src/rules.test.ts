import type { JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { hookTypes } from './hook.ts';
import { brokenRules } from './rules.ts';
import { recording, recordings } from './testing/index.ts';
import { encodeMessage } from './write.ts';

it.each(recordings)('%s breaks none', (name) => {
  expect(brokenRules(hookTypes.request, recording(name))).toEqual([]);
});

const virtualHost = 'envoy.config.route.v3.VirtualHost';
const good = { name: 'a', domains: ['b'] };
const match = { prefix: '/' };
const header = (key: string, value = ''): JsonObject => ({
  name: 'a',
  domains: ['b'],
  request_headers_to_add: [{ header: { key, value } }],
});

describe('a rule', () => {
  it.each<{ name: string; type: string; json: JsonObject; want: string[] }>([
    { name: 'none is broken', type: virtualHost, json: good, want: [] },
    { name: 'a name', type: virtualHost, json: { ...good, name: '' }, want: ['.name: min_len'] },
    { name: 'a list', type: virtualHost, json: { name: 'a' }, want: ['.domains: min_items'] },
    {
      name: 'an item',
      type: virtualHost,
      json: { name: 'a', domains: ['b', 'c\n'] },
      want: ['.domains: well_known_regex'],
    },
    {
      name: 'a oneof',
      type: virtualHost,
      json: { ...good, routes: [{ match }, { match, redirect: {} }] },
      want: ['.routes.action: required'],
    },
    {
      name: 'a message',
      type: virtualHost,
      json: { ...good, routes: [{ redirect: {} }] },
      want: ['.routes.match: required'],
    },
    {
      name: 'a number',
      type: virtualHost,
      json: { ...good, routes: [{ match, direct_response: { status: 600 } }] },
      want: ['.routes.direct_response.status: lt'],
    },
    { name: 'a header', type: virtualHost, json: header('retry-after', '5'), want: [] },
    {
      name: 'a header without a name',
      type: virtualHost,
      json: header(''),
      want: ['.request_headers_to_add.header.key: min_len'],
    },
    {
      name: "a header's value",
      type: virtualHost,
      json: header('a', 'b\r'),
      want: ['.request_headers_to_add.header.value: well_known_regex'],
    },
    {
      name: 'a header that is too long',
      type: virtualHost,
      json: header('a', 'x'.repeat(16_385)),
      want: ['.request_headers_to_add.header.value: max_bytes'],
    },
    { name: "a cluster's name", type: hookTypes.cluster, json: {}, want: ['.name: min_len'] },
    {
      name: 'an enum',
      type: hookTypes.cluster,
      json: { name: 'a', dns_lookup_family: 99 },
      want: ['.dns_lookup_family: defined_only'],
    },
    {
      name: 'a duration',
      type: hookTypes.cluster,
      json: { name: 'a', connect_timeout: '0s' },
      want: ['.connect_timeout: gt'],
    },
    {
      name: 'a wrapped number',
      type: hookTypes.cluster,
      json: { name: 'a', load_assignment: { cluster_name: 'a', endpoints: [{ load_balancing_weight: 0 }] } },
      want: ['.load_assignment.endpoints.load_balancing_weight: gte'],
    },
    {
      name: 'a port',
      type: hookTypes.cluster,
      json: {
        name: 'a',
        load_assignment: {
          cluster_name: 'a',
          endpoints: [
            { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'x', port_value: 65536 } } } }] },
          ],
        },
      },
      want: ['.load_assignment.endpoints.lb_endpoints.endpoint.address.socket_address.port_value: lte'],
    },
  ])('$name → $want', ({ type, json, want }) => {
    expect(brokenRules(type, encodeMessage(type, json))).toEqual(want);
  });
});
