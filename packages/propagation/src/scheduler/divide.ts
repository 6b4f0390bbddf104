/** Rule 8: how replicas are shared out. */
import { isJsonObject, type KarmadaCluster, type Random, type ResourceBinding } from '@lifeline/core';
import { type ClusterAffinity, matchesAffinity, type Placement } from '../cluster/affinity.ts';
import { itemsAt } from '../manifest.ts';

export type Target = NonNullable<ResourceBinding['spec']['clusters']>[number];

/** What there is to share out, and how it was shared before. */
export interface Shares {
  readonly replicas: number;
  readonly placement: Placement;
  readonly before: readonly Target[];
}

export const isDivided = ({ replicaScheduling }: Placement): boolean =>
  replicaScheduling?.replicaSchedulingType === 'Divided';

/** Clusters with their shares, in the order of the clusters. A share may be 0. */
export function shareOut(clusters: readonly KarmadaCluster[], shares: Shares, random: Random): readonly Target[] {
  const { replicas, placement, before } = shares;
  if (!isDivided(placement)) return clusters.map(({ metadata: { name } }) => ({ name, replicas }));
  if (placement.replicaScheduling?.replicaDivisionPreference === 'Aggregated')
    return aggregated(clusters, replicas, before);
  return weighted(clusters, shares, random);
}

/** On one cluster: the one that has most of them already, else the first. */
function aggregated(clusters: readonly KarmadaCluster[], replicas: number, before: readonly Target[]): Target[] {
  const names = clusters.map(({ metadata }) => metadata.name);
  const [most] = before.filter(({ name }) => names.includes(name)).toSorted((a, b) => had(b) - had(a));
  const chosen = most?.name ?? names[0];
  return names.map((name) => ({ name, replicas: name === chosen ? replicas : 0 }));
}

/** By weight, rounded down; what is left goes to the heaviest, then to those that had most, then to chance. */
function weighted(
  clusters: readonly KarmadaCluster[],
  { replicas, placement, before }: Shares,
  random: Random,
): Target[] {
  const ranked = clusters.map((cluster) => ({
    name: cluster.metadata.name,
    weight: weightOf(cluster, placement),
    had: had(before.find(({ name }) => name === cluster.metadata.name)),
    luck: random.next(),
  }));
  const none = ranked.every(({ weight }) => weight === 0);
  const weights = ranked.map((entry) => ({ ...entry, weight: none ? 1 : entry.weight }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  const share = new Map(weights.map(({ name, weight }) => [name, Math.floor((replicas * weight) / sum)]));
  let left = replicas - share.values().reduce((total, part) => total + part, 0);
  const order = weights
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || b.had - a.had || a.luck - b.luck);
  for (const { name } of order) {
    if (left-- <= 0) break;
    share.set(name, (share.get(name) ?? 0) + 1);
  }
  return ranked.map(({ name }) => ({ name, replicas: share.get(name) ?? 0 }));
}

/** The greatest weight of the static rules that name the cluster; 0 when rules exist and none does. */
function weightOf(cluster: KarmadaCluster, { replicaScheduling }: Placement): number {
  const rules = itemsAt(replicaScheduling?.weightPreference, 'staticWeightList');
  const weights = rules.map((rule) => {
    if (!isJsonObject(rule)) return 0;
    const { targetCluster, weight } = rule;
    return matchesAffinity(cluster, (targetCluster ?? {}) as ClusterAffinity) ? Number(weight ?? 0) : 0;
  });
  return Math.max(0, ...weights);
}

const had = (target: Target | undefined): number => target?.replicas ?? 0;
