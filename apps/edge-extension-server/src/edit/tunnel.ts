/** What leads into the tunnel: an endpoint that is Envoy's internal listener, and the socket that hands it address and node id. */
import { metadataNamespaces, transportSockets, tunnelKeys } from '@lifeline/core';
import { encodeText, equalBytes, type Slice } from '../wire/text.ts';
import { message, type Writer } from '../wire/writer.ts';
import type { OnlineBackend } from './cluster-decision.ts';
import {
  address,
  any,
  cluster,
  endpoint as endpointFields,
  internalAddress,
  internalUpstreamTransport,
  lbEndpoint,
  mapEntry,
  localityEndpoints,
  metadata as metadataFields,
  metadataKind,
  metadataValueSource,
  struct,
  transportSocket,
  value,
} from './envoy-fields.ts';
import { rewrite } from './rewrite.ts';
import { cursorOver, lastField } from './struct.ts';

const typeUrl = (name: string): string => `type.googleapis.com/envoy.extensions.transport_sockets.${name}`;

const tunnelKey = encodeText(metadataNamespaces.tunnel);
const socketMatchKey = encodeText(metadataNamespaces.transportSocketMatch);

/** Hands the metadata of the endpoint to the internal listener. */
const passthroughMetadata = message((out) => {
  out.begin(internalUpstreamTransport.passthroughMetadata);
  out.begin(metadataValueSource.kind);
  out.begin(metadataKind.host);
  out.end();
  out.end();
  out.text(metadataValueSource.name, metadataNamespaces.tunnel);
  out.end();
});

const plaintext = message((out) => {
  out.text(transportSocket.name, transportSockets.rawBuffer);
  out.begin(transportSocket.typedConfig);
  out.text(any.typeUrl, typeUrl('raw_buffer.v3.RawBuffer'));
  out.end();
});

const internalUpstreamName = encodeText(transportSockets.internalUpstream);
const internalUpstreamType = encodeText(typeUrl('internal_upstream.v3.InternalUpstreamTransport'));

/** Writes a cluster's `transport_socket`. @param inner the `TransportSocket` spoken inside the tunnel; undefined for plaintext */
export function writeTunnelSocket(out: Writer, inner: Slice | undefined): void {
  if (inner) writeSocket(out, (inside) => inside.copy(inner.from, inner.to));
  else out.raw(plaintextSocket);
}

function writeSocket(out: Writer, writeInner: (out: Writer) => void): void {
  out.begin(cluster.transportSocket, likelySocketLength);
  out.bytes(transportSocket.name, internalUpstreamName);
  out.begin(transportSocket.typedConfig, likelySocketLength);
  out.bytes(any.typeUrl, internalUpstreamType);
  out.begin(any.value, likelySocketLength);
  out.raw(passthroughMetadata);
  out.begin(internalUpstreamTransport.transportSocket, likelySocketLength);
  writeInner(out);
  for (let open = 0; open < 4; open++) out.end();
}
const likelySocketLength = 500;
const plaintextSocket = message((out) => writeSocket(out, (inside) => inside.raw(plaintext)));

/**
 * Writes the one `LbEndpoint` of a locality: the internal listener, with the tunnel's metadata. Weight, health and whatever else the
 * placeholder had it keeps.
 */
export function writeTunnelEndpoint(out: Writer, backend: OnlineBackend, internalListener: string): void {
  out.begin(localityEndpoints.lbEndpoints, likelyEndpointLength);
  rewrite(
    out,
    cursorOver(backend.endpoint),
    ({ field }) => field === lbEndpoint.endpoint || field === lbEndpoint.metadata,
  );
  const at = lastField(backend.endpoint, lbEndpoint.endpoint);
  const metadata = lastField(backend.endpoint, lbEndpoint.metadata);
  writeInternalAddress(out, { at, internalListener, nodeId: backend.nodeId });
  writeTunnelMetadata(out, metadata, backend);
  out.end();
}
const likelyEndpointLength = 300;

function writeInternalAddress(
  out: Writer,
  { at, internalListener, nodeId }: { at: Slice | undefined; internalListener: string; nodeId: string },
): void {
  out.begin(lbEndpoint.endpoint);
  if (at) rewrite(out, cursorOver(at), ({ field }) => addressFields.has(field));
  out.begin(endpointFields.address);
  out.begin(address.internalAddress);
  out.text(internalAddress.serverListenerName, internalListener);
  out.ascii(internalAddress.endpointId, nodeId);
  for (let open = 0; open < 3; open++) out.end();
}
const addressFields: ReadonlySet<number> = new Set(Object.values(endpointFields));

/** Of what was there, the choice of a socket goes: there is nothing to choose from any more. */
function writeTunnelMetadata(out: Writer, held: Slice | undefined, { target, nodeId }: OnlineBackend): void {
  out.begin(lbEndpoint.metadata, likelyEndpointLength);
  if (held)
    rewrite(out, cursorOver(held), (entry) => entry.isBytes(metadataFields.filterMetadata) && isReplaced(entry));
  out.begin(metadataFields.filterMetadata, likelyEndpointLength);
  out.bytes(mapEntry.key, tunnelKey);
  out.begin(mapEntry.value, likelyEndpointLength);
  writeText(out, tunnelKeys.address, target);
  writeText(out, tunnelKeys.endpointId, nodeId);
  for (let open = 0; open < 3; open++) out.end();
}

function isReplaced(entry: Slice): boolean {
  const key = lastField(entry, mapEntry.key);
  return key !== undefined && (equalBytes(key, tunnelKey) || equalBytes(key, socketMatchKey));
}

/** An entry of a Struct. */
function writeText(out: Writer, key: string, text: string): void {
  out.begin(struct.fields);
  out.ascii(mapEntry.key, key);
  out.begin(mapEntry.value);
  out.ascii(value.string, text);
  out.end();
  out.end();
}
