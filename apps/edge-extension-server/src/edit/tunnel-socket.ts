/** The socket that hands address and node id of an endpoint to Envoy's internal listener. */
import { metadataNamespaces, transportSockets } from '@lifeline/core';
import { encodeText, type Slice } from '../wire/text.ts';
import { message, type Writer } from '../wire/writer.ts';
import {
  any,
  cluster,
  internalUpstreamTransport,
  metadataKind,
  metadataValueSource,
  transportSocket,
} from './envoy-fields.ts';

const typeUrl = (name: string): string => `type.googleapis.com/envoy.extensions.transport_sockets.${name}`;

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
