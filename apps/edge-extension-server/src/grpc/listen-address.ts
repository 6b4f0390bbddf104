import { isIP } from 'node:net';
import { PlatformError } from '@lifeline/core';

/** Where a port is: an interface (all of them when left out) and a TCP port, or the path of a Unix socket. */
export type ListenAddress = { readonly host: string | undefined; readonly port: number } | { readonly path: string };

/** Whether only this machine can reach it: a Unix socket, or a loopback address in so many digits (a name may mean anything). */
export function isLocal(address: ListenAddress): boolean {
  if ('path' in address) return true;
  const { host = '' } = address;
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** For logs. */
export function formatAddress(address: ListenAddress): string {
  if ('path' in address) return `unix:${address.path}`;
  const { host = '*', port } = address;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export class AddressError extends PlatformError<'listen-address'> {
  constructor(text: string) {
    super('listen-address', `"${text}" is none of host:port, :port, [::1]:port and unix:/path`);
  }
}

/** Reads `host:port`, `:port` (every interface), `[IPv6]:port` and `unix:/path`; port 0 is any that is free. @throws AddressError */
export function parseListenAddress(text: string): ListenAddress {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/]*)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new AddressError(text);
  return { host: match[1] ?? (match[2] === '' ? undefined : match[2]), port };
}
