/** Rules 3 to 5: which policy a template follows. */
import { isDeleting, type KubeObject } from '@lifeline/core';
import { byName } from '../manifest.ts';
import { type Claim, claimBy, claimOn, type Policy } from './claim.ts';
import { closeness, closenessOf } from './matches.ts';

export interface Policies {
  /** Of one namespace, in any order. */
  inNamespace(namespace: string): readonly Policy[];
  readonly ofCluster: readonly Policy[];
}

/**
 * - `apply`: it follows this policy; the claim is on it already, or is to be written.
 * - `park`: none is for it. It is looked at again when one comes.
 * - `freeze`: it is claimed by a policy that does not select it any more. Nothing happens to it until that policy's spec changes.
 * - `release`: its policy is gone: the claim goes, and what was made by it stays.
 */
export type Choice =
  | { readonly at: 'apply'; readonly policy: Policy; readonly claim: Claim }
  | { readonly at: 'park' }
  | { readonly at: 'freeze' }
  | { readonly at: 'release'; readonly claim: Claim };

/**
 * Guarantees: pure; a claimed template stays with its policy, however good another is. A policy without an id is not there yet, and one
 * that is being deleted takes nothing new.
 */
export function choose(template: KubeObject, policies: Policies): Choice {
  const claim = claimOn(template);
  if (claim) return choiceOfClaimed(template, claim, policies);
  const { namespace } = template.metadata;
  const policy = (namespace && best(template, policies.inNamespace(namespace))) || best(template, policies.ofCluster);
  const laid = policy && claimBy(policy);
  return laid ? { at: 'apply', policy, claim: laid } : { at: 'park' };
}

function choiceOfClaimed(template: KubeObject, claim: Claim, policies: Policies): Choice {
  const candidates = claim.scope === 'Namespaced' ? policies.inNamespace(claim.namespace) : policies.ofCluster;
  const policy = candidates.find(({ object }) => object.metadata.name === claim.name);
  if (!policy) return { at: 'release', claim };
  if (isDeleting(policy.object) || !selectsTemplate(policy, template)) return { at: 'freeze' };
  const laid = claimBy(policy);
  return laid ? { at: 'apply', policy, claim: laid } : { at: 'freeze' };
}

/** Whether one of the policy's selectors selects the object. */
export const selectsTemplate = (policy: Policy, template: KubeObject): boolean =>
  closenessTo(policy, template) > closeness.none;

const closenessTo = ({ object }: Policy, template: KubeObject): number =>
  closenessOf(template, object.spec.resourceSelectors, object.metadata.namespace);

/** By explicit priority, then by how closely it names the template, then by name. */
function best(template: KubeObject, policies: readonly Policy[]): Policy | undefined {
  return policies
    .filter((policy) => claimBy(policy) && !isDeleting(policy.object) && selectsTemplate(policy, template))
    .toSorted(
      (a, b) =>
        (b.object.spec.priority ?? 0) - (a.object.spec.priority ?? 0) ||
        closenessTo(b, template) - closenessTo(a, template) ||
        byName(a.object, b.object),
    )[0];
}
