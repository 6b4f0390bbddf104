/** Order of resourceVersions, as far as there is one. */

const decimal = /^[1-9][0-9]*$/;

/**
 * `a` was certainly written before `b`: both are positive decimal integers (of any length, no leading zeros) and `a` is the smaller one.
 *
 * True of one kind in one history of one server. A restored or another server counts anew: use it between neighbours of one stream, and
 * let a list replace what is held whatever the order.
 * @see KEP-5504, Comparable Resource Version (stable in Kubernetes 1.35)
 */
export function isBefore(a: string, b: string): boolean {
  if (!decimal.test(a) || !decimal.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

/** `a` tells nothing that `b` did not. */
export const isRepeat = (a: string, b: string): boolean => a === b || isBefore(a, b);
