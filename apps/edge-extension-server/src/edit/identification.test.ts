/** Which clusters are ours, and what becomes of those that do not fit: contained, counted, reported. */
import { describe, expect, it } from 'vitest';
import {
  acme,
  type Answered,
  answered,
  type ClusterJson,
  globex,
  indexOf,
  leadsOf,
  recordedProxies,
  requestBytes,
  requestJson,
  resourceOf,
  type RuleText,
  tunnelsOf,
} from './edit.fixture.ts';

const shop = `${acme}/shop-api`;

/** A recorded request whose first cluster was changed. */
function withCluster(name: string, change: (cluster: ClusterJson) => void): Uint8Array {
  const request = requestJson(name);
  const [cluster] = request.clusters;
  if (cluster) change(cluster);
  return requestBytes(request);
}

const withProxy = (key: string, rules: readonly RuleText[]) =>
  indexOf({ proxies: { ...recordedProxies, [key]: rules } });

/** Where routes lead, how the Gateway is reported, and what was counted. */
const resultOf = ({ json, answer }: Answered) => ({
  leads: leadsOf(json),
  row: `${answer.rows[0]?.outcome ?? ''} ${answer.rows[0]?.reason ?? ''}`.trim(),
  contained: Object.fromEntries(answer.containedBy),
});

const contained = (reason: string, times = 1) => ({ [reason]: times });

describe('what the index does not hold is offline', () => {
  it('no HTTPProxy', () => {
    const { [shop]: _shop, ...proxies } = recordedProxies;
    expect(resultOf(answered('one-gateway-http', indexOf({ proxies })))).toEqual({
      leads: ['503'],
      row: 'skew HTTPProxyNotFound',
      contained: contained('HTTPProxyNotFound'),
    });
  });

  it.each([
    { name: 'no rule at the place', rules: [] },
    { name: 'no backend at the place', rules: [{ backends: [] }] },
    { name: 'a backend without a connector', rules: [{ backends: [['http://localhost:8080']] }] },
    {
      name: 'two backends, and a cluster that says for none which',
      rules: [
        {
          backends: [
            ['http://localhost:8080', 'laptop-7'],
            ['http://localhost:8080', 'dc-1'],
          ],
        },
      ],
    },
  ] satisfies { name: string; rules: RuleText[] }[])('$name', ({ rules }) => {
    expect(resultOf(answered('one-gateway-http', withProxy(shop, rules)))).toEqual({
      leads: ['503'],
      row: 'skew HTTPProxyNotFound',
      contained: contained('HTTPProxyNotFound'),
    });
  });

  it('no rule of the name: the others of the Gateway are as they should be', () => {
    const [api, ...rest] = recordedProxies[`${globex}/many-rules`] ?? [];
    const index = withProxy(`${globex}/many-rules`, [{ backends: [], ...api, name: 'api-v2' }, ...rest]);
    const { leads, row, contained: reasons } = resultOf(answered('many-rules', index));
    expect(leads.slice(0, 5)).toEqual(['redirect', 'rule/2', 'rule/1', '503', 'rule/4']);
    expect({ row, reasons }).toEqual({ row: 'skew RuleNotFound', reasons: contained('RuleNotFound') });
  });

  it('a cluster that does not say where it is from', () => {
    const request = withCluster('one-gateway-http', (cluster) => delete cluster.metadata);
    // Nobody knows whose it is, so no Gateway is blamed.
    expect(resultOf(answered(request, indexOf()))).toEqual({
      leads: ['503'],
      row: 'programmed',
      contained: contained('HTTPProxyNotFound'),
    });
  });

  it('a cluster of another kind of route', () => {
    const request = withCluster('one-gateway-http', ({ metadata }) => (resourceOf(metadata).kind = 'GRPCRoute'));
    expect(resultOf(answered(request, indexOf())).leads).toEqual(['503']);
  });
});

