/** Roles and what binds them. Whether they are asked is for the authorizer to know. */
import { isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { refuseBinding, refuseEscalation } from '../../auth/escalation.ts';
import type { PolicyRule } from '../../auth/policy-rule.ts';
import { subdomainProblems } from '../../dns-syntax.ts';
import { choiceFlaws, invalidValue, notSupported, required, syntaxFlaws } from '../../field-error.ts';
import { type Resource, type StoredObject, type Strategy, withFields } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column, createdAtColumn } from './builtin-resource.ts';
import { pathSegmentProblems } from './path-segment.ts';
import { rbacTypes } from './types/rbac.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

interface Subject extends JsonObject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
}

export interface RoleRef extends JsonObject {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

const rulesOf = (role: StoredObject): readonly PolicyRule[] => (role['rules'] ?? []) as readonly PolicyRule[];
const subjectsOf = (binding: StoredObject): readonly Subject[] => (binding['subjects'] ?? []) as readonly Subject[];
const roleOf = (binding: StoredObject): RoleRef => binding['roleRef'] as RoleRef;

const common: Pick<Strategy, 'nameProblems' | 'createOnUpdate'> = {
  nameProblems: pathSegmentProblems,
  createOnUpdate: true,
};

const role = (kind: string, plural: string, namespaced: boolean): Resource =>
  builtinResource({
    group: rbacGroup,
    kind,
    plural,
    types: rbacTypes,
    namespaced,
    columns: [createdAtColumn],
    cells: ({ metadata }) => [metadata.creationTimestamp ?? null],
    strategy: {
      ...common,
      prepare: (next, old, context) => {
        refuseEscalation({ group: rbacGroup, plural, kind }, { next, old, context });
        return next;
      },
      validate: (next) => [
        ...rulesOf(next).flatMap((rule, index) => ruleFlaws(rule, `rules[${index}]`, namespaced)),
        ...aggregationFlaws(next['aggregationRule']),
      ],
    },
  });

const binding = (kind: string, plural: string, namespaced: boolean): Resource =>
  builtinResource({
    group: rbacGroup,
    kind,
    plural,
    types: rbacTypes,
    namespaced,
    columns: [
      column('Role', 'Whose rights are given.'),
      ageColumn,
      column('Users', 'Users that have them.', 1),
      column('Groups', 'Groups that have them.', 1),
      column('ServiceAccounts', 'Service accounts that have them.', 1),
    ],
    cells: (object, now) => {
      const named = (wanted: string, text: (subject: Subject) => string): string =>
        subjectsOf(object)
          .filter((subject) => subject.kind === wanted)
          .map(text)
          .join(', ');
      return [
        `${roleOf(object).kind}/${roleOf(object).name}`,
        ageCell(object, now),
        named('User', ({ name }) => name),
        named('Group', ({ name }) => name),
        named('ServiceAccount', (subject) => `${subject.namespace ?? ''}/${subject.name}`),
      ];
    },
    strategy: {
      ...common,
      applyDefaults: withGroups,
      prepare: (next, old, context) => {
        refuseBinding({ group: rbacGroup, plural, kind }, { next, old, context });
        return next;
      },
      validate: (next, old) => [
        ...roleRefFlaws(roleOf(next), namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
        ...subjectsOf(next).flatMap((subject, index) => subjectFlaws(subject, `subjects[${index}]`, namespaced)),
        ...(old ? changedRoleFlaws(roleOf(next), roleOf(old)) : []),
      ],
    },
  });

export const roles: Resource = role('Role', 'roles', true);
export const clusterRoles: Resource = role('ClusterRole', 'clusterroles', false);
export const roleBindings: Resource = binding('RoleBinding', 'rolebindings', true);
export const clusterRoleBindings: Resource = binding('ClusterRoleBinding', 'clusterrolebindings', false);

function ruleFlaws(rule: PolicyRule, path: string, namespaced: boolean): readonly Cause[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const flaws = verbs ? [] : [required(`${path}.verbs`, 'verbs must contain at least one value')];
  if (nonResourceURLs) {
    const urls = (detail: string): Cause => invalidValue(`${path}.nonResourceURLs`, nonResourceURLs, detail);
    if (namespaced) flaws.push(urls('namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups || resources || resourceNames) {
      flaws.push(urls('rules cannot apply to both regular resources and non-resource URLs'));
    }
    return flaws;
  }
  if (!apiGroups) flaws.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (!resources) flaws.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  return flaws;
}

function aggregationFlaws(rule: JsonValue | undefined): readonly Cause[] {
  if (!isJsonObject(rule) || rule['clusterRoleSelectors']) return [];
  const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [required('aggregationRule.clusterRoleSelectors', detail)];
}

/** Who names no group means this one; service accounts are in none. */
function withGroups(next: StoredObject): StoredObject {
  const roleRef = roleOf(next);
  const subjects = subjectsOf(next);
  return withFields(next, {
    roleRef: roleRef.apiGroup === '' ? { ...roleRef, apiGroup: rbacGroup } : roleRef,
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(withGroup) }),
  });
}

const withGroup = (subject: Subject): Subject =>
  subject.apiGroup === undefined && (subject.kind === 'User' || subject.kind === 'Group')
    ? { ...subject, apiGroup: rbacGroup }
    : subject;

function roleRefFlaws({ apiGroup, kind, name }: RoleRef, kinds: readonly string[]): readonly Cause[] {
  return [
    ...choiceFlaws('roleRef.apiGroup', apiGroup, [rbacGroup]),
    ...choiceFlaws('roleRef.kind', kind, kinds),
    ...(name === '' ? [required('roleRef.name')] : []),
    ...syntaxFlaws('roleRef.name', name, pathSegmentProblems),
  ];
}

function subjectFlaws(subject: Subject, path: string, namespaced: boolean): readonly Cause[] {
  const { kind, name, apiGroup = '', namespace = '' } = subject;
  const nameless = name === '' ? [required(`${path}.name`)] : [];
  const inGroup = (wanted: string): readonly Cause[] => choiceFlaws(`${path}.apiGroup`, apiGroup, [wanted]);
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...nameless,
        ...(name === '' ? [] : syntaxFlaws(`${path}.name`, name, subdomainProblems)),
        ...inGroup(''),
        ...(namespaced || namespace !== '' ? [] : [required(`${path}.namespace`)]),
      ];
    case 'User':
    case 'Group':
      return [...nameless, ...inGroup(rbacGroup)];
    default:
      return [...nameless, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

function changedRoleFlaws(next: RoleRef, old: RoleRef): readonly Cause[] {
  const { apiGroup, kind, name } = next;
  if (apiGroup === old.apiGroup && kind === old.kind && name === old.name) return [];
  // A real server shows the struct as Go has it.
  return [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')];
}
