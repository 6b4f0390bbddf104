/** What service accounts did, as the audit logs of the planes have it. */
import { readFileSync } from 'node:fs';
import { fullName, namespace, type Release } from './harness/deploy.ts';
import type { PlaneName } from './harness/names.ts';
import { auditLog } from './harness/planes.ts';

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

export const userOf = (release: Release): string => `system:serviceaccount:${namespace}:${fullName(release)}`;

/** What a release's service account asked planes for, about resources, and whether that was ever granted: by `group/resource verb`, as in rules. */
export function askedOf(planes: readonly PlaneName[], release: Release): ReadonlyMap<string, boolean> {
  const asked = new Map<string, boolean>();
  for (const line of planes.flatMap((plane) => readFileSync(auditLog(plane), 'utf8').split('\n'))) {
    if (!line.includes(userOf(release))) continue;
    const { user, verb, objectRef, responseStatus: { code } = {} } = JSON.parse(line) as AuditEvent;
    if (user.username !== userOf(release) || objectRef?.resource === undefined) continue;
    const { apiGroup = '', resource, subresource } = objectRef;
    const target = `${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    // Server-side apply of what is absent takes the right to create it.
    const verbs = verb === 'patch' && code === 201 ? ['patch', 'create'] : [verb];
    for (const each of verbs) {
      const pair = `${target} ${each}`;
      // An API server that has just started knows no roles yet, and refuses everybody for a moment.
      asked.set(pair, code !== 403 || asked.get(pair) === true);
    }
  }
  return asked;
}
