/**
 * What Envoy Gateway makes of Gateways and HTTPRoutes, names and metadata included.
 *
 * @see envoyproxy/gateway@v1.9.1 internal/xds/translator (names of the first scheme, XdsNameSchemeV1)
 */
import { canonicalJson, compareTexts, Gateway, HTTPRoute, isDeleting, keyOf, type KubeObject } from '@lifeline/core';
import type { ApiServer } from '@lifeline/apiserver';
import { clustersOf } from './translate-clusters.ts';
import { routesOf } from './translate-routes.ts';
import type { Cluster, Listener, Route, VirtualHost, XdsSnapshot } from './xds.ts';
import { metadataOf } from './xds-metadata.ts';

export interface TranslateOptions {
  readonly api: Pick<ApiServer, 'objects' | 'get'>;
  /** All Gateways of a class on one Envoy. */
  readonly merged: boolean;
  /** Classes that this Envoy Gateway serves. Default: all. */
  readonly classes?: readonly string[] | undefined;
}

type GatewayListener = NonNullable<Gateway['spec']['listeners']>[number];

/** Envoy binds privileged ports here, not as themselves. */
const portShift = 10_000;

/** Snapshots by IR key: `namespace/name` of a Gateway, or the class when merged. In the order of the oldest Gateway of each. */
export function translate({ api, merged, classes }: TranslateOptions): Map<string, XdsSnapshot> {
  const gateways = api
    .objects(Gateway)
    .filter((gateway) => !isDeleting(gateway) && (classes?.includes(gateway.spec.gatewayClassName) ?? true))
    .toSorted(byAge);
  const routes = api
    .objects(HTTPRoute)
    .filter((route) => !isDeleting(route))
    .toSorted(byAge);
  const groups = Map.groupBy(gateways, (gateway) => (merged ? gateway.spec.gatewayClassName : keyOf(gateway)));
  return new Map([...groups].map(([key, group]) => [key, snapshotOf(group, routes, api)]));
}

const byAge = (a: KubeObject, b: KubeObject): number =>
  compareTexts(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareTexts(keyOf(a), keyOf(b));

function snapshotOf(
  gateways: readonly Gateway[],
  routes: readonly HTTPRoute[],
  api: Pick<ApiServer, 'objects'>,
): XdsSnapshot {
  /** By port; of https by the Gateway's listener. The first Gateway's name names it. */
  const configurations = new Map<number | string, { name: string; virtual_hosts: VirtualHost[] }>();
  const listeners = new Map<number, Listener>();
  const clusters = new Map<string, Cluster>();
  for (const gateway of gateways) {
    const attached = routes.filter((route) => isAttached(route, gateway));
    for (const cluster of attached.flatMap((route) => clustersOf(route, api)))
      clusters.set(cluster.name ?? '', cluster);
    for (const listener of gateway.spec.listeners ?? []) {
      const { port, protocol } = listener;
      const name = `${keyOf(gateway)}/${listener.name}`;
      const group = protocol === 'HTTPS' ? name : port;
      const configuration = configurations.get(group) ?? { name, virtual_hosts: [] };
      configurations.set(group, configuration);
      if (!listeners.has(port)) listeners.set(port, listenerOf(name, port));
      const hosts = new Map<string, Route[]>();
      for (const route of attached)
        for (const host of hostsOf(route, listener, gateway))
          hosts.set(host, [...(hosts.get(host) ?? []), ...routesOf(route, host)]);
      for (const [host, list] of hosts)
        configuration.virtual_hosts.push({
          name: `${name}/${host.replaceAll('.', '_')}`,
          domains: [host],
          routes: list,
          metadata: metadataOf(gateway, 'Gateway', listener.name),
        });
    }
  }
  return {
    clusters: [...clusters.values()],
    listeners: [...listeners.values()],
    routes: Array.from(configurations.values(), ({ name, virtual_hosts }) => ({
      name,
      ...(virtual_hosts.length > 0 && { virtual_hosts }),
    })),
  };
}

const isAttached = (route: HTTPRoute, gateway: Gateway): boolean =>
  route.spec.parentRefs?.some(
    ({ name, namespace }) =>
      name === gateway.metadata.name && (namespace ?? route.metadata.namespace) === gateway.metadata.namespace,
  ) === true;

/** The hosts of a route that a listener takes: not those that another listener of its port names. */
function hostsOf(route: HTTPRoute, { port, hostname }: GatewayListener, { spec }: Gateway): readonly string[] {
  const own = route.spec.hostnames ?? [];
  if (own.length === 0) return [hostname || '*'];
  if (hostname) return own.filter((host) => host === hostname || isWithin(host, hostname));
  return own.filter((host) => !spec.listeners?.some((other) => other.port === port && other.hostname === host));
}

const isWithin = (host: string, wildcard: string): boolean =>
  wildcard.startsWith('*.') && host.endsWith(wildcard.slice(1));

const listenerOf = (name: string, port: number): Listener => ({
  name,
  address: { socket_address: { address: '0.0.0.0', port_value: port < 1024 ? port + portShift : port } },
  per_connection_buffer_limit_bytes: 32_768,
  default_filter_chain: {
    filters: [
      {
        name: 'envoy.filters.network.http_connection_manager',
        typed_config: {
          '@type':
            'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
          stat_prefix: `http-${port < 1024 ? port + portShift : port}`,
          rds: { config_source: { ads: {}, resource_api_version: 'V3' }, route_config_name: name },
        },
      },
    ],
    name,
  },
});

/** What decides whether a key is translated anew. */
export const fingerprint = (snapshot: XdsSnapshot): string => canonicalJson(snapshot);
