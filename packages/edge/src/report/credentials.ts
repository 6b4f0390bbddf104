/** How a stream of reports proves who it is: read anew for every stream, so that certificates may be replaced under it. */
import { createSecureContext } from 'node:tls';
import { isIP } from 'node:net';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { PlatformError } from '@lifeline/core';
import type { Files } from '@lifeline/k8s';
import type { ReportSettings } from '../settings.ts';

/** A server that is not on this machine cannot be reached with these settings. */
export class ReportSettingsError extends PlatformError<'report-settings'> {
  constructor(message: string) {
    super('report-settings', message);
  }
}

/** Only this machine can be meant: a Unix socket, or a loopback address in digits. */
export function isLocalAddress(address: string): boolean {
  if (address.startsWith('unix:')) return true;
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * TLS 1.3 with our certificate; in the clear only on this machine, and only without any certificate in the settings.
 *
 * @throws ReportSettingsError, FileError
 */
export async function reportCredentials(
  address: string,
  { certificate, key, authority }: ReportSettings,
  { files, signal }: { readonly files: Files; readonly signal: AbortSignal },
): Promise<ChannelCredentials> {
  if (certificate === undefined && key === undefined && authority === undefined && isLocalAddress(address))
    return credentials.createInsecure();
  if (certificate === undefined || key === undefined || authority === undefined)
    throw new ReportSettingsError(
      `${address} is not on this machine: reports.certificate, reports.key and reports.authority are needed`,
    );
  const read = async (path: string): Promise<Buffer> => Buffer.from(await files.read(path, signal));
  const [cert, privateKey, ca] = [await read(certificate), await read(key), await read(authority)];
  return credentials.createFromSecureContext(createSecureContext({ cert, key: privateKey, ca, minVersion: 'TLSv1.3' }));
}
