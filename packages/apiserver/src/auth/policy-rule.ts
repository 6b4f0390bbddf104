/** The rules that roles are made of. @see kubernetes/kubernetes@v1.36.3 pkg/apis/rbac/v1/evaluation_helpers.go */
import type { JsonObject } from '@lifeline/core';
import type { AccessAttributes } from './access-attributes.ts';

/** As it is decoded: empty lists are null or not there. */
export interface PolicyRule extends JsonObject {
  readonly verbs: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const all = '*';

const has = (list: readonly string[] | null | undefined, wanted: string): boolean =>
  list?.some((item) => item === all || item === wanted) ?? false;

/** Whether a rule allows what is asked for. */
export function ruleAllows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  if ('path' in asked) return rule.nonResourceURLs?.some((url) => coversUrl(url, asked.path)) ?? false;
  return has(rule.apiGroups, asked.group) && coversResource(rule, asked) && coversName(rule, asked.name);
}

/** `*` at the end stands for anything. */
export const coversUrl = (url: string, path: string): boolean =>
  url === path || (url.endsWith(all) && path.startsWith(url.replace(/\*+$/, '')));

function coversResource(
  { resources }: PolicyRule,
  { resource, subresource }: { readonly resource: string; readonly subresource: string },
): boolean {
  if (subresource === '') return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || (resources?.includes(`*/${subresource}`) ?? false);
}

const coversName = ({ resourceNames = [] }: PolicyRule, name: string): boolean =>
  resourceNames.length === 0 || resourceNames.includes(name);
