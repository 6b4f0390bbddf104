/** A cluster that leads into the tunnel. What is not named here stays as it is, known or not. */
import type { Slice } from '../wire/text.ts';
import type { Writer } from '../wire/writer.ts';
import type { OnlineDecision } from './cluster-decision.ts';
import { cluster, discoveryType, loadAssignment, localityEndpoints } from './envoy-fields.ts';
import { type FieldEdit, rewrite, rewriteInside } from './rewrite.ts';
import { cursorOver } from './struct.ts';
import { writeTunnelEndpoint, writeTunnelSocket } from './tunnel.ts';

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
]);

/** Where endpoints of a locality stand, or are asked for. */
const endpointFields: ReadonlySet<number> = new Set([
  localityEndpoints.lbEndpoints,
  localityEndpoints.loadBalancerEndpoints,
  localityEndpoints.ledsClusterLocalityConfig,
]);

export interface Tunnels extends Pick<OnlineDecision, 'backends' | 'socket'> {
  readonly internalListener: string;
}

/** Writes the fields of the cluster. */
export function writeOnlineCluster(out: Writer, message: Slice, { backends, socket, internalListener }: Tunnels): void {
  const rest = backends.values();
  const tunnelled: FieldEdit = (at) => {
    if (!at.isBytes(loadAssignment.endpoints)) return false;
    const backend = rest.next().value;
    if (!backend) return true;
    out.begin(at.field, at.to - at.from);
    rewrite(out, at.enter(), ({ field }) => endpointFields.has(field));
    writeTunnelEndpoint(out, backend, internalListener);
    out.end();
    return true;
  };
  rewrite(out, cursorOver(message), (at) =>
    at.isBytes(cluster.loadAssignment) ? rewriteInside(out, at, tunnelled) : removedFields.has(at.field),
  );
  out.uint(cluster.type, discoveryType.static);
  writeTunnelSocket(out, socket);
}
