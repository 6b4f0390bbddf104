/** Certificates for tests, with nothing but Node: EC P-256 keys, real signatures, the extensions that TLS stacks check. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { bits, boolean, explicit, implicit, integer, octets, oid, sequence, set, time, utf8 } from './der.ts';

/** PEM text. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateOptions {
  readonly commonName: string;
  /** Kubernetes reads them as groups. */
  readonly organizations?: readonly string[] | undefined;
  readonly dnsNames?: readonly string[] | undefined;
  /** IPv4 or IPv6 addresses. */
  readonly addresses?: readonly string[] | undefined;
  /** Such as `spiffe://…`. */
  readonly uris?: readonly string[] | undefined;
  /** Default both. */
  readonly usages?: readonly ('server' | 'client')[] | undefined;
  /** Milliseconds since the epoch. Default 2020. */
  readonly notBefore?: number | undefined;
  /** Milliseconds since the epoch. Default 2100. */
  readonly notAfter?: number | undefined;
}

export interface Authority {
  /** PEM of the authority's own certificate. */
  readonly certificate: string;
  issue(options: CertificateOptions): KeyPair;
}

interface Issuer {
  readonly name: Uint8Array;
  readonly key: KeyObject;
  readonly keyId: Uint8Array;
}

const validFrom = Date.UTC(2020);
const validUntil = Date.UTC(2100);

/** A certificate authority of its own. Two of the same name do not trust each other's certificates. */
export function createAuthority(commonName = 'test authority'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const self: Issuer = { name: distinguishedName({ commonName }), key: privateKey, keyId: keyId(publicKey) };
  let serial = 1;
  const certificate = signed(self, {
    serial,
    subject: self.name,
    publicKey,
    validity: [validFrom, validUntil],
    extensions: [
      extension('2.5.29.19', sequence(boolean(true)), true), // basic constraints: an authority
      extension('2.5.29.15', bits(Uint8Array.of(0x06), 1), true), // key usage: signs certificates and lists
    ],
  });
  return {
    certificate,
    issue(options) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      serial++;
      return {
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
        certificate: signed(self, {
          serial,
          subject: distinguishedName(options),
          publicKey: pair.publicKey,
          validity: [options.notBefore ?? validFrom, options.notAfter ?? validUntil],
          extensions: leafExtensions(options),
        }),
      };
    },
  };
}

interface ToSign {
  readonly serial: number;
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly validity: readonly [number, number];
  readonly extensions: readonly Uint8Array[];
}

/** @see RFC 5280 section 4.1 */
function signed(issuer: Issuer, { serial, subject, publicKey, validity, extensions }: ToSign): string {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256
  const identifiers = [
    extension('2.5.29.14', octets(keyId(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, issuer.keyId))),
  ];
  const body = sequence(
    explicit(0, integer(2)), // version 3
    integer(serial),
    algorithm,
    issuer.name,
    sequence(...validity.map((at) => time(new Date(at)))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...identifiers, ...extensions)),
  );
  return pem('CERTIFICATE', sequence(body, algorithm, bits(sign('sha256', body, issuer.key))));
}

function leafExtensions({ dnsNames = [], addresses = [], uris = [], usages }: CertificateOptions): Uint8Array[] {
  const names = [
    ...dnsNames.map((name) => implicit(2, name)),
    ...uris.map((uri) => implicit(6, uri)),
    ...addresses.map((address) => implicit(7, addressBytes(address))),
  ];
  const purposes = (usages ?? ['server', 'client']).map((usage) =>
    oid(usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2'),
  );
  return [
    extension('2.5.29.15', bits(Uint8Array.of(0x80), 7), true), // key usage: digital signature
    extension('2.5.29.37', sequence(...purposes)),
    ...(names.length > 0 ? [extension('2.5.29.17', sequence(...names))] : []),
  ];
}

const extension = (id: string, value: Uint8Array, critical = false): Uint8Array =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));

const distinguishedName = ({ commonName, organizations = [] }: CertificateOptions): Uint8Array =>
  sequence(
    ...organizations.map((name) => set(sequence(oid('2.5.4.10'), utf8(name)))),
    set(sequence(oid('2.5.4.3'), utf8(commonName))),
  );

const keyId = (key: KeyObject): Uint8Array =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

function addressBytes(address: string): Uint8Array {
  if (!isIPv6(address)) return Uint8Array.from(address.split('.').map(Number));
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return Uint8Array.from(all.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]));
}

const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;
