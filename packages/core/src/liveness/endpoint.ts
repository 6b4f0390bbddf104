/** The `endpoint` of an HTTPProxy's connector backend: `scheme://host[:port]`, what the agent dials behind the tunnel. */

/** An endpoint, read. */
export interface Endpoint {
  /** Lower case; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** The scheme is https. */
  readonly tls: boolean;
  /** `host:port`, IPv6 in brackets. */
  readonly target: string;
}

const grammar = /^([A-Za-z][-A-Za-z0-9+.]*):\/\/(?:\[([0-9A-Fa-f:.]+)\]|([-A-Za-z0-9.]+))(?::([1-9]\d{0,4}))?$/;

/**
 * The parts of an endpoint; undefined for anything else, which is programmed offline as `InvalidEndpoint`. The host must be an IP
 * literal or an RFC 1123 name (`localhost` is one): it ends up in the authority of a CONNECT request, so nothing odd may pass.
 */
export function parseEndpoint(text: unknown): Endpoint | undefined {
  const match = typeof text === 'string' ? grammar.exec(text) : null;
  if (!match) return undefined;
  const [, scheme = '', v6, name = '', digits] = match;
  const host = (v6 ?? name).toLowerCase();
  if (v6 === undefined ? !isHostName(host) && !isIPv4(host) : !isIPv6(host)) return undefined;
  const tls = scheme.toLowerCase() === 'https';
  const port = digits === undefined ? (tls ? 443 : 80) : Number(digits);
  if (port > 65_535) return undefined;
  return { host, port, tls, target: `${v6 === undefined ? host : `[${host}]`}:${port}` };
}

/**
 * RFC 1123 section 2.1, lower case: labels of at most 63 characters, 253 in all, and a last label that is not a number, so that no name
 * is taken for an address.
 */
function isHostName(host: string): boolean {
  const parts = host.split('.');
  return (
    host.length <= 253 &&
    parts.every((part) => part.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part)) &&
    !/^\d+$/.test(parts.at(-1) ?? '')
  );
}

/** Four decimal numbers without leading zeros: some resolvers read those as octal. */
function isIPv4(host: string): boolean {
  const parts = host.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** RFC 4291 section 2.2, without a zone. */
function isIPv6(host: string): boolean {
  const halves = host.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const tail = groups.at(-1) ?? '';
  // An address may end in IPv4 form, which stands for two groups. It cannot stand before a closing `::`.
  const embedded = tail.includes('.') && host.endsWith(tail);
  if (embedded && !isIPv4(tail)) return false;
  const count = groups.length + (embedded ? 1 : 0);
  const rest = embedded ? groups.slice(0, -1) : groups;
  return rest.every((group) => /^[0-9a-f]{1,4}$/.test(group)) && (halves.length === 2 ? count <= 7 : count === 8);
}
