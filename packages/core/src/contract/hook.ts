/** The hook: Envoy Gateway's extension service as Lifeline answers it, and what it writes into Envoy's configuration. */

export const grpcServices = {
  /** gRPC service that Envoy Gateway calls. Only `PostTranslateModify` changes anything. */
  hook: 'envoygateway.extension.EnvoyGatewayExtension',
  /** gRPC service on which each extension server reports what it answered. */
  programmed: 'lifeline.edge.v1.Programmed',
} as const;

/** HTTP paths on the health port. */
export const debugPaths = { programmed: '/debug/programmed' } as const;

/** Keys of `filter_metadata`. */
export const metadataNamespaces = {
  /** Where Envoy Gateway says which object an xDS resource comes from. */
  envoyGateway: 'envoy-gateway',
  /** Where the tunnel's address and node id stand on an endpoint; the internal listener reads them. */
  tunnel: 'tunnel',
  /** Which entry of `transport_socket_matches` an endpoint wants. */
  transportSocketMatch: 'envoy.transport_socket_match',
} as const;

/** Keys under {@link metadataNamespaces.tunnel}. */
export const tunnelKeys = { address: 'address', endpointId: 'endpoint_id' } as const;

/** The request header in which the internal listener hands the node id to the tunnel gateway. */
export const tunnelHeader = 'x-iroh-endpoint-id';

export const transportSockets = {
  internalUpstream: 'envoy.transport_sockets.internal_upstream',
  rawBuffer: 'envoy.transport_sockets.raw_buffer',
} as const;

/** Why a backend was programmed offline, or left alone, for a reason of the edge itself. Liveness has its own list. */
export const edgeReasons = {
  invalidEndpoint: 'InvalidEndpoint',
  /** A placeholder for which the index holds no connector backend. */
  httpProxyNotFound: 'HTTPProxyNotFound',
  ruleNotFound: 'RuleNotFound',
  /** The cluster's port is not the target's: Envoy Gateway and we have seen different versions. */
  skew: 'Skew',
  /** Placeholder and other addresses in one cluster. */
  mixedCluster: 'MixedCluster',
  /** No entry of `transport_socket_matches` fits; plaintext or unverified TLS is never the answer. */
  noTlsForHttps: 'NoTlsForHttps',
  /** The cluster of a connector backend that leads elsewhere; left alone. */
  notPlaceholder: 'NotPlaceholder',
  /** A placeholder in a cluster whose name and metadata disagree; left alone. */
  foreignCluster: 'ForeignCluster',
  /** A domain that a virtual host of an older Gateway has too. */
  duplicateDomain: 'DuplicateDomain',
  // Rules that our own edit would have broken. Envoy Gateway, or Envoy, would have refused more than what was edited.
  /** A cluster, a virtual host or its domains are not called what they were called. */
  renamed: 'Renamed',
  /** An endpoint is no tunnel with an address, a port and a node id, or there is none. */
  brokenTunnel: 'BrokenTunnel',
  /** What is spoken inside the tunnel, with its certificates and secrets, is not what the cluster came with. */
  foreignSocket: 'ForeignSocket',
  /** A route that names a cluster which is not there. */
  missingCluster: 'MissingCluster',
  /** Weighted clusters of which none has a weight. */
  noWeight: 'NoWeight',
  /** A route that does nothing, or more than one thing. */
  unclearAction: 'UnclearAction',
  /** A direct response that Envoy refuses: its status or the length of its body. */
  brokenResponse: 'BrokenResponse',
} as const;

/** What became of a Gateway in one call. The first four converge when the intent matches. */
export const outcomes = ['programmed', 'contained', 'rolledBack', 'skew', 'failed', 'aborted'] as const;
export type Outcome = (typeof outcomes)[number];

/** Whether this outcome counts as programmed when the intent matches. */
export function outcomeConverges(outcome: Outcome): boolean {
  switch (outcome) {
    case 'programmed':
    case 'contained':
    case 'rolledBack':
    case 'skew':
      return true;
    case 'failed':
    case 'aborted':
      return false;
  }
}
