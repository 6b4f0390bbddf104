import type { Random } from '@lifeline/core';

/** UUIDs that share all but their end, which counts: one draw of chance serves a server's whole life. */
export function auditIds(random: Random): () => string {
  const prefix = random.uuid().slice(0, 24);
  let count = 0;
  return () => `${prefix}${(count++).toString(16).padStart(12, '0')}`;
}