describe('two versions of one HTTPProxy', () => {
  it.each([
    { name: 'another port', endpoint: 'http://localhost:8081' },
    { name: 'the default port', endpoint: 'http://localhost' },
  ])('$name', ({ endpoint }) => {
    const index = withProxy(shop, [{ backends: [[endpoint, 'laptop-7']] }]);
    expect(resultOf(answered('one-gateway-http', index))).toEqual({
      leads: ['503'],
      row: 'skew Skew',
      contained: contained('Skew'),
    });
  });

  it('TLS at Envoy Gateway for what is http here is not sent in the clear', () => {
    const index = withProxy(`${acme}/vault`, [{ backends: [['http://vault.internal.test:8443', 'dc-1']] }]);
    expect(resultOf(answered('https-backend', index))).toEqual({
      leads: ['503'],
      row: 'skew Skew',
      contained: contained('Skew'),
    });
  });

  it('another host behind the same port: the index decides', () => {
    const index = withProxy(shop, [{ backends: [['http://[::1]:8080', 'laptop-7']] }]);
    expect(answered('one-gateway-http', index).json.clusters?.map(tunnelsOf)).toEqual([['[::1]:8080 a7a7 raw_buffer']]);
  });

  it('a rule that moved is found by its name, one without a name by its place', () => {
    const [api, files, ...rest] = recordedProxies[`${globex}/many-rules`] ?? [];
    const moved = withProxy(
      `${globex}/many-rules`,
      [files, api, ...rest].filter((rule) => rule !== undefined),
    );
    const { json, answer } = answered('many-rules', moved);
    expect(tunnelsOf(json.clusters?.find(({ name }) => name.endsWith('/rule/0')))).toEqual([
      'localhost:8080 7369 raw_buffer',
    ]);
    // Rule 1 of the request has port 9000, rule 1 of the index 8080.
    expect(leadsOf(json).slice(0, 5)).toEqual(['redirect', 'rule/2', '503', 'rule/0', 'rule/4']);
    expect(answer.rows[0]).toMatchObject({ outcome: 'skew', reason: 'Skew' });
  });

  it('of two rules with one name the one at its place', () => {
    const rules: RuleText[] = [
      { name: 'api', backends: [['http://localhost:8080', 'site-a']] },
      { name: 'api', backends: [['http://localhost:8080', 'site-b']] },
    ];
    const { json } = answered('many-rules', withProxy(`${globex}/many-rules`, rules));
    expect(tunnelsOf(json.clusters?.find(({ name }) => name.endsWith('/rule/0')))).toEqual([
      'localhost:8080 7369 raw_buffer',
    ]);
  });

  it('a connector where the cluster has none: left alone', () => {
    const index = withProxy(`${acme}/status-page`, [{ backends: [['http://192.0.2.10:8081', 'laptop-7']] }]);
    const result = answered('plain-service-eds', index);
    expect(result.json.clusters).toEqual(requestJson('plain-service-eds').clusters);
    expect(resultOf(result)).toEqual({
      leads: ['rule/0'],
      row: 'skew NotPlaceholder',
      contained: contained('NotPlaceholder'),
    });
  });
});

describe('a cluster that was made for something else is left alone', () => {
  it.each([
    { name: 'another route in its name', change: (name: string) => name.replace('shop-api', 'shop-apj') },
    { name: 'another namespace in its name', change: (name: string) => name.replace('/ns-8', '/ns-9') },
    { name: 'a mirror', change: (name: string) => `${name}-mirror-0` },
    { name: 'a shared cluster', change: () => 'service/ns/web/8080/http' },
    { name: 'a leading zero', change: (name: string) => name.replace('rule/0', 'rule/00') },
    { name: 'no rule', change: (name: string) => name.replace('/rule/0', '') },
    { name: 'more behind it', change: (name: string) => `${name}/backend/0/x` },
    { name: 'a backend that is no number', change: (name: string) => `${name}/backend/-1` },
    { name: 'a rule with too many digits', change: (name: string) => name.replace('rule/0', 'rule/10000000') },
  ])('$name', ({ change }) => {
    const request = withCluster('one-gateway-http', (cluster) => (cluster.name = change(cluster.name)));
    const result = answered(request, indexOf());
    expect(tunnelsOf(result.json.clusters?.[0])).toEqual(['connector.local:8080']);
    expect(resultOf(result)).toMatchObject({ row: 'contained ForeignCluster', contained: contained('ForeignCluster') });
  });
});

