/** Why a cluster cannot take an object. */
import { isDeleting, type KarmadaCluster, type ResourceBinding } from '@lifeline/core';
import { type ClusterAffinity, matchesAffinity, type Placement } from '../cluster/affinity.ts';

/** What is to be placed, and where it is now. */
export type Placed = Pick<ResourceBinding['spec'], 'resource' | 'clusters' | 'placement'>;

export type Fit = { readonly fits: true } | { readonly fits: false; readonly reason: string };

/** Whether a cluster may have the object. A cluster that has it already keeps it, whatever its taints and whether it still serves the API. */
export function fitOf(cluster: KarmadaCluster, placed: Placed, affinity: ClusterAffinity | undefined): Fit {
  const has = placed.clusters?.some(({ name }) => name === cluster.metadata.name) === true;
  if (!has && !serves(cluster, placed.resource)) return unfit('cluster(s) did not have the API resource');
  const taint = has ? undefined : untolerated(cluster, placed.placement?.clusterTolerations ?? []);
  if (taint) return unfit(`cluster(s) had untolerated taint {${taintText(taint)}}`);
  if (affinity && !matchesAffinity(cluster, affinity))
    return unfit('cluster(s) did not match the placement cluster affinity constraint');
  return { fits: true };
}

const unfit = (reason: string): Fit => ({ fits: false, reason });

/** Clusters that take part at all: one that is being deleted gets nothing, and loses what it has. */
export const candidates = (clusters: readonly KarmadaCluster[]): readonly KarmadaCluster[] =>
  clusters.filter((cluster) => !isDeleting(cluster));

const serves = ({ status }: KarmadaCluster, { apiVersion, kind }: Placed['resource']): boolean =>
  status?.apiEnablements?.some(
    ({ groupVersion, resources }) =>
      groupVersion === apiVersion && resources?.some((resource) => resource.kind === kind) === true,
  ) === true;

type Taint = NonNullable<KarmadaCluster['spec']['taints']>[number];
type Toleration = NonNullable<Placement['clusterTolerations']>[number];

const untolerated = ({ spec }: KarmadaCluster, tolerations: readonly Toleration[]): Taint | undefined =>
  spec.taints?.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return Boolean(key) && (value ?? '') === (taint.value ?? '');
}

const taintText = ({ key, value, effect }: Taint): string => (value ? `${key}=${value}:${effect}` : `${key}:${effect}`);
