/**
 * Which TLS an https backend gets. Envoy Gateway keeps it in `transport_socket_matches`, where an endpoint's metadata picks one; the
 * cluster's own `transport_socket` is a dummy then, which asks for no name and verifies nothing.
 */
import type { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, equalSlices, type Slice } from '../wire/text.ts';
import {
  any,
  combinedValidationContext,
  commonTlsContext,
  mapEntry,
  struct,
  transportSocket,
  transportSocketMatch,
  trustChainVerification,
  upstreamTlsContext,
  validationContext,
} from './envoy-fields.ts';
import { cursorOver, seekStructValue } from './struct.ts';

const tlsName = encodeText('envoy.transport_sockets.tls');
const tlsType = encodeText('type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext');

/**
 * The `TransportSocket` that an endpoint's `envoy.transport_socket_match` metadata picks: of the first match whose criteria it all
 * fulfils, as in Envoy. Undefined when there is none, when it is no TLS, or when it takes certificates that nobody vouches for.
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
  return verifiesChain(context.enter());
}

/** Of a `CommonTlsContext`. Of the ways to say what a certificate is held against the last one counts. */
function verifiesChain(common: Cursor): boolean {
  let verified = false;
  while (common.next()) {
    if (common.isBytes(commonTlsContext.validationContext)) verified = holdsTrust(common.enter(), false);
    else if (common.isBytes(commonTlsContext.validationContextSdsSecretConfig)) verified = true;
    else if (common.isBytes(commonTlsContext.combinedValidationContext)) verified = combinesTrust(common.enter());
  }
  return verified;
}

function combinesTrust(combined: Cursor): boolean {
  const bySds = combined.seek(combinedValidationContext.validationContextSdsSecretConfig);
  combined.rewind();
  return combined.seek(combinedValidationContext.defaultValidationContext)
    ? holdsTrust(combined.enter(), bySds)
    : bySds;
}

/** Of a `CertificateValidationContext`. @param already what it is held against comes from elsewhere */
function holdsTrust(context: Cursor, already: boolean): boolean {
  let trusts = already;
  while (context.next()) {
    if (trustFields.some((field) => context.isBytes(field))) trusts = true;
    if (!context.isVarint(validationContext.trustChainVerification)) continue;
    if (context.uint32() !== trustChainVerification.verifyTrustChain) return false;
  }
  return trusts;
}

const trustFields = [
  validationContext.trustedCa,
  validationContext.verifyCertificateHash,
  validationContext.verifyCertificateSpki,
  validationContext.caCertificateProviderInstance,
  validationContext.systemRootCerts,
];
