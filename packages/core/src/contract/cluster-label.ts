/** Cluster names as label values, and back. */
import { type EncodedLabel, encodeLabel, shortened } from './short-label.ts';

const prefix = 'cluster-';
/** How clusters without an organisation were once written: `cluster-_name`. Still read, never written. */
const legacyPrefix = 'cluster-_';

/** `cluster-` and the name with `/` as `_`. Not reversible on its own: two names may give one text. */
const plainForm = (cluster: string): string => prefix + cluster.replaceAll('/', '_');

/**
 * The label of a cluster; undefined for the single cluster without a name, which has none.
 *
 * A name that holds `_` is always shortened: its plain form could be another cluster's, whose name has a `/` there.
 */
export function encodeCluster(cluster: string): EncodedLabel | undefined {
  if (cluster === '') return undefined;
  const plain = plainForm(cluster);
  return cluster.includes('_') ? shortened(cluster, plain) : encodeLabel(cluster, plain);
}

/** The clusters that are known now, by label: `EngagedClusters`. */
export interface ClusterLookup {
  /** The cluster with this label; without a label, the cluster without a name. */
  byLabel(label: string | undefined): string | undefined;
}

/** Whose copy it is, or why that cannot be told. What cannot be told is reported once and skipped: it is never taken for another's. */
export type DecodedCluster =
  | { readonly state: 'decoded'; readonly cluster: string }
  /** `contradiction`: label and annotation name different clusters. `not-engaged`: no cluster we know has this label. */
  | { readonly state: 'undecodable'; readonly reason: 'contradiction' | 'not-engaged' };

/** @param annotation what stands under the label's key among the annotations */
export function decodeCluster(
  label: string | undefined,
  annotation: string | undefined,
  engaged: ClusterLookup,
): DecodedCluster {
  if (annotation !== undefined) {
    return encodeCluster(annotation)?.label === label
      ? { state: 'decoded', cluster: annotation }
      : { state: 'undecodable', reason: 'contradiction' };
  }
  const cluster = engaged.byLabel(label) ?? legacyCluster(label, engaged);
  return cluster === undefined ? { state: 'undecodable', reason: 'not-engaged' } : { state: 'decoded', cluster };
}

const legacyCluster = (label: string | undefined, engaged: ClusterLookup): string | undefined =>
  label?.startsWith(legacyPrefix) ? engaged.byLabel(prefix + label.slice(legacyPrefix.length)) : undefined;

/**
 * The last path segment of `org/project`: the provider's name for the cluster. For look-up and display, never for identity: clusters of
 * two organisations may share it.
 */
export const projectKey = (cluster: string): string => cluster.slice(cluster.lastIndexOf('/') + 1);
