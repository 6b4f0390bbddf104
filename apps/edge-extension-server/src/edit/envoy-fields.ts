/**
 * Field numbers of the messages that the edit looks into. Those that it does not name, or does not know, stay as they are.
 * @see https://github.com/envoyproxy/gateway/blob/v1.9.1/proto/extension/service.proto
 * @see https://github.com/envoyproxy/envoy/tree/v1.39.0/api/envoy
 */

/** The lists of `PostTranslateModifyRequest`. */
export const requestFields = { clusters: 2, secrets: 3, listeners: 4, routes: 5 } as const;

/** The same lists in `PostTranslateModifyResponse`: other numbers. */
export const responseFields = { clusters: 1, secrets: 2, listeners: 3, routes: 4 } as const;

/** `map<string, …>`, as a repeated message. */
export const mapEntry = { key: 1, value: 2 } as const;

/** `google.protobuf.Any`. */
export const any = { typeUrl: 1, value: 2 } as const;

/** `google.protobuf.Struct`, `Value` and `ListValue`. */
export const struct = { fields: 1 } as const;
export const value = { string: 3, struct: 5, list: 6 } as const;
export const listValue = { values: 1 } as const;

/** `google.protobuf.UInt32Value` and its like. */
export const wrapper = { value: 1 } as const;

/** `envoy.config.core.v3.Metadata`. */
export const metadata = { filterMetadata: 1 } as const;

export const cluster = {
  name: 1,
  type: 2,
  edsClusterConfig: 3,
  healthChecks: 8,
  dnsRefreshRate: 16,
  dnsLookupFamily: 17,
  dnsResolvers: 18,
  transportSocket: 24,
  metadata: 25,
  loadAssignment: 33,
  clusterType: 38,
  respectDnsTtl: 39,
  transportSocketMatches: 43,
  dnsFailureRefreshRate: 44,
  useTcpForDnsLookups: 45,
  dnsResolutionConfig: 53,
  typedDnsResolverConfig: 55,
  dnsJitter: 58,
  transportSocketMatcher: 59,
} as const;

/** `Cluster.DiscoveryType`. */
export const discoveryType = { static: 0 } as const;

/** `ClusterLoadAssignment`. */
export const loadAssignment = { endpoints: 2 } as const;

export const localityEndpoints = {
  locality: 1,
  lbEndpoints: 2,
  loadBalancerEndpoints: 7,
  ledsClusterLocalityConfig: 8,
} as const;

export const locality = { region: 1 } as const;

export const lbEndpoint = { endpoint: 1, metadata: 3, endpointName: 5 } as const;

export const endpoint = { address: 1, healthCheckConfig: 2, additionalAddresses: 4 } as const;

export const address = { socketAddress: 1, internalAddress: 3 } as const;

export const socketAddress = { address: 2, portValue: 3 } as const;

export const internalAddress = { serverListenerName: 1, endpointId: 2 } as const;

export const transportSocket = { name: 1, typedConfig: 3 } as const;

export const transportSocketMatch = { match: 2, transportSocket: 3 } as const;

export const internalUpstreamTransport = { passthroughMetadata: 1, transportSocket: 3 } as const;

/** `InternalUpstreamTransport.MetadataValueSource`. */
export const metadataValueSource = { kind: 1, name: 2 } as const;

/** `envoy.type.metadata.v3.MetadataKind`. */
export const metadataKind = { host: 4 } as const;

export const upstreamTlsContext = { commonTlsContext: 1 } as const;

/** `CommonTlsContext`: where it says what a certificate is held against. */
export const commonTlsContext = {
  validationContext: 3,
  validationContextSdsSecretConfig: 7,
  combinedValidationContext: 8,
} as const;

export const combinedValidationContext = { defaultValidationContext: 1, validationContextSdsSecretConfig: 2 } as const;

/** `CertificateValidationContext`. */
export const validationContext = {
  trustedCa: 1,
  verifyCertificateHash: 2,
  verifyCertificateSpki: 3,
  trustChainVerification: 10,
  caCertificateProviderInstance: 13,
  systemRootCerts: 17,
} as const;

/** `CertificateValidationContext.TrustChainVerification`. */
export const trustChainVerification = { verifyTrustChain: 0 } as const;

export const routeConfiguration = { name: 1, virtualHosts: 2 } as const;

export const virtualHost = { name: 1, domains: 2, routes: 3, metadata: 24 } as const;

export const route = {
  route: 2,
  redirect: 3,
  directResponse: 7,
  responseHeadersToAdd: 10,
  filterAction: 17,
  nonForwardingAction: 18,
} as const;

export const routeAction = { cluster: 1, weightedClusters: 3 } as const;

/** `WeightedCluster` and its `ClusterWeight`. */
export const weightedCluster = { clusters: 1 } as const;
export const clusterWeight = { name: 1, weight: 2 } as const;

export const directResponseAction = { status: 1, body: 2 } as const;

export const dataSource = { inlineString: 3 } as const;

export const headerValueOption = { header: 1, appendAction: 3 } as const;
export const headerValue = { key: 1, value: 2 } as const;

/** `HeaderValueOption.HeaderAppendAction`. */
export const appendAction = { overwriteIfExistsOrAdd: 2 } as const;
