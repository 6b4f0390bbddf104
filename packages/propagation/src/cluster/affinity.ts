/** Which clusters an affinity means. */
import { isJsonObject, type JsonValue, type KarmadaCluster, type PropagationPolicy } from '@lifeline/core';
import { itemsAt } from '../manifest.ts';
import { selects } from '../policy/matches.ts';

export type Placement = NonNullable<PropagationPolicy['spec']['placement']>;
export type ClusterAffinity = NonNullable<Placement['clusterAffinity']>;

/** Everything that it says must hold; one that says nothing means every cluster. */
export function matchesAffinity({ metadata, spec }: KarmadaCluster, affinity: ClusterAffinity): boolean {
  const { labelSelector, fieldSelector, clusterNames, exclude } = affinity;
  if (exclude?.includes(metadata.name)) return false;
  if (labelSelector && !selects(labelSelector, metadata.labels)) return false;
  if (fieldSelector && !fieldsMatch(itemsAt(fieldSelector, 'matchExpressions'), spec)) return false;
  return !clusterNames?.length || clusterNames.includes(metadata.name);
}

/** Requirements on provider, region and zone. A zone must be in the set for each zone of the cluster. */
function fieldsMatch(expressions: readonly JsonValue[], spec: KarmadaCluster['spec']): boolean {
  return expressions.every((expression) => {
    if (!isJsonObject(expression)) return false;
    const { key, operator } = expression;
    const wanted = itemsAt(expression, 'values');
    const found = key === 'zone' ? (spec.zones ?? []) : [key === 'provider' ? spec.provider : spec.region];
    const within = found.map((value) => wanted.includes(value ?? ''));
    if (operator === 'In') return within.length > 0 && within.every((one) => one);
    return operator === 'NotIn' && within.every((one) => !one);
  });
}
