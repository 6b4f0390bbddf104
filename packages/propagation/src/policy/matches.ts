/** Which objects a policy is about, and how closely it names them. */
import {
  type KubeObject,
  type LabelSelector,
  matchesSelector,
  type PropagationPolicy,
  requirementsOf,
} from '@lifeline/core';

export type ResourceSelector = PropagationPolicy['spec']['resourceSelectors'][number];

/** How closely selectors name an object. Higher wins between policies of one priority. */
export const closeness = { none: 0, all: 1, labels: 2, name: 3 } as const;
export type Closeness = (typeof closeness)[keyof typeof closeness];

/**
 * The closest of the selectors that select the object.
 * @param namespace what a selector means that names no namespace; undefined: any
 */
export function closenessOf(object: KubeObject, selectors: readonly ResourceSelector[], namespace?: string): Closeness {
  let closest: Closeness = closeness.none;
  for (const selector of selectors) {
    const found = closenessOfOne(object, selector, selector.namespace || namespace);
    if (found > closest) closest = found;
  }
  return closest;
}

function closenessOfOne(object: KubeObject, selector: ResourceSelector, namespace: string | undefined): Closeness {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion !== selector.apiVersion || kind !== selector.kind) return closeness.none;
  if (namespace && metadata.namespace !== namespace) return closeness.none;
  if (selector.name) return selector.name === metadata.name ? closeness.name : closeness.none;
  if (!selector.labelSelector) return closeness.all;
  return selects(selector.labelSelector, metadata.labels) ? closeness.labels : closeness.none;
}

/** A selector that an API server would refuse selects nothing. */
export function selects(selector: LabelSelector, labels: KubeObject['metadata']['labels']): boolean {
  try {
    return matchesSelector(requirementsOf(selector), labels);
  } catch {
    return false;
  }
}
