/** What Envoy Gateway makes of the backends of an HTTPRoute. */
import {
  Backend,
  BackendTLSPolicy,
  EndpointSlice,
  type HTTPRoute,
  type JsonObject,
  keyOf,
  type KubeObject,
  metadataNamespaces,
} from '@lifeline/core';
import type { ApiServer } from '@lifeline/apiserver';
import { clusterName, hasClusterEach } from './translate-routes.ts';
import type { Cluster, LbEndpoint, Metadata } from './xds.ts';
import { metadataOf, resource } from './xds-metadata.ts';

type Objects = Pick<ApiServer, 'objects'>;
type Rule = NonNullable<HTTPRoute['spec']['rules']>[number];
type BackendRef = NonNullable<Rule['backendRefs']>[number];

const type = (name: string): string => `type.googleapis.com/envoy.extensions.${name}`;

/** One for each rule with backends, or one for each of several backends. */
export const clustersOf = (route: HTTPRoute, api: Objects): Cluster[] =>
  (route.spec.rules ?? []).flatMap((rule, index) =>
    (rule.backendRefs ?? []).map((ref, at) => {
      const name = clusterName(route, index);
      return clusterOf(rule, hasClusterEach(rule) ? `${name}/backend/${at}` : name, { route, ref, at, api });
    }),
  );

interface Scope {
  readonly route: HTTPRoute;
  readonly ref: BackendRef;
  /** Its index in its rule. */
  readonly at: number;
  readonly api: Objects;
}

function clusterOf(rule: Rule, name: string, scope: Scope): Cluster {
  const { route, ref, at, api } = scope;
  const backend = found(ref, route, api);
  const isCustom = ref.kind === Backend.kind;
  const policy = tlsOf(ref, backend.namespace, api);
  const match = policy && `${name.replace(/\/backend\/\d+$/, '')}/tls/${at}`;
  const family = isCustom ? 'V4_PREFERRED' : 'ALL';
  return {
    name,
    ...(backend.isName
      ? { cluster_type: dnsCluster(family) }
      : { type: 'EDS', eds_cluster_config: { eds_config: ads, service_name: name } }),
    connect_timeout: '10s',
    per_connection_buffer_limit_bytes: 32_768,
    circuit_breakers: { thresholds: [{ max_retries: 1024 }] },
    dns_lookup_family: family,
    ...(policy && { transport_socket: dummySocket }),
    metadata: metadataOf(route, 'HTTPRoute', rule.name ?? undefined),
    common_lb_config: {},
    ignore_health_on_host_removal: true,
    // Clusters over EDS come without their endpoints.
    ...(backend.isName && {
      load_assignment: {
        cluster_name: name,
        endpoints: [
          {
            locality: isCustom ? { region: `${name.replace(/\/backend\/\d+$/, '')}/backend/${at}` } : {},
            lb_endpoints: backend.addresses.map((address) => endpoint(address, match)),
            ...(isCustom && { load_balancing_weight: 1 }),
            metadata: backendMetadata(ref, backend.namespace),
          },
        ],
      },
    }),
    load_balancing_policy: leastRequest(isCustom),
    ...(policy && match !== undefined && { transport_socket_matches: [tlsSocket(match, policy)] }),
  };
}

interface Found {
  readonly namespace: string;
  /** Addresses are names to resolve. */
  readonly isName: boolean;
  readonly addresses: readonly { readonly address: string; readonly port: number }[];
}

function found(ref: BackendRef, route: HTTPRoute, api: Objects): Found {
  const namespace = ref.namespace ?? route.metadata.namespace ?? '';
  const isHere = ({ metadata }: KubeObject): boolean => metadata.namespace === namespace;
  if (ref.kind === Backend.kind) {
    const backend = api.objects(Backend).find((each) => isHere(each) && each.metadata.name === ref.name);
    const endpoints = backend?.spec.endpoints ?? [];
    const addresses = endpoints.flatMap(({ fqdn, ip }) => [
      ...(fqdn ? [{ address: fqdn.hostname, port: fqdn.port }] : []),
      ...(ip ? [{ address: ip.address, port: ip.port }] : []),
    ]);
    return { namespace, isName: endpoints.some(({ fqdn }) => fqdn), addresses };
  }
  const slices = api
    .objects(EndpointSlice)
    .filter((slice) => isHere(slice) && slice.metadata.labels?.['kubernetes.io/service-name'] === ref.name)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const addresses = slices.flatMap((slice) =>
    (slice.endpoints ?? []).flatMap((each) =>
      (each.addresses ?? []).map((address) => ({ address, port: slice.ports?.[0]?.port ?? ref.port ?? 0 })),
    ),
  );
  return { namespace, isName: slices.some(({ addressType }) => addressType === 'FQDN'), addresses };
}

const tlsOf = (ref: BackendRef, namespace: string, api: Objects): BackendTLSPolicy | undefined =>
  api
    .objects(BackendTLSPolicy)
    .find(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        spec.targetRefs.some(({ kind, name }) => kind === (ref.kind ?? 'Service') && name === ref.name),
    );

const endpoint = ({ address, port }: Found['addresses'][number], match: string | undefined): LbEndpoint => ({
  endpoint: { address: { socket_address: { address, port_value: port } } },
  ...(match !== undefined && {
    metadata: { filter_metadata: { [metadataNamespaces.transportSocketMatch]: { name: match } } },
  }),
  load_balancing_weight: 1,
});

const backendMetadata = ({ kind = 'Service', name, port }: BackendRef, namespace: string): Metadata =>
  resource({ kind, namespace, name, ...(kind === 'Service' && { sectionName: String(port ?? '') }) });

const ads: JsonObject = { ads: {}, resource_api_version: 'V3' };

const dnsCluster = (family: string): JsonObject => ({
  name: 'envoy.cluster.dns',
  typed_config: {
    '@type': type('clusters.dns.v3.DnsCluster'),
    dns_refresh_rate: '30s',
    respect_dns_ttl: true,
    dns_lookup_family: family,
  },
});

const leastRequest = (byLocality: boolean): JsonObject => ({
  policies: [
    {
      typed_extension_config: {
        name: 'envoy.load_balancing_policies.least_request',
        typed_config: {
          '@type': type('load_balancing_policies.least_request.v3.LeastRequest'),
          locality_lb_config: byLocality
            ? { locality_weighted_lb_config: {} }
            : { zone_aware_lb_config: { min_cluster_size: '1', force_local_zone: { min_size: 1 } } },
        },
      },
    },
  ],
});

/** Verifies nothing: it is only there so that Envoy takes the cluster for one with TLS. */
const dummySocket: JsonObject = {
  name: 'dummy.transport_socket',
  typed_config: { '@type': type('transport_sockets.tls.v3.UpstreamTlsContext'), common_tls_context: {} },
};

const tlsSocket = (name: string, { spec }: BackendTLSPolicy): JsonObject => ({
  name,
  match: { name },
  transport_socket: {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': type('transport_sockets.tls.v3.UpstreamTlsContext'),
      common_tls_context: {
        combined_validation_context: {
          default_validation_context: {
            match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: spec.validation.hostname } }],
          },
          validation_context_sds_secret_config: { name: 'system_ca_certificates', sds_config: ads },
        },
      },
      sni: spec.validation.hostname,
    },
  },
});
