/** Order of resourceVersions, as far as there is one. */

const decimal = /^[1-9][0-9]*$/;

/**
 * Negative when `a` was written before `b`, 0 when they are the same, positive when after; undefined when they cannot be ordered.
 *
 * Both must be decimal integers, of any length, from one server's one history: a restored or another server counts anew, so an order
 * is only ever used between neighbours of one stream, and a list replaces whatever its order.
 * @see KEP-5504 (stable since Kubernetes 1.35): positive decimal integers without leading zeros, of any length, comparable within one kind
 */
export function compareRevisions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** `a` is certainly not newer than `b`. */
export const isRepeat = (a: string, b: string): boolean => (compareRevisions(a, b) ?? 1) <= 0;
