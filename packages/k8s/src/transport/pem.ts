/** PEM text, checked. */
import { X509Certificate } from 'node:crypto';
import { PlatformError } from '@lifeline/core';
import type { Files } from '../app/env.ts';
import type { PemSource } from './endpoint.ts';

export class PemError extends PlatformError<'bad-pem'> {
  constructor(message: string, options?: ErrorOptions) {
    super('bad-pem', message, options);
  }
}

export async function readPem(source: PemSource, files: Files, signal: AbortSignal): Promise<string> {
  if ('inline' in source) return source.inline;
  return new TextDecoder().decode(await files.read(source.file, signal));
}

/**
 * Refuses what a TLS library may take in part: no certificate at all, one cut short behind whole ones.
 *
 * @param what names the text in the error; the text itself never appears
 */
export function checkCertificates(pem: string, what: string): void {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new PemError(`${what} holds no whole certificate`);
  if (blocks.length !== pem.split('-----BEGIN').length - 1) throw new PemError(`${what} ends inside a certificate`);
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (cause) {
      throw new PemError(`${what} holds something that is no certificate`, { cause });
    }
  }
}
