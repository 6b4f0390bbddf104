/**
 * Which TLS an https backend gets. Envoy Gateway keeps it in `transport_socket_matches`, where an endpoint's metadata picks one; the
 * cluster's own `transport_socket` is a dummy then, which asks for no name and verifies nothing.
 */
import { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, equalSlices, type Slice } from '../wire/text.ts';
import {
  any,
  commonTlsContext,
  struct,
  transportSocket,
  transportSocketMatch,
  upstreamTlsContext,
} from './envoy-fields.ts';
import { Entries, lastField, structValue } from './struct.ts';

const tlsName = encodeText('envoy.transport_sockets.tls');
const tlsType = encodeText('type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext');

/**
 * The `TransportSocket` that an endpoint's `envoy.transport_socket_match` metadata picks: of the first match whose criteria it all
 * fulfils, as in Envoy. Undefined when there is none, when it is no TLS, or when it verifies no certificate.
 */
export function verifyingTlsSocket(matches: readonly Slice[], wanted: Slice | undefined): Slice | undefined {
  if (!wanted) return undefined;
  const match = matches.find((each) => fulfils(wanted, lastField(each, transportSocketMatch.match)));
  const socket = match && lastField(match, transportSocketMatch.transportSocket);
  return socket && verifies(socket) ? socket : undefined;
}

/** Values are compared as bytes: those that Envoy Gateway writes here are texts. */
function fulfils(wanted: Slice, criteria: Slice | undefined): boolean {
  if (!criteria) return true;
  const entries = new Entries(criteria, struct.fields);
  while (entries.next()) {
    const held = structValue(wanted, entries.key.bytes.subarray(entries.key.from, entries.key.to));
    if (!held || !equalSlices(held, entries.value)) return false;
  }
  return true;
}

function verifies(socket: Slice): boolean {
  const name = lastField(socket, transportSocket.name);
  const config = lastField(socket, transportSocket.typedConfig);
  const type = config && lastField(config, any.typeUrl);
  const context = config && lastField(config, any.value);
  const common = context && lastField(context, upstreamTlsContext.commonTlsContext);
  if (!name || !equalBytes(name, tlsName) || !type || !equalBytes(type, tlsType) || !common) return false;
  const cursor = new Cursor(common.bytes, common.from, common.to);
  while (cursor.next()) if (verifyingFields.some((field) => cursor.isBytes(field))) return true;
  return false;
}

const verifyingFields = Object.values(commonTlsContext);
