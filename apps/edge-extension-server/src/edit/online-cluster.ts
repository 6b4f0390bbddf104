/** A cluster that leads into the tunnel. What is not named here stays as it is, known or not. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import type { OnlineDecision } from './cluster-decision.ts';
import { cluster, discoveryType, loadAssignment, localityEndpoints } from './envoy-fields.ts';
import { type FieldEdit, rewrite, rewriteInside } from './rewrite.ts';
import { type Tunnel, writeTunnelEndpoint } from './tunnel.ts';
import { writeTunnelSocket } from './tunnel-socket.ts';

/** How the endpoints of before were found, held healthy and spoken to. */
const removedFields: ReadonlySet<number> = new Set([
  cluster.type,
  cluster.clusterType,
  cluster.edsClusterConfig,
  cluster.healthChecks,
  cluster.dnsRefreshRate,
  cluster.dnsFailureRefreshRate,
  cluster.dnsJitter,
  cluster.respectDnsTtl,
  cluster.dnsLookupFamily,
  cluster.dnsResolvers,
  cluster.useTcpForDnsLookups,
  cluster.dnsResolutionConfig,
  cluster.typedDnsResolverConfig,
  cluster.transportSocket,
  cluster.transportSocketMatches,
  cluster.transportSocketMatcher,
]);

/** Where endpoints of a locality stand, or are asked for. */
const endpointFields: ReadonlySet<number> = new Set([
  localityEndpoints.lbEndpoints,
  localityEndpoints.loadBalancerEndpoints,
  localityEndpoints.ledsClusterLocalityConfig,
]);

/** Writes the fields of the cluster. */
export function writeOnlineCluster(out: Writer, message: Cursor, { tunnels, socket }: OnlineDecision): void {
  let localities = 0;
  const tunnelled: FieldEdit = (at) => {
    if (!at.isBytes(loadAssignment.endpoints)) return false;
    const tunnel = tunnels[localities++];
    return tunnel ? writeLocality(out, at, tunnel) : true;
  };
  rewrite(out, message, (at) =>
    at.isBytes(cluster.loadAssignment) ? rewriteInside(out, at, tunnelled) : removedFields.has(at.field),
  );
  out.uint(cluster.type, discoveryType.static);
  writeTunnelSocket(out, socket);
}

/** In place of its endpoints, which are all placeholders, a locality gets one. */
function writeLocality(out: Writer, at: Cursor, tunnel: Tunnel): true {
  let isWritten = false;
  return rewriteInside(out, at, (each) => {
    if (isWritten || !each.isBytes(localityEndpoints.lbEndpoints)) return endpointFields.has(each.field);
    isWritten = true;
    return writeTunnelEndpoint(out, each, tunnel);
  });
}
