/** The name of a caller on a Unix socket, where there is no address. */
export const unixCaller = 'unix';

/** A caller is one process: its peer address, an IPv4 one never in its IPv6 form. */
export function callerName(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return unixCaller;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress);
  return mapped?.[1] ?? remoteAddress;
}
