/** What is wrong with a cluster that leads into tunnels. */
import { edgeReasons, metadataNamespaces, transportSockets, tunnelKeys } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, equalSlices, type Slice } from '../wire/text.ts';
import {
  address,
  any,
  cluster as fields,
  discoveryType,
  endpoint,
  internalAddress,
  internalUpstreamTransport,
  lbEndpoint,
  loadAssignment,
  localityEndpoints,
  metadata,
  transportSocket,
  transportSocketMatch,
  value,
} from './envoy-fields.ts';
import { seekStructValue, seekValue } from './struct.ts';

const tunnelKey = encodeText(metadataNamespaces.tunnel);
const addressKey = encodeText(tunnelKeys.address);
const nodeIdKey = encodeText(tunnelKeys.endpointId);
const internalUpstream = encodeText(transportSockets.internalUpstream);
const rawBuffer = encodeText(transportSockets.rawBuffer);

/** To find endpoints, or to choose what is spoken to them. */
const otherWays: ReadonlySet<number> = new Set([fields.clusterType, fields.transportSocketMatches]);

/** One for each check of a draft: its cursors are used again for each cluster. */
export class ClusterCheck {
  readonly #cluster = new Cursor(new Uint8Array());
  readonly #received = new Cursor(new Uint8Array());

  /**
   * One of `edgeReasons`; undefined when all is well: it has its name, all its endpoints are tunnels, and what is spoken inside them is
   * plaintext or a socket that the cluster came with, so that no secret is asked for that was not asked for before.
   * @param received what it was made of
   */
  fault(cluster: Slice, received: Slice): string | undefined {
    let isNamed = false;
    let isSafe = false;
    let type: number = discoveryType.static;
    let tunnels = 0;
    const cursor = this.#cluster.aim(cluster);
    while (cursor.next()) {
      if (cursor.isBytes(fields.name)) isNamed = this.#isName(cursor, received);
      else if (cursor.isVarint(fields.type)) type = cursor.uint32();
      else if (cursor.isBytes(fields.transportSocket)) isSafe = this.#isSafe(cursor, received);
      else if (cursor.isBytes(fields.loadAssignment)) {
        const found = countTunnels(cursor.enter());
        if (found === undefined) return edgeReasons.brokenTunnel;
        tunnels += found;
      } else if (otherWays.has(cursor.field)) return edgeReasons.brokenTunnel;
    }
    if (!isNamed) return edgeReasons.renamed;
    if (type !== discoveryType.static || tunnels === 0) return edgeReasons.brokenTunnel;
    return isSafe ? undefined : edgeReasons.foreignSocket;
  }

  #isName(name: Slice, received: Slice): boolean {
    const cursor = this.#received.aim(received);
    // It stands first.
    while (cursor.next()) if (cursor.isBytes(fields.name)) return name.from < name.to && equalSlices(name, cursor);
    return false;
  }

  #isSafe(socket: Cursor, received: Slice): boolean {
    const named = socket.enter();
    if (!named.seek(transportSocket.name) || !equalBytes(named, internalUpstream)) return false;
    const config = socket.enter();
    if (!config.seek(transportSocket.typedConfig)) return false;
    const content = config.enter();
    if (!content.seek(any.value)) return false;
    const transport = content.enter();
    if (!transport.seek(internalUpstreamTransport.transportSocket)) return false;
    const inner = transport.enter();
    if (!inner.seek(transportSocket.name)) return false;
    return equalBytes(inner, rawBuffer) || this.#cameWith(transport, received);
  }

  #cameWith(socket: Slice, received: Slice): boolean {
    const cursor = this.#received.aim(received);
    while (cursor.next()) {
      if (!cursor.isBytes(fields.transportSocketMatches)) continue;
      const match = cursor.enter();
      if (match.seek(transportSocketMatch.transportSocket) && equalSlices(match, socket)) return true;
    }
    return false;
  }
}

/** How many endpoints there are; undefined when one of them is no tunnel. */
function countTunnels(assignment: Cursor): number | undefined {
  let tunnels = 0;
  while (assignment.next()) {
    if (!assignment.isBytes(loadAssignment.endpoints)) continue;
    const locality = assignment.enter();
    while (locality.next()) {
      if (!locality.isBytes(localityEndpoints.lbEndpoints)) continue;
      if (!isListener(locality.enter()) || !isTold(locality.enter())) return undefined;
      tunnels++;
    }
  }
  return tunnels;
}

/** Whether an `LbEndpoint` is an internal listener. */
function isListener(at: Cursor): boolean {
  if (!at.seek(lbEndpoint.endpoint)) return false;
  const where = at.enter();
  if (!where.seek(endpoint.address)) return false;
  const kind = where.enter();
  if (!kind.seek(address.internalAddress)) return false;
  const listener = kind.enter();
  return listener.seek(internalAddress.serverListenerName) && listener.from < listener.to;
}

/** Whether the listener is told an address with a port, and a node id. */
function isTold(at: Cursor): boolean {
  if (!at.seek(lbEndpoint.metadata)) return false;
  const held = at.enter();
  if (!seekValue(held, metadata.filterMetadata, tunnelKey)) return false;
  const target = textUnder(held.enter(), addressKey);
  if (!target || !hasPort(target)) return false;
  const nodeId = textUnder(held.enter(), nodeIdKey);
  return nodeId !== undefined && nodeId.from < nodeId.to;
}

/** At the text under a key of a Struct. */
function textUnder(message: Cursor, key: Uint8Array): Cursor | undefined {
  if (!seekStructValue(message, key)) return undefined;
  const text = message.enter();
  return text.seek(value.string) ? text : undefined;
}

const zero = 0x30;
const colon = 0x3a;

/** Whether it ends in `:` and a number from 1 to 65535. */
function hasPort({ bytes, from, to }: Slice): boolean {
  let port = 0;
  let at = to;
  for (let scale = 1; at > from; scale *= 10) {
    const digit = (bytes[at - 1] as number) - zero;
    if (digit < 0 || digit > 9) break;
    port += digit * scale;
    at--;
  }
  return at > from && at < to && bytes[at - 1] === colon && port >= 1 && port <= 65_535;
}