describe('placeholders', () => {
  it('a host that only looks like it is none', () => {
    for (const host of ['connector.local.', 'xconnector.local', 'CONNECTOR.LOCAL', 'connector.loca']) {
      const request = withCluster('one-gateway-http', (cluster) => {
        const socket = cluster.load_assignment?.endpoints[0]?.lb_endpoints[0]?.endpoint.address.socket_address;
        if (socket) socket.address = host;
      });
      expect(resultOf(answered(request, indexOf()))).toMatchObject({ leads: ['rule/0'], row: 'skew NotPlaceholder' });
    }
  });

  it('is a setting', () => {
    const result = answered('one-gateway-http', indexOf(), { placeholderHost: 'tunnel.invalid' });
    expect(resultOf(result)).toMatchObject({ leads: ['rule/0'], row: 'skew NotPlaceholder' });
  });

  it('several endpoints of one backend become one', () => {
    const request = withCluster('one-gateway-http', (cluster) => {
      const endpoints = cluster.load_assignment?.endpoints[0]?.lb_endpoints;
      endpoints?.push(...endpoints.map((each) => structuredClone(each)));
    });
    expect(answered(request, indexOf()).json.clusters?.map(tunnelsOf)).toEqual([['localhost:8080 a7a7 raw_buffer']]);
  });

  it('of different ports: skew', () => {
    const request = withCluster('one-gateway-http', (cluster) => {
      const endpoints = cluster.load_assignment?.endpoints[0]?.lb_endpoints;
      const other = structuredClone(endpoints?.[0]);
      if (other?.endpoint.address.socket_address) other.endpoint.address.socket_address.port_value = 8081;
      if (other) endpoints?.push(other);
    });
    expect(resultOf(answered(request, indexOf()))).toMatchObject({ leads: ['503'], row: 'skew Skew' });
  });

  it('mixed with an address by locality: the cluster stays what it is and loses the placeholders', () => {
    const request = withCluster('weighted-without-traffic-distribution', (cluster) => {
      const socket = cluster.load_assignment?.endpoints[1]?.lb_endpoints[0]?.endpoint.address.socket_address;
      if (socket) socket.address = '192.0.2.7';
    });
    const { json, ...rest } = answered(request, indexOf());
    const [received] = requestJson('weighted-without-traffic-distribution').clusters;
    expect(json.clusters?.map(tunnelsOf)).toEqual([['192.0.2.7:8082']]);
    expect(json.clusters?.[0]).toMatchObject({
      cluster_type: (received as unknown as Record<string, unknown>)['cluster_type'],
    });
    expect(resultOf({ json, ...rest })).toEqual({
      leads: ['rule/0'],
      row: 'contained MixedCluster',
      contained: contained('MixedCluster'),
    });
  });

  it('mixed with an address in one locality', () => {
    const request = withCluster('one-gateway-http', (cluster) => {
      const endpoints = cluster.load_assignment?.endpoints[0]?.lb_endpoints;
      const other = structuredClone(endpoints?.[0]);
      if (other?.endpoint.address.socket_address) other.endpoint.address.socket_address.address = '192.0.2.7';
      if (other) endpoints?.push(other);
    });
    expect(answered(request, indexOf()).json.clusters?.map(tunnelsOf)).toEqual([['192.0.2.7:8080']]);
  });
});

