/** The downstream Namespace of an upstream one. */
import {
  annotations,
  downstreamNamespaceObject,
  encodeLabel,
  type KubeObject,
  labels,
  Namespace,
  ownershipOf,
  ownValue,
  type UpstreamNamespace,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import { applied } from './applied.ts';
import { clusterLabels } from './identity-index.ts';
import type { RefusalReason } from './refusal.ts';

/** What is there under the name of the downstream Namespace: ours as it should be, to be put right, or not ours to use. */
export type NamespaceState =
  { readonly at: 'ready' | 'wanting' } | { readonly at: 'refused'; readonly reason: RefusalReason };

/**
 * Guarantee: a Namespace that says that it belongs to another project, another upstream Namespace or another installation is never used,
 * even under the right name: planes that were made from one backup have Namespaces of one uid. One of this project with the uid is the
 * upstream Namespace's, whatever name it gives it: that is put right.
 */
export function namespaceState(
  found: KubeObject | undefined,
  upstream: UpstreamNamespace,
  installation: string,
): NamespaceState {
  if (!found) return { at: 'wanting' };
  const ownership = ownershipOf(found, installation);
  if (ownership === 'foreign') return { at: 'refused', reason: 'OtherInstallation' };
  const { labels: marks, annotations: exact } = found.metadata;
  const cluster = ownValue(marks ?? {}, labels.upstreamCluster);
  const uid = ownValue(exact ?? {}, annotations.upstreamUid);
  const isOthers =
    !mayBeOfCluster(found, upstream.cluster) ||
    // A uid is one Namespace of a plane: what else it says of that Namespace is drift.
    (uid === undefined ? !mayBeOfNamespace(found, upstream.name) : uid !== upstream.uid) ||
    // Nothing on it says whose it is.
    (uid === undefined && ownership === 'unrelated') ||
    (uid === undefined && ownership === 'adoptable' && cluster === undefined && upstream.cluster !== '');
  if (isOthers) return { at: 'refused', reason: 'PlaceTaken' };
  return { at: isLabelled(found, upstream, installation) ? 'ready' : 'wanting' };
}

/**
 * Whether a downstream Namespace may hold copies from this upstream one. A copy whose labels say so, in a Namespace that says otherwise, has
 * been edited: what it is a copy of is for others to say.
 */
export function mayHoldCopiesFrom(found: KubeObject | undefined, cluster: string, namespace: string): boolean {
  return mayBeOfCluster(found, cluster) && mayBeOfNamespace(found, namespace);
}

function mayBeOfCluster(found: KubeObject | undefined, cluster: string): boolean {
  const { labels: marks, annotations: exact } = found?.metadata ?? {};
  const label = ownValue(marks ?? {}, labels.upstreamCluster);
  return (
    (label === undefined || clusterLabels(cluster).includes(label)) &&
    !contradicts(exact, labels.upstreamCluster, cluster)
  );
}

function mayBeOfNamespace(found: KubeObject | undefined, namespace: string): boolean {
  const { labels: marks, annotations: exact } = found?.metadata ?? {};
  const label = ownValue(marks ?? {}, labels.upstreamNamespace);
  return (
    (label === undefined || label === encodeLabel(namespace).label) &&
    !contradicts(exact, labels.upstreamNamespace, namespace)
  );
}

/**
 * Makes it with all its labels in one request, or puts them right. Fails while the Namespace is going away.
 *
 * @param found what stands there. An exact name that somebody added to it is made ours: an apply cannot take it off.
 */
export function namespaceWrite(
  upstream: UpstreamNamespace,
  installation: string,
  found?: KubeObject,
): Write<Namespace> {
  const made = downstreamNamespaceObject(upstream, installation);
  const { upstreamNamespace } = labels;
  const isWrong = contradicts(found?.metadata.annotations, upstreamNamespace, upstream.name);
  const exact = isWrong ? { [upstreamNamespace]: upstream.name } : {};
  const metadata = { ...made.metadata, annotations: { ...made.metadata.annotations, ...exact } };
  return { verb: 'apply', kind: Namespace, object: applied({ ...made, metadata }), force: true };
}

const contradicts = (exact: KubeObject['metadata']['annotations'], key: string, text: string): boolean => {
  const found = ownValue(exact ?? {}, key);
  return found !== undefined && found !== text;
};

function isLabelled(found: KubeObject, upstream: UpstreamNamespace, installation: string): boolean {
  const { metadata } = downstreamNamespaceObject(upstream, installation);
  return (
    mayBeOfNamespace(found, upstream.name) &&
    Object.entries(metadata.labels).every(([key, value]) => found.metadata.labels?.[key] === value) &&
    Object.entries(metadata.annotations).every(([key, value]) => found.metadata.annotations?.[key] === value)
  );
}
