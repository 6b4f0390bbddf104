/**
 * Which TLS an https backend gets. Envoy Gateway keeps it in `transport_socket_matches`, where an endpoint's metadata picks one; the
 * cluster's own `transport_socket` is a dummy then, which asks for no name and verifies nothing.
 */
import type { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, equalSlices, type Slice } from '../wire/text.ts';
import {
  any,
  commonTlsContext,
  mapEntry,
  struct,
  transportSocket,
  transportSocketMatch,
  upstreamTlsContext,
} from './envoy-fields.ts';
import { cursorOver, seekStructValue } from './struct.ts';

const tlsName = encodeText('envoy.transport_sockets.tls');
const tlsType = encodeText('type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext');

/**
 * The `TransportSocket` that an endpoint's `envoy.transport_socket_match` metadata picks: of the first match whose criteria it all
 * fulfils, as in Envoy. Undefined when there is none, when it is no TLS, or when it verifies no certificate.
 */
export function verifyingTlsSocket(matches: readonly Slice[], wanted: Slice | undefined): Slice | undefined {
  const picked = wanted && matches.find((match) => fulfils(wanted, cursorOver(match)));
  const match = picked && cursorOver(picked);
  if (!match?.seek(transportSocketMatch.transportSocket)) return undefined;
  return verifies(match) ? match.slice() : undefined;
}

/** Values are compared as bytes: those that Envoy Gateway writes here are texts. */
function fulfils(wanted: Slice, match: Cursor): boolean {
  if (!match.seek(transportSocketMatch.match)) return true;
  const criteria = match.enter();
  while (criteria.next()) {
    if (!criteria.isBytes(struct.fields)) continue;
    const entry = criteria.enter();
    if (!entry.seek(mapEntry.key)) return false;
    const held = cursorOver(wanted);
    if (!seekStructValue(held, held.bytes.subarray(entry.from, entry.to))) return false;
    const value = criteria.enter();
    if (!value.seek(mapEntry.value) || !equalSlices(held, value)) return false;
  }
  return true;
}

/** Of a cursor at a `TransportSocket`. */
function verifies(at: Slice): boolean {
  const name = cursorOver(at);
  const config = cursorOver(at);
  if (!name.seek(transportSocket.name) || !equalBytes(name, tlsName)) return false;
  if (!config.seek(transportSocket.typedConfig)) return false;
  const type = cursorOver(config);
  const content = config.enter();
  if (!type.seek(any.typeUrl) || !equalBytes(type, tlsType) || !content.seek(any.value)) return false;
  const context = content.enter();
  if (!context.seek(upstreamTlsContext.commonTlsContext)) return false;
  const common = context.enter();
  while (common.next()) if (verifyingFields.some((field) => common.isBytes(field))) return true;
  return false;
}

const verifyingFields = Object.values(commonTlsContext);
