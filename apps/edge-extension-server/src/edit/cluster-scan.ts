/** A cluster as it stands in the request: what decides whether, and how, it is edited. */
import { metadataNamespaces } from '@lifeline/core';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, type Slice } from '../wire/text.ts';
import {
  address,
  cluster as clusterFields,
  endpoint as endpointFields,
  lbEndpoint,
  loadAssignment,
  locality as localityFields,
  localityEndpoints,
  metadata as metadataFields,
  socketAddress,
} from './envoy-fields.ts';
import { cursorOver, lastField, mapValue } from './struct.ts';

/** A locality of a cluster whose endpoints stand in it. */
export interface LocalityScan {
  /** Its region, where the configuration gives it one. */
  readonly region: Slice | undefined;
  /** Endpoints whose host is not the placeholder. */
  readonly others: number;
  /** The first endpoint whose host is the placeholder; undefined when none is. */
  readonly placeholder: PlaceholderScan | undefined;
}

export interface PlaceholderScan {
  /** An `LbEndpoint`. */
  readonly endpoint: Slice;
  /** Undefined when the placeholders of the locality have different ports, or one has none. */
  readonly port: number | undefined;
  /** Which `transport_socket_matches` it wants: a Struct. */
  readonly socketMatch: Slice | undefined;
}

export interface ClusterScan {
  readonly cluster: Slice;
  readonly name: Slice;
  readonly metadata: Slice | undefined;
  /** In order. */
  readonly localities: readonly LocalityScan[];
  /** `TransportSocketMatch`es, in order. */
  readonly socketMatches: readonly Slice[];
  /** Whether any locality has a placeholder. */
  readonly hasPlaceholder: boolean;
}

const socketMatchKey = encodeText(metadataNamespaces.transportSocketMatch);

/** Of a `Cluster`. @param placeholderHost the bytes of the host that is a placeholder */
export function scanCluster(cluster: Slice, placeholderHost: Uint8Array): ClusterScan {
  const cursor = cursorOver(cluster);
  let name: Slice = { bytes: cluster.bytes, from: cluster.from, to: cluster.from };
  let metadata: Slice | undefined;
  const socketMatches: Slice[] = [];
  const localities: LocalityScan[] = [];
  while (cursor.next()) {
    if (cursor.isBytes(clusterFields.name)) name = cursor.slice();
    else if (cursor.isBytes(clusterFields.metadata)) metadata = cursor.slice();
    else if (cursor.isBytes(clusterFields.transportSocketMatches)) socketMatches.push(cursor.slice());
    else if (cursor.isBytes(clusterFields.loadAssignment)) scanAssignment(cursor.enter(), placeholderHost, localities);
  }
  const hasPlaceholder = localities.some(({ placeholder }) => placeholder !== undefined);
  return { cluster, name, metadata, localities, socketMatches, hasPlaceholder };
}

function scanAssignment(assignment: Cursor, placeholderHost: Uint8Array, into: LocalityScan[]): void {
  while (assignment.next()) {
    if (assignment.isBytes(loadAssignment.endpoints)) into.push(scanLocality(assignment.enter(), placeholderHost));
  }
}

function scanLocality(cursor: Cursor, placeholderHost: Uint8Array): LocalityScan {
  let region: Slice | undefined;
  let others = 0;
  let placeholder: PlaceholderScan | undefined;
  while (cursor.next()) {
    if (cursor.isBytes(localityEndpoints.locality)) region = lastField(cursor, localityFields.region);
    if (!cursor.isBytes(localityEndpoints.lbEndpoints)) continue;
    const socket = socketOf(cursor);
    if (!socket || !equalBytes(socket.host, placeholderHost)) others++;
    else if (!placeholder)
      placeholder = { endpoint: cursor.slice(), port: socket.port, socketMatch: socketMatchOf(cursor) };
    else if (placeholder.port !== socket.port) placeholder = { ...placeholder, port: undefined };
  }
  return { region, others, placeholder };
}

/** Whether this is the host of an `LbEndpoint`. */
export function isPlaceholder(lb: Slice, placeholderHost: Uint8Array): boolean {
  const socket = socketOf(lb);
  return socket !== undefined && equalBytes(socket.host, placeholderHost);
}

/** Where an `LbEndpoint` is, if that is a host and a port. */
function socketOf(lb: Slice): { readonly host: Slice; readonly port: number | undefined } | undefined {
  const endpoint = lastField(lb, lbEndpoint.endpoint);
  const where = endpoint && lastField(endpoint, endpointFields.address);
  const socket = where && lastField(where, address.socketAddress);
  if (!socket) return undefined;
  const cursor = cursorOver(socket);
  let host: Slice | undefined;
  let port: number | undefined;
  while (cursor.next()) {
    if (cursor.isBytes(socketAddress.address)) host = cursor.slice();
    else if (cursor.isVarint(socketAddress.portValue)) port = cursor.uint32();
  }
  return host && { host, port };
}

/** Which `transport_socket_matches` an `LbEndpoint` wants. */
function socketMatchOf(lb: Slice): Slice | undefined {
  const metadata = lastField(lb, lbEndpoint.metadata);
  return metadata && mapValue(metadata, metadataFields.filterMetadata, socketMatchKey);
}
