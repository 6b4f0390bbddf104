/** What service accounts did, as the audit logs of the planes have it. */
import { readFileSync } from 'node:fs';
import type { PolicyRule } from '@lifeline/core';
import { fullName, namespace, type Release } from './harness/deploy.ts';
import type { PlaneName } from './harness/names.ts';
import { auditLog } from './harness/planes.ts';

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

export interface Done {
  /** `group/resource verb`, as in rules. */
  readonly pairs: ReadonlySet<string>;
  /** Those of them that were refused for want of a right. */
  readonly refused: ReadonlySet<string>;
}

export const userOf = (release: Release): string => `system:serviceaccount:${namespace}:${fullName(release)}`;

/** What a release's service account asked a plane for, about resources. */
export function doneIn(plane: PlaneName, release: Release): Done {
  const [pairs, refused] = [new Set<string>(), new Set<string>()];
  for (const line of readFileSync(auditLog(plane), 'utf8').split('\n')) {
    if (!line.includes(userOf(release))) continue;
    const { user, verb, objectRef, responseStatus } = JSON.parse(line) as AuditEvent;
    if (user.username !== userOf(release) || objectRef?.resource === undefined) continue;
    const { apiGroup = '', resource, subresource } = objectRef;
    const pair = `${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`} ${verb}`;
    pairs.add(pair);
    if (responseStatus?.code === 403) refused.add(pair);
  }
  return { pairs, refused };
}

/** Each right on its own. */
export const grants = (rules: readonly PolicyRule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      (apiGroups ?? []).flatMap((group) =>
        (resources ?? []).flatMap((resource) => (verbs ?? []).map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );
