/**
 * What Envoy Gateway makes of Gateways and HTTPRoutes, names and metadata included.
 *
 * @see envoyproxy/gateway@v1.9.1 internal/xds/translator (names of the first scheme, XdsNameSchemeV1)
 */
import {
  Backend,
  canonicalJson,
  EndpointSlice,
  Gateway,
  gatewayAnnotationPrefix,
  HTTPRoute,
  isDeleting,
  type JsonObject,
  keyOf,
  type KubeObject,
} from '@lifeline/core';
import type { ApiServer } from '@lifeline/apiserver';
import type { Cluster, Metadata, Route, RouteConfiguration, VirtualHost, XdsSnapshot } from './xds.ts';

export interface TranslateOptions {
  readonly api: Pick<ApiServer, 'objects' | 'get'>;
  /** All Gateways of a class on one Envoy. */
  readonly merged: boolean;
  /** Classes that this Envoy Gateway serves. Default: all. */
  readonly classes?: readonly string[] | undefined;
}

type HttpRule = NonNullable<NonNullable<HTTPRoute['spec']>['rules']>[number];

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
  compare(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compare(keyOf(a), keyOf(b));
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function snapshotOf(
  gateways: readonly Gateway[],
  routes: readonly HTTPRoute[],
  api: Pick<ApiServer, 'objects'>,
): XdsSnapshot {
  /** By port: the first Gateway's name names the listener. */
  const configurations = new Map<number, { name: string; virtualHosts: VirtualHost[] }>();
  const clusters = new Map<string, Cluster>();
  for (const gateway of gateways) {
    const attached = routes.filter((route) => isAttached(route, gateway));
    for (const listener of gateway.spec.listeners ?? []) {
      const name = `${keyOf(gateway)}/${listener.name}`;
      const configuration = configurations.get(listener.port) ?? { name, virtualHosts: [] };
      configurations.set(listener.port, configuration);
      const hosts = new Map<string, Route[]>();
      for (const route of attached) {
        const own = clustersFor(route, api);
        for (const cluster of own) clusters.set(cluster.name, cluster);
        for (const host of hostsOf(route, listener.hostname))
          hosts.set(host, [...(hosts.get(host) ?? []), ...routesFor(route, host)]);
      }
      for (const [host, list] of hosts)
        configuration.virtualHosts.push({
          name: `${name}/${underscored(host)}`,
          domains: [host],
          routes: list,
          metadata: metadataOf(gateway, 'Gateway', listener.name),
        });
    }
  }
  const named: RouteConfiguration[] = [...configurations.values()];
  const listeners = [...configurations].map(([port, { name }]) => ({ name, port }));
  return { listeners, routes: named, clusters: [...clusters.values()] };
}

const isAttached = (route: HTTPRoute, gateway: Gateway): boolean =>
  route.spec.parentRefs?.some(
    ({ name, namespace }) =>
      name === gateway.metadata.name && (namespace ?? route.metadata.namespace) === gateway.metadata.namespace,
  ) === true;

const hostsOf = (route: HTTPRoute, listenerHost: string | null | undefined): readonly string[] =>
  route.spec.hostnames?.length ? route.spec.hostnames : [listenerHost ?? '*'];

const underscored = (host: string): string => host.replaceAll('.', '_');

const prefixOf = (route: HTTPRoute): string => `httproute/${keyOf(route)}/rule`;

function routesFor(route: HTTPRoute, host: string): Route[] {
  return (route.spec.rules ?? []).flatMap((rule, index) => {
    const matches = rule.matches?.length ? rule.matches : [{ path: { type: 'PathPrefix', value: '/' } }];
    return matches.map((match, at): Route => {
      const redirect = rule.filters?.find(({ type }) => type === 'RequestRedirect')?.requestRedirect;
      return {
        name: `${prefixOf(route)}/${index}/match/${at}/${underscored(host)}`,
        match: match,
        ...(redirect ? { redirect: redirect } : { route: actionOf(route, rule, index) }),
        metadata: metadataOf(route, 'HTTPRoute', rule.name ?? undefined),
      };
    });
  });
}

/** Several backends have a cluster each, and weights. */
function actionOf(route: HTTPRoute, rule: HttpRule, index: number): NonNullable<Route['route']> {
  const backends = rule.backendRefs ?? [];
  const name = `${prefixOf(route)}/${index}`;
  if (backends.length <= 1) return { cluster: name };
  return {
    weightedClusters: backends.map(({ weight }, at) => ({ name: `${name}/backend/${at}`, weight: weight ?? 1 })),
  };
}

function clustersFor(route: HTTPRoute, api: Pick<ApiServer, 'objects'>): Cluster[] {
  return (route.spec.rules ?? []).flatMap((rule, index) => {
    const backends = rule.backendRefs ?? [];
    return backends.map((backend, at): Cluster => {
      const name = `${prefixOf(route)}/${index}${backends.length > 1 ? `/backend/${at}` : ''}`;
      const kind = backend.kind ?? 'Service';
      const namespace = backend.namespace ?? route.metadata.namespace ?? '';
      const endpoints = endpointsOf({ kind, namespace, name: backend.name, port: backend.port ?? 0 }, api);
      const service = resources({ kind, namespace, name: backend.name, sectionName: String(backend.port ?? '') });
      return {
        name,
        type: 'envoy.cluster.dns',
        loadAssignment: {
          clusterName: name,
          endpoints: [{ locality: {}, lbEndpoints: endpoints, loadBalancingWeight: 1, metadata: { ...service } }],
        },
        metadata: metadataOf(route, 'HTTPRoute', rule.name ?? undefined),
      };
    });
  });
}

interface BackendName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

function endpointsOf({ kind, namespace, name, port }: BackendName, api: Pick<ApiServer, 'objects'>): JsonObject[] {
  const isHere = ({ metadata }: KubeObject): boolean => metadata.namespace === namespace;
  if (kind === 'Backend') {
    const backend = api.objects(Backend).find((each) => isHere(each) && each.metadata.name === name);
    return (backend?.spec.endpoints ?? []).map((endpoint) => ({ endpoint: endpoint }));
  }
  return api
    .objects(EndpointSlice)
    .filter((slice) => isHere(slice) && slice.metadata.labels?.['kubernetes.io/service-name'] === name)
    .toSorted((a, b) => compare(keyOf(a), keyOf(b)))
    .flatMap((slice) =>
      (slice.endpoints ?? []).flatMap(({ addresses }) =>
        (addresses ?? []).map((address) => ({
          endpoint: { address, port: slice.ports?.[0]?.port ?? port },
        })),
      ),
    );
}

/** Only annotations under Envoy Gateway's own prefix travel, without it. */
function metadataOf(object: KubeObject, kind: string, sectionName?: string): Metadata {
  const { namespace = '', name } = object.metadata;
  const carried = Object.entries(object.metadata.annotations ?? {})
    .filter(([key]) => key.startsWith(gatewayAnnotationPrefix))
    .map(([key, value]) => [key.slice(gatewayAnnotationPrefix.length), value] as const)
    .toSorted(([a], [b]) => compare(a, b));
  return resources({
    kind,
    namespace,
    name,
    ...(sectionName !== undefined && { sectionName }),
    ...(carried.length > 0 && { annotations: Object.fromEntries(carried) }),
  });
}

const resources = (entry: JsonObject): Metadata => ({ filterMetadata: { 'envoy-gateway': { resources: [entry] } } });

/** What decides whether a key is translated anew. */
export const fingerprint = (snapshot: XdsSnapshot): string => canonicalJson(snapshot);
