import { isIP } from 'node:net';

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
