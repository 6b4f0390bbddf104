/** A server's certificate and key, and whom it believes: read, and held against each other. */
import { createHash, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type EpochMs, epochMs, PlatformError } from '@lifeline/core';
import type { Files } from '@lifeline/k8s';

export interface CertificateFiles {
  /** PEM bundle of the authorities that callers' certificates come from. */
  readonly ca: string;
  /** PEM chain, leaf first. */
  readonly certificate: string;
  readonly key: string;
}

/** PEM texts that belong together. */
export interface Material {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  /** Equal texts, equal digest. */
  readonly digest: string;
  readonly caDigest: string;
  /** When the leaf, and the first of the authorities, expire. */
  readonly expiresAt: { readonly server: EpochMs; readonly clientCa: EpochMs };
}

export class CertificateError extends PlatformError<'certificate'> {
  constructor(message: string, options?: ErrorOptions) {
    super('certificate', message, options);
  }
}

export interface ReadOptions {
  readonly files: Files;
  readonly now: EpochMs;
  readonly signal: AbortSignal;
}

/** @throws FileError; CertificateError when a file is none, key and certificate do not belong together, or the certificate is out of date */
export async function readMaterial(paths: CertificateFiles, { files, now, signal }: ReadOptions): Promise<Material> {
  const read = async (path: string): Promise<string> => new TextDecoder().decode(await files.read(path, signal));
  const [ca, certificate, key] = await Promise.all([read(paths.ca), read(paths.certificate), read(paths.key)]);
  const authorities = parsed(ca, paths.ca);
  const [leaf] = parsed(certificate, paths.certificate) as [X509Certificate];
  try {
    createSecureContext({ ca, cert: certificate, key });
  } catch (cause) {
    throw new CertificateError(`${paths.key} is not the key of ${paths.certificate}, or cannot be read`, { cause });
  }
  if (now < leaf.validFromDate.getTime()) throw new CertificateError(`${paths.certificate} is not valid yet`);
  if (now >= leaf.validToDate.getTime()) throw new CertificateError(`${paths.certificate} has expired`);
  return {
    ca,
    certificate,
    key,
    digest: digest(ca, certificate, key),
    caDigest: digest(ca),
    expiresAt: {
      server: epochMs(leaf.validToDate.getTime()),
      clientCa: epochMs(Math.min(...authorities.map(({ validToDate }) => validToDate.getTime()))),
    },
  };
}

const digest = (...texts: string[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** One at least. */
function parsed(text: string, path: string): X509Certificate[] {
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0) throw new CertificateError(`${path} holds no certificate`);
  try {
    return blocks.map((pem) => new X509Certificate(pem));
  } catch (cause) {
    throw new CertificateError(`${path} holds a certificate that cannot be read`, { cause });
  }
}
