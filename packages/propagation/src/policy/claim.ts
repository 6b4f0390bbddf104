/** Whose an object is: the keys by which a template and its binding say which policy they follow. */
import type { ClusterPropagationPolicy, KubeObject, PropagationPolicy } from '@lifeline/core';
import { annotationOf, labelOf, type StringMap, withKeys, withoutKeys } from '../manifest.ts';
import { annotations, labels } from '../words.ts';

/** A policy of either kind, with the scope that its kind has. */
export type Policy =
  | { readonly scope: 'Namespaced'; readonly object: PropagationPolicy }
  | { readonly scope: 'Cluster'; readonly object: ClusterPropagationPolicy };

/** A policy as an object names it. */
export type Claim =
  | { readonly scope: 'Namespaced'; readonly namespace: string; readonly name: string; readonly id: string }
  | { readonly scope: 'Cluster'; readonly name: string; readonly id: string };

/** The label that holds the id of policies, on them and on what they claim. */
export const idLabel = (scope: Policy['scope']): string =>
  scope === 'Namespaced' ? labels.policyId : labels.clusterPolicyId;

const claimAnnotations: Readonly<Record<Policy['scope'], readonly string[]>> = {
  Namespaced: [annotations.policyNamespace, annotations.policyName],
  Cluster: [annotations.clusterPolicyName],
};

/** The claim that a policy lays. Undefined until it has an id. */
export function claimBy({ scope, object }: Policy): Claim | undefined {
  const id = labelOf(object, idLabel(scope));
  const { namespace = '', name } = object.metadata;
  if (!id) return undefined;
  return scope === 'Namespaced' ? { scope, namespace, name, id } : { scope, name, id };
}

/** The claim on an object. A PropagationPolicy's counts first. */
export function claimOn(object: KubeObject): Claim | undefined {
  const namespace = annotationOf(object, annotations.policyNamespace);
  const name = annotationOf(object, annotations.policyName);
  const id = labelOf(object, labels.policyId);
  if (namespace && name && id) return { scope: 'Namespaced', namespace, name, id };
  const clusterName = annotationOf(object, annotations.clusterPolicyName);
  const clusterId = labelOf(object, labels.clusterPolicyId);
  return clusterName && clusterId ? { scope: 'Cluster', name: clusterName, id: clusterId } : undefined;
}

/** Labels and annotations of a claim. */
export const claimKeys = (claim: Claim): { readonly labels: StringMap; readonly annotations: StringMap } => ({
  labels: { [idLabel(claim.scope)]: claim.id },
  annotations:
    claim.scope === 'Namespaced'
      ? { [annotations.policyNamespace]: claim.namespace, [annotations.policyName]: claim.name }
      : { [annotations.clusterPolicyName]: claim.name },
});

export const withClaim = <T extends KubeObject>(object: T, claim: Claim): T => withKeys(object, claimKeys(claim));

/** The object without any claim by policies of this scope. The object itself when there is none. */
export const withoutClaim = <T extends KubeObject>(object: T, scope: Policy['scope']): T =>
  withoutKeys(object, { labels: [idLabel(scope)], annotations: claimAnnotations[scope] });
