/** What becomes of a cluster. */
import { edgeReasons, objectKey, type ObjectKey, type Outcome } from '@lifeline/core';
import type { BackendProgram, EdgeIndex } from '@lifeline/edge';
import { equalSlices, type Slice } from '../wire/text.ts';
import type { ClusterScan, PlaceholderScan } from './cluster-scan.ts';
import type { Corrections } from './corrections.ts';
import type { Findings, Verdict } from './findings.ts';
import { backendOf, identify, type RuleIdentity } from './identify.ts';
import type { ObjectNames } from './object-names.ts';
import { verifyingTlsSocket } from './tls-socket.ts';

export type ClusterDecision =
  /** Nothing of ours: it stays as it is. */
  | { readonly at: 'plain' }
  /** No connector of it is online: it stays as it is, and no route leads to it. */
  | { readonly at: 'offline' }
  /** It loses its placeholders and keeps the rest. */
  | { readonly at: 'mixed' }
  | OnlineDecision;

export interface OnlineDecision {
  readonly at: 'online';
  /** What each locality leads to; those with undefined are removed. */
  readonly backends: readonly (OnlineBackend | undefined)[];
  /** The `TransportSocket` inside the tunnel; undefined for plaintext. */
  readonly socket: Slice | undefined;
  /** Those that it leads to. */
  readonly connectors: readonly ObjectKey[];
}

export interface OnlineBackend {
  readonly nodeId: string;
  /** `host:port`. */
  readonly target: string;
}

export interface DecisionInputs {
  readonly index: EdgeIndex;
  readonly corrections: Corrections;
  readonly names: ObjectNames;
  readonly findings: Findings;
}

const plain: ClusterDecision = { at: 'plain' };
const offline: ClusterDecision = { at: 'offline' };
const mixed: ClusterDecision = { at: 'mixed' };

export function decideCluster(scan: ClusterScan, inputs: DecisionInputs): ClusterDecision {
  const { findings } = inputs;
  const identity = identify(scan, inputs.index, inputs.names);
  const gateway = identity.proxy?.key;
  if (!scan.hasPlaceholder) {
    if (identity.at === 'rule' && wantsConnector(identity)) {
      findings.contain(gateway, { outcome: 'skew', reason: edgeReasons.notPlaceholder });
    }
    return plain;
  }
  if (identity.at === 'foreign') {
    findings.contain(gateway, { outcome: 'contained', reason: edgeReasons.foreignCluster });
    return plain;
  }
  if (scan.localities.some(({ others }) => others > 0)) {
    findings.contain(gateway, { outcome: 'contained', reason: edgeReasons.mixedCluster });
    return mixed;
  }
  if (identity.at === 'rule') return decideTunnels(scan, identity, inputs);
  findings.contain(gateway, { outcome: 'skew', reason: identity.reason });
  return offline;
}

/** Whether the index holds a connector where the cluster leads. */
function wantsConnector({ rule, backend }: RuleIdentity): boolean {
  return backend === undefined
    ? rule.backends.some((each) => each !== undefined)
    : rule.backends[backend] !== undefined;
}

function decideTunnels(
  scan: ClusterScan,
  identity: RuleIdentity,
  { corrections, findings }: DecisionInputs,
): ClusterDecision {
  const { key, namespace } = identity.proxy;
  const connectors: ObjectKey[] = [];
  let cluster: { readonly socket: Slice | undefined } | undefined;
  const backends = scan.localities.map((locality): OnlineBackend | undefined => {
    const { placeholder } = locality;
    if (!placeholder) return undefined;
    const backend = backendOf(identity, scan, locality);
    const connector = backend && objectKey({ namespace, name: backend.connector });
    const tunnel = decideTunnel({
      scan,
      placeholder,
      backend,
      fault: connector && corrections.connectors.get(connector),
    });
    if (tunnel.at === 'offline') {
      if (tunnel.verdict) findings.contain(key, tunnel.verdict);
      return undefined;
    }
    // A cluster has one socket. Backends with different ones have clusters of their own.
    cluster ??= { socket: tunnel.socket };
    if (!sameSocket(cluster.socket, tunnel.socket)) {
      findings.contain(key, { outcome: 'contained', reason: edgeReasons.noTlsForHttps });
      return undefined;
    }
    if (connector !== undefined) connectors.push(connector);
    return tunnel.backend;
  });
  return cluster ? { at: 'online', backends, socket: cluster.socket, connectors } : offline;
}

const sameSocket = (one: Slice | undefined, other: Slice | undefined): boolean =>
  one && other ? equalSlices(one, other) : one === other;

type Tunnel =
  | { readonly at: 'online'; readonly backend: OnlineBackend; readonly socket: Slice | undefined }
  /** Without a verdict: as the index wants it. */
  | { readonly at: 'offline'; readonly verdict: Verdict | undefined };

interface TunnelInputs {
  readonly scan: ClusterScan;
  readonly placeholder: PlaceholderScan;
  readonly backend: BackendProgram | undefined;
  /** Why its connector must be offline whatever the index says. */
  readonly fault: string | undefined;
}

function decideTunnel({ scan, placeholder, backend, fault }: TunnelInputs): Tunnel {
  if (!backend) return refused('skew', edgeReasons.httpProxyNotFound);
  const { endpoint, nodeId, reason } = backend;
  if (reason === edgeReasons.invalidEndpoint) return refused('contained', reason);
  if (backend.state === 'offline' || !endpoint) return { at: 'offline', verdict: undefined };
  if (fault !== undefined) return refused('contained', fault);
  if (placeholder.port !== endpoint.port) return refused('skew', edgeReasons.skew);
  const online = { nodeId, target: endpoint.target };
  if (!endpoint.tls) {
    // Envoy Gateway was told to speak TLS, which an http endpoint never asks for: it has seen another version.
    if (placeholder.socketMatch) return refused('skew', edgeReasons.skew);
    return { at: 'online', backend: online, socket: undefined };
  }
  const socket = verifyingTlsSocket(scan.socketMatches, placeholder.socketMatch);
  return socket ? { at: 'online', backend: online, socket } : refused('contained', edgeReasons.noTlsForHttps);
}

const refused = (outcome: Outcome, reason: string): Tunnel => ({ at: 'offline', verdict: { outcome, reason } });
