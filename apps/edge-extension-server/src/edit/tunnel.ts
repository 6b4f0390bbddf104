/** What leads into the tunnel: an endpoint that is Envoy's internal listener, and the socket that hands it address and node id. */
import { metadataNamespaces, transportSockets, tunnelKeys } from '@lifeline/core';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText, type Slice } from '../wire/text.ts';
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
  metadata as metadataFields,
  metadataKind,
  metadataValueSource,
  struct,
  transportSocket,
  value,
} from './envoy-fields.ts';
import { rewrite } from './rewrite.ts';
import { hasKey } from './struct.ts';

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

/** Where an endpoint leads. */
export interface Tunnel {
  readonly backend: OnlineBackend;
  /** The name of Envoy's internal listener, in bytes. */
  readonly internalListener: Uint8Array;
}

/**
 * Writes an `LbEndpoint` in place of the placeholder that a cursor is at: the internal listener, with the tunnel's metadata. Weight,
 * health and whatever else the placeholder had it keeps.
 */
export function writeTunnelEndpoint(out: Writer, at: Cursor, tunnel: Tunnel): void {
  let hasMetadata = false;
  out.begin(at.field, likelyLength);
  rewrite(out, at.enter(), (each) => {
    if (each.isBytes(lbEndpoint.endpoint)) return writeInternalAddress(out, each, tunnel);
    if (!each.isBytes(lbEndpoint.metadata)) return false;
    hasMetadata = true;
    return writeTunnelMetadata(out, tunnel.backend, each.enter());
  });
  if (!hasMetadata) writeTunnelMetadata(out, tunnel.backend);
  out.end();
}
const likelyLength = 300;

function writeInternalAddress(out: Writer, at: Cursor, { backend, internalListener }: Tunnel): true {
  out.begin(at.field);
  rewrite(out, at.enter(), ({ field }) => addressFields.has(field));
  out.begin(endpointFields.address);
  out.begin(address.internalAddress);
  out.bytes(internalAddress.serverListenerName, internalListener);
  out.ascii(internalAddress.endpointId, backend.nodeId);
  for (let open = 0; open < 3; open++) out.end();
  return true;
}
const addressFields: ReadonlySet<number> = new Set(Object.values(endpointFields));

/** Of what was there, the choice of a socket goes: there is nothing to choose from any more. */
function writeTunnelMetadata(out: Writer, { target, nodeId }: OnlineBackend, held?: Cursor): true {
  out.begin(lbEndpoint.metadata, likelyLength);
  if (held) rewrite(out, held, (entry) => entry.isBytes(metadataFields.filterMetadata) && isReplaced(entry));
  out.begin(metadataFields.filterMetadata, likelyLength);
  out.bytes(mapEntry.key, tunnelKey);
  out.begin(mapEntry.value, likelyLength);
  writeText(out, tunnelKeys.address, target);
  writeText(out, tunnelKeys.endpointId, nodeId);
  for (let open = 0; open < 3; open++) out.end();
  return true;
}

const isReplaced = (entry: Cursor): boolean => hasKey(entry, tunnelKey) || hasKey(entry, socketMatchKey);

/** An entry of a Struct. */
function writeText(out: Writer, key: string, text: string): void {
  out.begin(struct.fields, text.length);
  out.ascii(mapEntry.key, key);
  out.begin(mapEntry.value, text.length);
  out.ascii(value.string, text);
  out.end();
  out.end();
}
