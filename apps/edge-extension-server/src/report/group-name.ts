import { createHash } from 'node:crypto';

/** Equal sets of Gateways, whatever their order, have equal names. No Gateway has to be in it. */
export function groupName(keys: Iterable<string>): string {
  const hash = createHash('sha256');
  // No key holds a line feed.
  for (const key of [...keys].sort()) hash.update(`${key}\n`);
  return hash.digest('hex').slice(0, 16);
}
