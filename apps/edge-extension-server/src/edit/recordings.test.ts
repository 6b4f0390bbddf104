/** What real Envoy Gateways send, and the traps that were met there: each recording, answered. */
import { describe, expect, it } from 'vitest';
import {
  acme,
  answered,
  globex,
  indexOf,
  leadsOf,
  mergedProxies,
  requestJson,
  requestBytes,
  resourceOf,
  setOnline,
  tunnelsOf,
} from './edit.fixture.ts';

const laptop = 'localhost:8080 a7a7 raw_buffer';
const dc = 'localhost:8082 dcdc raw_buffer';

describe('one cluster, one backend', () => {
  it.each([
    { name: 'one-gateway-http', tunnel: laptop },
    { name: 'one-gateway-http-backend-cr', tunnel: laptop },
    { name: 'https-backend', tunnel: 'vault.internal.test:8443 dcdc vault.internal.test' },
    { name: 'https-backend-configmap-ca', tunnel: 'vault.internal.test:8443 dcdc vault.internal.test' },
    { name: 'https-backend-cr', tunnel: 'bcr.internal.test:8443 dcdc bcr.internal.test' },
    { name: 'https-backend-cr-v2-names-with-secret', tunnel: 'bcr.internal.test:8443 dcdc bcr.internal.test' },
  ])('$name', ({ name, tunnel }) => {
    const online = answered(name, indexOf());
    expect(online.json.clusters?.map(tunnelsOf)).toEqual([[tunnel]]);
    expect(leadsOf(online.json)).toEqual(['rule/0']);
    expect(online.answer.counts).toMatchObject({ clustersReplaced: 1, clustersOffline: 0, contained: 0 });

    const offline = answered(name, indexOf({ online: [] }));
    expect(leadsOf(offline.json)).toEqual(['503']);
    expect(offline.json.clusters).toEqual(requestJson(name).clusters);
    expect(offline.answer.counts).toMatchObject({ clustersReplaced: 0, clustersOffline: 1, connectorOfflineRoutes: 1 });
  });

  it('the cluster is static, and keeps its policies; nothing finds or checks endpoints any more', () => {
    const [received] = requestJson('one-gateway-http').clusters;
    const [cluster] = answered('one-gateway-http', indexOf()).json.clusters ?? [];
    const rest = (each: object | undefined, ...keys: string[]) =>
      Object.fromEntries(Object.entries(each ?? {}).filter(([key]) => !keys.includes(key)));
    expect(cluster?.type).toBe('STATIC');
    expect(rest(cluster, 'type', 'load_assignment', 'transport_socket')).toEqual(
      rest(received, 'cluster_type', 'dns_lookup_family', 'load_assignment'),
    );
  });

  it('the tunnel: the internal listener, the metadata that it reads, and plaintext inside', () => {
    const [cluster] = answered('one-gateway-http', indexOf(), { internalListener: 'tünnel' }).json.clusters ?? [];
    const id = 'a7'.repeat(32);
    expect(cluster?.load_assignment?.endpoints[0]?.lb_endpoints).toEqual([
      {
        endpoint: { address: { envoy_internal_address: { server_listener_name: 'tünnel', endpoint_id: id } } },
        metadata: { filter_metadata: { tunnel: { address: 'localhost:8080', endpoint_id: id } } },
        load_balancing_weight: 1,
      },
    ]);
    expect(cluster?.transport_socket).toEqual({
      name: 'envoy.transport_sockets.internal_upstream',
      typed_config: {
        '@type':
          'type.googleapis.com/envoy.extensions.transport_sockets.internal_upstream.v3.InternalUpstreamTransport',
        passthrough_metadata: [{ kind: { host: {} }, name: 'tunnel' }],
        transport_socket: {
          name: 'envoy.transport_sockets.raw_buffer',
          typed_config: { '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer' },
        },
      },
    });
  });

  it('https: inside the tunnel speaks the socket that the endpoint picks, unchanged, never the dummy', () => {
    const [received] = requestJson('https-backend').clusters;
    const [cluster] = answered('https-backend', indexOf()).json.clusters ?? [];
    expect(received?.transport_socket?.name).toBe('dummy.transport_socket');
    expect(cluster?.transport_socket?.typed_config.transport_socket).toEqual(
      received?.transport_socket_matches?.[0]?.transport_socket,
    );
    expect(cluster?.transport_socket_matches).toBeUndefined();
    expect(cluster?.load_assignment?.endpoints[0]?.lb_endpoints[0]?.metadata?.filter_metadata).toEqual({
      tunnel: { address: 'vault.internal.test:8443', endpoint_id: 'dc'.repeat(32) },
    });
  });

  it('offline: the route keeps match, metadata and name', () => {
    const [received] = requestJson('one-gateway-http').routes;
    const [route] = answered('one-gateway-http', indexOf({ online: [] }), { retryAfterSeconds: 7 }).json.routes ?? [];
    const { route: _action, ...kept } = received?.virtual_hosts?.[0]?.routes[0] ?? {};
    expect(route?.virtual_hosts?.[0]?.routes).toEqual([
      {
        ...kept,
        direct_response: { status: 503, body: { inline_string: 'Tunnel not online' } },
        response_headers_to_add: [
          { header: { key: 'retry-after', value: '7' }, append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' },
        ],
      },
    ]);
  });
});

describe('weighted clusters, one per backend, as PreferClose makes them', () => {
  it.each([
    { name: 'weighted-two-backends', weights: [80, 20] },
    { name: 'per-backend-filters', weights: [3, 1] },
  ])('$name', ({ name, weights: [first = 0, second = 0] }) => {
    const leads = (online: readonly string[]) => {
      const { json } = answered(name, indexOf({ online }));
      return { leads: leadsOf(json), tunnels: json.clusters?.map(tunnelsOf) };
    };
    const placeholder = (port: number) => [`connector.local:${port}`];
    expect(leads(['laptop-7', 'dc-1'])).toEqual({
      leads: [`rule/0/backend/0=${first} rule/0/backend/1=${second}`],
      tunnels: [[laptop], [dc]],
    });
    expect(leads(['dc-1'])).toEqual({
      leads: [`rule/0/backend/0=0 rule/0/backend/1=${second}`],
      tunnels: [placeholder(8080), [dc]],
    });
    expect(leads(['laptop-7'])).toEqual({
      leads: [`rule/0/backend/0=${first} rule/0/backend/1=0`],
      tunnels: [[laptop], placeholder(8082)],
    });
    expect(leads([])).toEqual({ leads: ['503'], tunnels: [placeholder(8080), placeholder(8082)] });
  });

  it('what else an entry holds stays with it', () => {
    const entriesOf = (json: {
      routes?: readonly { virtual_hosts?: readonly { routes: readonly { route?: unknown }[] }[] }[];
    }) => JSON.stringify(json.routes?.[0]?.virtual_hosts?.[0]?.routes[0]?.route);
    const before = entriesOf(requestJson('per-backend-filters'));
    const after = entriesOf(answered('per-backend-filters', indexOf({ online: ['laptop-7'] })).json);
    expect(before).toContain('request_headers_to_add');
    expect(after).toBe(before.replace('"weight":1,', '"weight":0,'));
  });

  it('a single entry that is offline is a route that is offline', () => {
    expect(leadsOf(answered('one-backend-filter', indexOf()).json)).toEqual(['rule/0/backend/0=1']);
    expect(leadsOf(answered('one-backend-filter', indexOf({ online: [] })).json)).toEqual(['503']);
  });

  it('a plain backend beside counts as online', () => {
    const { json, answer } = answered('weighted-mixed-address', indexOf({ online: [] }));
    expect(leadsOf(json)).toEqual(['rule/0/backend/0=0 rule/0/backend/1=10']);
    expect(json.clusters).toEqual(requestJson('weighted-mixed-address').clusters);
    expect(answer.counts).toMatchObject({ clustersOffline: 1, connectorOfflineRoutes: 0, vhostsConnectorApplied: 1 });
  });

  it('one with https and one without: each its own socket', () => {
    const { json } = answered('https-backend-weighted', indexOf());
    expect(json.clusters?.map(tunnelsOf)).toEqual([['inner.internal.test:8443 dcdc inner.internal.test'], [laptop]]);
  });
});

describe('one cluster with a locality for each backend', () => {
  const name = 'weighted-without-traffic-distribution';

  it('each locality leads through its own connector and keeps its weight', () => {
    const { json } = answered(name, indexOf());
    expect(json.clusters?.map(tunnelsOf)).toEqual([[laptop, dc]]);
    expect(json.clusters?.[0]?.load_assignment?.endpoints.map((each) => each.load_balancing_weight)).toEqual([80, 20]);
  });

  it.each([
    { online: ['laptop-7'], tunnels: [laptop], weights: [80] },
    { online: ['dc-1'], tunnels: [dc], weights: [20] },
  ])('only $online: the other locality is gone', ({ online, tunnels, weights }) => {
    const { json } = answered(name, indexOf({ online }));
    expect(json.clusters?.map(tunnelsOf)).toEqual([tunnels]);
    expect(json.clusters?.[0]?.load_assignment?.endpoints.map((each) => each.load_balancing_weight)).toEqual(weights);
    expect(leadsOf(json)).toEqual(['rule/0']);
  });

  it('none: the route is offline', () => {
    const { json } = answered(name, indexOf({ online: [] }));
    expect(leadsOf(json)).toEqual(['503']);
    expect(json.clusters).toEqual(requestJson(name).clusters);
  });
});

describe('several rules and hosts', () => {
  it.each(['many-rules', 'many-rules-v2-names'])('%s: redirects and plain backends stay, hosts are equal', (name) => {
    const leads = (online: readonly string[]) => leadsOf(answered(name, indexOf({ online })).json);
    const twice = (...each: string[]) => [...each, ...each];
    expect(leads(['site-a', 'site-b'])).toEqual(twice('redirect', 'rule/2', 'rule/1', 'rule/0', 'rule/4'));
    expect(leads(['site-a'])).toEqual(twice('redirect', 'rule/2', '503', 'rule/0', 'rule/4'));
    expect(leads(['site-b'])).toEqual(twice('redirect', 'rule/2', 'rule/1', '503', '503'));
    expect(leads([])).toEqual(twice('redirect', 'rule/2', '503', '503', '503'));
  });

  it('both name schemes give the same program', () => {
    const programs = ['many-rules', 'many-rules-v2-names'].map((name) =>
      answered(name, indexOf({ online: ['site-a'] })).json.clusters?.map((cluster) => [
        cluster.name,
        tunnelsOf(cluster),
      ]),
    );
    expect(programs[0]).toEqual(programs[1]);
  });

  it('every listener that leads to the cluster is switched', () => {
    const name = 'http-and-https-listeners';
    expect(answered(name, indexOf()).json.clusters?.map(tunnelsOf)).toEqual([['localhost:3000 7369 raw_buffer']]);
    expect(leadsOf(answered(name, indexOf()).json)).toEqual(['rule/0', 'rule/0', 'rule/0', 'rule/0']);
    expect(leadsOf(answered(name, indexOf({ online: [] })).json)).toEqual(['503', '503', '503', '503']);
  });

  it.each(['merged-20', 'merged-20-stamped', 'merged-20-v2-names', 'merged-100'])(
    '%s: each Gateway by its own connector',
    (name) => {
      const request = requestJson(name);
      const proxies = mergedProxies(request);
      const names = Object.keys(proxies).map((key) => key.split('/')[1] ?? '');
      const online = names.filter((_, i) => i % 3 > 0);
      const { json, answer } = answered(name, indexOf({ proxies, online }));
      for (const host of json.routes?.flatMap(({ virtual_hosts: hosts = [] }) => hosts) ?? []) {
        const isOnline = online.includes(resourceOf(host.metadata).name);
        expect(leadsOf({ routes: [{ name: '', virtual_hosts: [host] }] })).toEqual([isOnline ? 'rule/0' : '503']);
      }
      expect(answer.counts).toMatchObject({
        clustersReplaced: online.length,
        clustersOffline: names.length - online.length,
      });
      expect(answer.rows.map((row) => row.outcome)).toEqual(names.map(() => 'programmed'));
    },
  );
});

describe('nothing of ours', () => {
  it.each(['plain-service-eds', 'weighted-two-ip-backends', 'gateway-without-route'])(
    '%s is answered as it came',
    (name) => {
      const { json, answer } = answered(name, indexOf());
      const { clusters, listeners, routes } = requestJson(name);
      expect(json).toEqual({ ...(clusters ? { clusters } : {}), listeners, routes });
      expect(answer.counts).toMatchObject({
        clustersReplaced: 0,
        clustersOffline: 0,
        vhostsConnectorApplied: 0,
        contained: 0,
      });
    },
  );

  it('a Gateway without virtual hosts is not seen', () => {
    expect(answered('gateway-without-route', indexOf()).answer.rows).toEqual([]);
  });

  it('Secrets are answered unread', () => {
    const name = 'https-backend-cr-v2-names-with-secret';
    const { secrets } = requestJson(name);
    expect(secrets).toHaveLength(1);
    expect(answered(name, indexOf()).json.secrets).toEqual(secrets);
  });
});

describe('the stamp', () => {
  it('is reported, and taken off every virtual host', () => {
    const { json, answer } = answered('many-rules', indexOf());
    const hosts = json.routes?.[0]?.virtual_hosts ?? [];
    expect(hosts.map(({ metadata }) => Object.keys(resourceOf(metadata)).sort())).toEqual([
      ['kind', 'name', 'namespace', 'sectionName'],
      ['kind', 'name', 'namespace', 'sectionName'],
    ]);
    expect(answer.rows).toEqual([
      {
        namespace: globex,
        name: 'many-rules',
        stamp: '3f9c2b7a1d5e8c40.2',
        intent: indexOf().intent(`${globex}/many-rules`),
        outcome: 'programmed',
        reason: '',
      },
    ]);
  });

  it('a nudge alone changes nothing that Envoy is sent', () => {
    const request = requestJson('many-rules');
    const stamped = (stamp: string | undefined, others: Record<string, string> = {}) => {
      for (const host of request.routes[0]?.virtual_hosts ?? []) {
        const annotations = { ...others, ...(stamp === undefined ? {} : { 'lifeline-intent': stamp }) };
        const resource = resourceOf(host.metadata);
        delete resource.annotations;
        if (Object.keys(annotations).length > 0) resource.annotations = annotations;
      }
      return answered(requestBytes(request), indexOf()).bytes;
    };
    const plain = stamped(undefined);
    expect(stamped('3f9c2b7a1d5e8c40')).toEqual(plain);
    expect(stamped('none.7')).toEqual(plain);
    expect(stamped('3f9c2b7a1d5e8c40', { other: 'x' })).toEqual(stamped(undefined, { other: 'x' }));
    expect(stamped(undefined, { other: 'x' })).not.toEqual(plain);
  });

  it('is looked for under the key that is set', () => {
    const { json, answer } = answered('many-rules', indexOf(), { stampKey: 'gateway.envoyproxy.io/other' });
    expect(answer.rows[0]?.stamp).toBe('');
    expect(resourceOf(json.routes?.[0]?.virtual_hosts?.[0]?.metadata).annotations).toEqual({
      'lifeline-intent': '3f9c2b7a1d5e8c40.2',
    });
  });
});

describe('online, offline, online', () => {
  it.each(['one-gateway-http', 'https-backend', 'weighted-two-backends', 'weighted-without-traffic-distribution'])(
    '%s: the first bytes are back',
    (name) => {
      const index = indexOf();
      const first = answered(name, index).bytes;
      for (const connector of ['laptop-7', 'dc-1']) setOnline(index, `${acme}/${connector}`, false);
      expect(answered(name, index).bytes).not.toEqual(first);
      for (const connector of ['laptop-7', 'dc-1']) setOnline(index, `${acme}/${connector}`, true);
      expect(answered(name, index).bytes).toEqual(first);
    },
  );
});
