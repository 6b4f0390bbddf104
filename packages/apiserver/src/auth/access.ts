/** Whether a user may do something: what authorization and the access reviews ask. */
import type { JsonObject } from '@lifeline/core';
import { goQuote } from '../go-text.ts';
import type { Server } from '../server-parts.ts';
import type { AccessAttributes } from './access-attributes.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import { roleIndexOf } from './role-index.ts';
import type { User } from './user.ts';

export type { AccessAttributes } from './access-attributes.ts';

export interface AccessDecision {
  readonly allowed: boolean;
  /** Which binding allows it; what is wrong with bindings that might have. Often nothing. */
  readonly reason: string;
}

/** `status` of a SelfSubjectRulesReview. */
export interface AccessRules {
  readonly resourceRules: readonly JsonObject[];
  readonly nonResourceRules: readonly JsonObject[];
  readonly incomplete: boolean;
}

const allowed: AccessDecision = { allowed: true, reason: '' };

export const isAdministrator = ({ groups }: User): boolean => groups.includes('system:masters');

/** Without RBAC everybody may do everything; so may, with it, the members of `system:masters`. */
export function decideAccess(
  { rbac, store }: Pick<Server, 'rbac' | 'store'>,
  user: User,
  asked: AccessAttributes,
): AccessDecision {
  if (!rbac || isAdministrator(user)) return allowed;
  const rights = roleIndexOf(store).rightsOf(user, 'path' in asked ? '' : asked.namespace);
  for (const { grants } of rights) {
    for (const { rule, source } of grants) {
      if (ruleAllows(rule, asked)) return { allowed: true, reason: `RBAC: allowed by ${source}` };
    }
  }
  const problems = rights.flatMap(({ missing }) =>
    missing.map(({ kind, name }) => `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`),
  );
  return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${joined(problems)}` };
}

/** Several errors as one, each of them once. */
export function joined(problems: readonly string[]): string {
  const all = [...new Set(problems)];
  return all.length === 1 ? all.join('') : `[${all.join(', ')}]`;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** The rules that give a user its rights in a namespace, and everywhere. */
export const rulesFor = (
  { rbac, store }: Pick<Server, 'rbac' | 'store'>,
  user: User,
  namespace: string,
): readonly PolicyRule[] =>
  rbac
    ? roleIndexOf(store)
        .rightsOf(user, namespace)
        .flatMap(({ grants }) => grants.map(({ rule }) => rule))
    : everything;

/** What a user may do in a namespace. */
export function accessRules(server: Server, user: User, namespace: string): AccessRules {
  const rules = rulesFor(server, user, namespace);
  const withField = (field: 'resources' | 'nonResourceURLs'): readonly PolicyRule[] =>
    rules.filter((rule) => (rule[field] ?? []).length > 0);
  return {
    resourceRules: withField('resources').map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      ...(apiGroups ? { apiGroups } : {}),
      ...(resources ? { resources } : {}),
      ...(resourceNames ? { resourceNames } : {}),
    })),
    nonResourceRules: withField('nonResourceURLs').map(({ verbs, nonResourceURLs }) => ({
      verbs,
      ...(nonResourceURLs ? { nonResourceURLs } : {}),
    })),
    incomplete: false,
  };
}