describe('https', () => {
  const refused = { leads: ['503'], row: 'contained NoTlsForHttps', contained: contained('NoTlsForHttps') };
  const socketOf = (cluster: ClusterJson) => cluster.transport_socket_matches?.[0]?.transport_socket;
  const contextOf = (cluster: ClusterJson): Record<string, unknown> =>
    socketOf(cluster)?.typed_config.common_tls_context ?? {};
  const metadataOf = (cluster: ClusterJson) =>
    cluster.load_assignment?.endpoints[0]?.lb_endpoints[0]?.metadata?.filter_metadata;

  it.each([
    { name: 'no matches', change: (cluster: ClusterJson) => delete cluster.transport_socket_matches },
    {
      name: 'a match for another endpoint',
      change: ({ transport_socket_matches: [match] = [] }: ClusterJson) => match && (match.match = { name: 'other' }),
    },
    {
      name: 'an endpoint that picks none',
      change: (cluster: ClusterJson) => delete metadataOf(cluster)?.['envoy.transport_socket_match'],
    },
    {
      name: 'a match of more than the endpoint has',
      change: ({ transport_socket_matches: [match] = [] }: ClusterJson) =>
        match && (match.match = { ...match.match, more: 'x' }),
    },
    {
      name: 'the dummy as a match',
      change: (cluster: ClusterJson) => {
        const [match] = cluster.transport_socket_matches ?? [];
        if (match && cluster.transport_socket) match.transport_socket = cluster.transport_socket;
      },
    },
    {
      name: 'TLS that verifies nothing',
      change: (cluster: ClusterJson) => delete contextOf(cluster)['combined_validation_context'],
    },
    {
      name: 'plaintext',
      change: (cluster: ClusterJson) => {
        const socket = socketOf(cluster);
        if (!socket) return;
        socket.name = 'envoy.transport_sockets.raw_buffer';
        socket.typed_config = {
          '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer',
        };
      },
    },
  ])('$name: offline, never plaintext and never unverified', ({ change }) => {
    const result = answered(
      withCluster('https-backend', (cluster) => void change(cluster)),
      indexOf(),
    );
    expect(resultOf(result)).toEqual(refused);
  });

  it.each([
    { name: 'no CA', trust: { validation_context: {} }, leads: '503' },
    { name: 'names without a CA', trust: { validation_context: { match_typed_subject_alt_names: [] } }, leads: '503' },
    { name: 'the CAs of the system', trust: { validation_context: { system_root_certs: {} } }, leads: 'rule/0' },
    { name: 'a CA', trust: { validation_context: { trusted_ca: { inline_string: 'x' } } }, leads: 'rule/0' },
    { name: 'a CA by SDS', trust: { validation_context_sds_secret_config: { name: 'ca' } }, leads: 'rule/0' },
    {
      name: 'a CA, and certificates of others',
      trust: {
        validation_context: { trusted_ca: { inline_string: 'x' }, trust_chain_verification: 'ACCEPT_UNTRUSTED' },
      },
      leads: '503',
    },
    {
      name: 'a CA by SDS, and certificates of others',
      trust: {
        combined_validation_context: {
          default_validation_context: { trust_chain_verification: 'ACCEPT_UNTRUSTED' },
          validation_context_sds_secret_config: { name: 'ca' },
        },
      },
      leads: '503',
    },
    {
      name: 'a CA that is the default',
      trust: { combined_validation_context: { default_validation_context: { trusted_ca: { inline_string: 'x' } } } },
      leads: 'rule/0',
    },
    { name: 'nothing combined', trust: { combined_validation_context: {} }, leads: '503' },
  ])('TLS with $name: $leads', ({ trust, leads }) => {
    const request = withCluster('https-backend', (cluster) => {
      delete contextOf(cluster)['combined_validation_context'];
      Object.assign(contextOf(cluster), trust);
    });
    expect(leadsOf(answered(request, indexOf()).json)).toEqual([leads]);
  });

  it('of several matches the first that fits', () => {
    const request = withCluster('https-backend', (cluster) => {
      const [match] = cluster.transport_socket_matches ?? [];
      if (!match) return;
      const [before, behind] = [structuredClone(match), structuredClone(match)];
      before.match = { name: 'other' };
      for (const each of [before, behind]) each.transport_socket.typed_config.sni = 'wrong.test';
      cluster.transport_socket_matches = [before, match, behind];
    });
    expect(answered(request, indexOf()).json.clusters?.map(tunnelsOf)).toEqual([
      ['vault.internal.test:8443 dcdc vault.internal.test'],
    ]);
  });

  it('a backend that needs another socket than the first of its cluster is offline', () => {
    const [vault] = requestJson('https-backend').clusters;
    const picks = vault && metadataOf(vault)?.['envoy.transport_socket_match'];
    const request = withCluster('weighted-without-traffic-distribution', (cluster) => {
      if (vault?.transport_socket_matches) cluster.transport_socket_matches = vault.transport_socket_matches;
      const second = cluster.load_assignment?.endpoints[1]?.lb_endpoints[0];
      if (second && picks) second.metadata = { filter_metadata: { 'envoy.transport_socket_match': picks } };
    });
    const key = `${acme}/weighted-nopc`;
    const proxies = {
      [key]: [
        {
          backends: [
            ['http://localhost:8080', 'laptop-7'],
            ['https://localhost:8082', 'dc-1'],
          ],
        },
      ],
    } satisfies Record<string, RuleText[]>;
    const both = answered(request, indexOf({ proxies }));
    expect(both.json.clusters?.map(tunnelsOf)).toEqual([['localhost:8080 a7a7 raw_buffer']]);
    expect(resultOf(both)).toMatchObject({ row: 'contained NoTlsForHttps' });
    // Alone it has the socket that it needs.
    const alone = answered(request, indexOf({ proxies, online: ['dc-1'] }));
    expect(alone.json.clusters?.map(tunnelsOf)).toEqual([['localhost:8082 dcdc vault.internal.test']]);
    expect(resultOf(alone)).toMatchObject({ row: 'programmed' });
  });
});

describe('an endpoint that cannot be read', () => {
  it('is offline by intent, and shown', () => {
    const index = withProxy(shop, [{ backends: [['http://local_host:8080', 'laptop-7']] }]);
    expect(resultOf(answered('one-gateway-http', index))).toEqual({
      leads: ['503'],
      row: 'contained InvalidEndpoint',
      contained: contained('InvalidEndpoint'),
    });
  });
});
