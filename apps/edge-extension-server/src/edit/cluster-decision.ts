/** What becomes of a cluster. */
import { edgeReasons, type ObjectKey, type Outcome } from '@lifeline/core';
import { equalSlices, type Slice } from '../wire/text.ts';
import type { ClusterScan, LocalityScan } from './cluster-scan.ts';
import type { Corrections } from './corrections.ts';
import type { Findings, Verdict } from './findings.ts';
import { backendOf, type Identity, type RuleIdentity } from './identify.ts';
import { verifyingTlsSocket } from './tls-socket.ts';
import type { Tunnel, Tunnels } from './tunnel.ts';

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
  /** Of each locality; one without is removed. */
  readonly tunnels: readonly (Tunnel | undefined)[];
  /** The `TransportSocket` inside the tunnels; undefined for plaintext. */
  readonly socket: Slice | undefined;
  /** Those that the cluster leads to. */
  readonly connectors: readonly ObjectKey[];
}

export interface DecisionInputs {
  readonly corrections: Corrections;
  readonly tunnels: Tunnels;
  readonly findings: Findings;
}

const plain: ClusterDecision = { at: 'plain' };
const offline: ClusterDecision = { at: 'offline' };
const mixed: ClusterDecision = { at: 'mixed' };

export function decideCluster(scan: ClusterScan, identity: Identity, inputs: DecisionInputs): ClusterDecision {
  const { findings } = inputs;
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

function decideTunnels(scan: ClusterScan, identity: RuleIdentity, inputs: DecisionInputs): ClusterDecision {
  const { key } = identity.proxy;
  const { findings } = inputs;
  const tunnels: (Tunnel | undefined)[] = [];
  const connectors: ObjectKey[] = [];
  let first: OnlineTunnel | undefined;
  const context = { scan, identity, inputs };
  for (const locality of scan.localities) {
    const decided = decideTunnel(locality, context);
    const verdict = decided.at === 'online' ? otherSocket((first ??= decided), decided) : decided.verdict;
    if (verdict) findings.contain(key, verdict);
    if (decided.at === 'offline' || verdict) {
      tunnels.push(undefined);
      continue;
    }
    tunnels.push(decided.tunnel);
    connectors.push(decided.tunnel.connector);
  }
  return first ? { at: 'online', tunnels, socket: first.socket, connectors } : offline;
}

/** A cluster has one socket: that of its first tunnel. Backends with different ones have clusters of their own. */
const otherSocket = (first: OnlineTunnel, { socket }: OnlineTunnel): Verdict | undefined =>
  first.socket === socket || (first.socket && socket && equalSlices(first.socket, socket))
    ? undefined
    : { outcome: 'contained', reason: edgeReasons.noTlsForHttps };

type DecidedTunnel = OnlineTunnel | OfflineTunnel;
interface OnlineTunnel {
  readonly at: 'online';
  readonly tunnel: Tunnel;
  readonly socket: Slice | undefined;
}
interface OfflineTunnel {
  readonly at: 'offline';
  /** Undefined: as the index wants it. */
  readonly verdict: Verdict | undefined;
}

interface TunnelContext {
  readonly scan: ClusterScan;
  readonly identity: RuleIdentity;
  readonly inputs: DecisionInputs;
}

function decideTunnel(locality: LocalityScan, { scan, identity, inputs }: TunnelContext): DecidedTunnel {
  const { placeholder } = locality;
  if (!placeholder) return asWanted;
  const backend = backendOf(identity, scan, locality);
  if (!backend) return refused('skew', edgeReasons.httpProxyNotFound);
  const { endpoint, reason } = backend;
  if (reason === edgeReasons.invalidEndpoint) return refused('contained', reason);
  if (backend.state === 'offline' || !endpoint) return asWanted;
  const tunnel = inputs.tunnels.of(backend, identity.proxy.namespace);
  const fault = inputs.corrections.connectors.get(tunnel.connector);
  if (fault !== undefined) return refused('contained', fault);
  if (placeholder.port !== endpoint.port) return refused('skew', edgeReasons.skew);
  if (!endpoint.tls) {
    // Envoy Gateway was told to speak TLS, which an http endpoint never asks for: it has seen another version.
    return placeholder.socketMatch ? refused('skew', edgeReasons.skew) : { at: 'online', tunnel, socket: undefined };
  }
  const socket = verifyingTlsSocket(scan.socketMatches, placeholder.socketMatch);
  return socket ? { at: 'online', tunnel, socket } : refused('contained', edgeReasons.noTlsForHttps);
}

const asWanted: OfflineTunnel = { at: 'offline', verdict: undefined };
const refused = (outcome: Outcome, reason: string): OfflineTunnel => ({ at: 'offline', verdict: { outcome, reason } });
