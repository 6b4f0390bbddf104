/** Every recording reads, reads back, and says what is known of it. */
import { isJsonObject, type JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { equalMessages } from './equal.ts';
import { formKeys } from './forms.ts';
import { decodeRequest, encodeRequest, hookTypes } from './hook.ts';
import { recording, recordings } from './testing/index.ts';

/** Every object in a JSON tree. */
function* objects(json: unknown): Generator<JsonObject> {
  if (Array.isArray(json)) for (const item of json) yield* objects(item);
  if (!isJsonObject(json)) return;
  yield json;
  for (const value of Object.values(json)) yield* objects(value);
}

it('all recordings are here', () => {
  expect(recordings).toHaveLength(22);
});

describe.each(recordings)('%s', (name) => {
  const bytes = recording(name);
  const json = decodeRequest(bytes);

  it('comes back equal', () => {
    const again = encodeRequest(json);
    expect(equalMessages(hookTypes.request, again, bytes)).toBe(true);
    expect(decodeRequest(again)).toEqual(json);
    // The same fields, in another order at most.
    expect(again).toHaveLength(bytes.length);
  });

  it('leaves nothing opaque', () => {
    for (const object of objects(json)) {
      expect(object).not.toHaveProperty([formKeys.bytes]);
      expect(object).not.toHaveProperty([formKeys.unknown]);
    }
  });
});

describe('what a recording says', () => {
  it('a placeholder cluster', () => {
    const { clusters } = decodeRequest(recording('one-gateway-http'));
    expect(clusters).toMatchObject([
      {
        name: 'httproute/ns-841212f2-474e-4546-b91d-b2a500f9ea95/shop-api/rule/0',
        cluster_type: {
          name: 'envoy.cluster.dns',
          typed_config: { '@type': 'type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster' },
        },
        connect_timeout: '10s',
        load_assignment: {
          endpoints: [
            {
              lb_endpoints: [
                { endpoint: { address: { socket_address: { address: 'connector.local', port_value: 8080 } } } },
              ],
            },
          ],
        },
        metadata: {
          filter_metadata: {
            'envoy-gateway': {
              resources: [
                { kind: 'HTTPRoute', name: 'shop-api', namespace: 'ns-841212f2-474e-4546-b91d-b2a500f9ea95' },
              ],
            },
          },
        },
      },
    ]);
  });

  it('TLS that Envoy Gateway keeps away from the dummy socket', () => {
    const { clusters } = decodeRequest(recording('https-backend'));
    expect(clusters).toMatchObject(
      [
        {
          transport_socket: { name: 'dummy.transport_socket' },
          transport_socket_matches: [
            { transport_socket: { typed_config: { '@type': /UpstreamTlsContext$/, sni: 'vault.internal.test' } } },
          ],
        },
      ].map((cluster) => ({ ...cluster, transport_socket_matches: expect.any(Array) })),
    );
  });
});
