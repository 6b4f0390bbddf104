/**
 * Nobody gives rights that they do not have.
 * @see kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/validation/rule.go ConfirmNoEscalation
 */
import { deepEqual } from '@lifeline/core';
import { type ApiError, forbidden, notFound } from '../api-error.ts';
import { goQuote } from '../go-text.ts';
import type { Resource, StoredObject, StrategyContext } from '../resources/resource.ts';
import { decideAccess, isAdministrator, joined, rulesFor } from './access.ts';
import { coversUrl, type PolicyRule } from './policy-rule.ts';
import { type RoleRef, roleIndexOf } from './role-index.ts';

type Subject = Pick<Resource, 'group' | 'plural' | 'kind'>;

interface Writing {
  readonly next: StoredObject;
  readonly old: StoredObject | undefined;
  readonly context: StrategyContext;
}

/** A role may be written by who has its rights, or may `escalate` it. @throws ApiError 403 */
export function refuseEscalation(resource: Subject, { next, old, context }: Writing): void {
  const { server, user } = context;
  if (!server.rbac || isAdministrator(user) || (old && deepEqual(next['rules'], old['rules']))) return;
  const { name, namespace = '' } = next.metadata;
  const asked = { verb: 'escalate', group: resource.group, version: '*', resource: resource.plural, subresource: '' };
  if (decideAccess(server, user, { ...asked, namespace, name: old ? name : '' }).allowed) return;
  refuseRules(resource, next, { rules: (next['rules'] ?? []) as readonly PolicyRule[], context });
}

/** A role may be bound by who has its rights, or may `bind` it. @throws ApiError 403; 404 where there is no such role */
export function refuseBinding(resource: Subject, { next, old, context }: Writing): void {
  const { server, user } = context;
  if (!server.rbac || isAdministrator(user) || (old && onlyOwnersDiffer(next, old))) return;
  const { namespace = '' } = next.metadata;
  const role = next['roleRef'] as unknown as RoleRef;
  const plural = `${role.kind.toLowerCase()}s`;
  const asked = { verb: 'bind', group: resource.group, version: '*', resource: plural, subresource: '' };
  if (decideAccess(server, user, { ...asked, namespace, name: role.name }).allowed) return;
  const rules = roleIndexOf(server.store).rulesOf(role, namespace);
  // A real server names the binding's resource where it means the role's.
  if (!rules) throw notFound({ resource, name: role.name });
  refuseRules(resource, next, { rules, context });
}

/** The garbage collector takes finalizers and owners away, and gives nobody anything. */
const onlyOwnersDiffer = (next: StoredObject, old: StoredObject): boolean =>
  deepEqual(withoutOwners(next), withoutOwners(old));

function withoutOwners({ metadata, ...object }: StoredObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata;
  return { ...object, metadata: kept };
}

function refuseRules(
  resource: Subject,
  { metadata: { name, namespace = '' } }: StoredObject,
  { rules, context: { server, user } }: { readonly rules: readonly PolicyRule[]; readonly context: StrategyContext },
): void {
  const own = rulesFor(server, user, namespace);
  const missing = rules.flatMap(singleRules).filter((rule) => !own.some((mine) => covers(mine, rule)));
  if (missing.length === 0) return;
  const problems = roleIndexOf(server.store)
    .rightsOf(user, namespace)
    .flatMap((rights) =>
      rights.missing.map((role) => `${resource.plural}.${resource.group} ${goQuote(role.name)} not found`),
    );
  throw escalation({ resource, name }, { user, missing, problems });
}

interface Missing {
  readonly user: StrategyContext['user'];
  readonly missing: readonly PolicyRule[];
  readonly problems: readonly string[];
}

function escalation(
  subject: { readonly resource: Subject; readonly name: string },
  { user, missing, problems }: Missing,
): ApiError {
  const groups = `[${user.groups.map(goQuote).join(' ')}]`;
  const lines = [...new Set(together(missing).map(describe))].sort();
  const after = problems.length === 0 ? '' : `; resolution errors: [${joined(problems)}]`;
  return forbidden(
    subject,
    `user ${goQuote(user.name)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${after}`,
  );
}

/** Rules about one thing each. */
function singleRules({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): readonly PolicyRule[] {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        (verbs ?? []).flatMap((verb) =>
          names.map((name) => ({ apiGroups: [group], resources: [resource], ...name, verbs: [verb] })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((url) => (verbs ?? []).map((verb) => ({ nonResourceURLs: [url], verbs: [verb] }))),
  ];
}

/** @param single a rule about one thing */
function covers(own: PolicyRule, single: PolicyRule): boolean {
  const names = own.resourceNames ?? [];
  const all = (list: readonly string[] | null | undefined, wanted: readonly string[] | null | undefined): boolean =>
    (wanted ?? []).every((item) => list?.includes('*') || list?.includes(item));
  return (
    all(own.verbs, single.verbs) &&
    all(own.apiGroups, single.apiGroups) &&
    (single.resources ?? []).every((resource) => all(own.resources, [resource]) || coversBelow(own, resource)) &&
    (names.length === 0 || ((single.resourceNames ?? []).length > 0 && all(names, single.resourceNames))) &&
    (single.nonResourceURLs ?? []).every((url) => own.nonResourceURLs?.some((mine) => coversUrl(mine, url)))
  );
}

/** `*` before a subresource stands for all resources. */
function coversBelow({ resources }: PolicyRule, resource: string): boolean {
  const at = resource.indexOf('/');
  return at >= 0 && (resources?.includes(`*${resource.slice(at)}`) ?? false);
}

/** Verbs on the same thing in one rule. */
function together(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const byThing = Map.groupBy(rules, ({ verbs: _, ...thing }) => JSON.stringify(thing));
  return [...byThing.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first || first.nonResourceURLs) return alike;
    return [{ ...first, verbs: alike.flatMap(({ verbs }) => verbs ?? []) }];
  });
}

/** `{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`. */
function describe({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  }).flatMap(([name, list]) => (list ? [`${name}:[${list.map(goQuote).join(' ')}]`] : []));
  return `{${parts.join(', ')}}`;
}
