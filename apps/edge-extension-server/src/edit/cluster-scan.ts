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
import { readResourceRef, type ResourceRef } from './resource-ref.ts';
import { seekValue } from './struct.ts';

export interface ClusterScan {
  readonly name: Slice;
  /** The route that it was made for. */
  readonly ref: ResourceRef | undefined;
  /** Those whose endpoints stand in the cluster, in order. */
  readonly localities: readonly LocalityScan[];
  /** `TransportSocketMatch`es, in order. */
  readonly socketMatches: readonly Slice[];
  readonly hasPlaceholder: boolean;
}

export interface LocalityScan {
  readonly region: Slice | undefined;
  /** How many endpoints have another host than the placeholder. */
  readonly others: number;
  /** Of those whose host it is; undefined when there is none. */
  readonly placeholder: PlaceholderScan | undefined;
}

export interface PlaceholderScan {
  /** 0 when they have different ports, or none. */
  readonly port: number;
  /** Which `transport_socket_matches` the first of them wants: a Struct. */
  readonly socketMatch: Slice | undefined;
}

const socketMatchKey = encodeText(metadataNamespaces.transportSocketMatch);

const none: readonly Slice[] = [];

/** Of a `Cluster`. @param placeholderHost the host, in bytes, that stands for a connector */
export function scanCluster(cluster: Cursor, placeholderHost: Uint8Array): ClusterScan {
  let name: Slice = { bytes: cluster.bytes, from: cluster.after, to: cluster.after };
  let ref: ResourceRef | undefined;
  let hasPlaceholder = false;
  let socketMatches: readonly Slice[] = none;
  const localities: LocalityScan[] = [];
  while (cluster.next()) {
    if (cluster.isBytes(clusterFields.name)) name = cluster.slice();
    else if (cluster.isBytes(clusterFields.metadata)) ref = readResourceRef(cluster.enter());
    else if (cluster.isBytes(clusterFields.transportSocketMatches)) socketMatches = [...socketMatches, cluster.slice()];
    else if (cluster.isBytes(clusterFields.loadAssignment)) {
      const assignment = cluster.enter();
      while (assignment.next()) {
        if (!assignment.isBytes(loadAssignment.endpoints)) continue;
        const locality = scanLocality(assignment.enter(), placeholderHost);
        hasPlaceholder ||= locality.placeholder !== undefined;
        localities.push(locality);
      }
    }
  }
  return { name, ref, localities, socketMatches, hasPlaceholder };
}

function scanLocality(locality: Cursor, placeholderHost: Uint8Array): LocalityScan {
  let region: Slice | undefined;
  let others = 0;
  let placeholder: PlaceholderScan | undefined;
  while (locality.next()) {
    if (locality.isBytes(localityEndpoints.locality)) region = regionOf(locality.enter());
    if (!locality.isBytes(localityEndpoints.lbEndpoints)) continue;
    const port = placeholderPort(locality, placeholderHost);
    if (port === undefined) others++;
    else if (!placeholder) placeholder = { port, socketMatch: socketMatchOf(locality.enter()) };
    else if (placeholder.port !== port) placeholder = { ...placeholder, port: 0 };
  }
  return { region, others, placeholder };
}

const regionOf = (locality: Cursor): Slice | undefined =>
  locality.seek(localityFields.region) ? locality.slice() : undefined;

/** The port of the `LbEndpoint` that a cursor is at, 0 for none; undefined when its host is not the placeholder. */
export function placeholderPort(at: Cursor, placeholderHost: Uint8Array): number | undefined {
  const socket = socketOf(at.enter());
  let isPlaceholder = false;
  let port = 0;
  while (socket?.next()) {
    if (socket.isBytes(socketAddress.address)) isPlaceholder = equalBytes(socket, placeholderHost);
    else if (socket.isVarint(socketAddress.portValue)) port = socket.uint32();
  }
  return isPlaceholder ? port : undefined;
}

/** The `SocketAddress` of an `LbEndpoint`. */
function socketOf(lb: Cursor): Cursor | undefined {
  if (!lb.seek(lbEndpoint.endpoint)) return undefined;
  const endpoint = lb.enter();
  if (!endpoint.seek(endpointFields.address)) return undefined;
  const where = endpoint.enter();
  return where.seek(address.socketAddress) ? where.enter() : undefined;
}

/** Which `transport_socket_matches` an `LbEndpoint` wants. */
function socketMatchOf(lb: Cursor): Slice | undefined {
  if (!lb.seek(lbEndpoint.metadata)) return undefined;
  const metadata = lb.enter();
  return seekValue(metadata, metadataFields.filterMetadata, socketMatchKey) ? metadata.slice() : undefined;
}
