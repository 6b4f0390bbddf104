/** Finds copies on the hub by what they say of themselves, never through the upstream Namespace, which may be gone. */
import {
  type ClusterLookup,
  encodeCluster,
  encodeLabel,
  isLabelValue,
  type KubeObject,
  labels,
  upstreamKey,
  type UpstreamName,
  upstreamOf,
} from '@lifeline/core';
import type { IndexFunction } from '@lifeline/k8s';

const { upstreamCluster, upstreamGroup, upstreamKind, upstreamName, upstreamNamespace } = labels;
const plainPrefix = 'cluster-';
/** How the Go system wrote clusters without an organisation, once. */
const legacyPrefix = 'cluster-_';

/** Files an object under the values of these labels; under nothing when one is missing. The single cluster without a name has no label. */
const byLabels =
  (...keys: readonly string[]): IndexFunction<KubeObject> =>
  ({ metadata }) => {
    const marks = metadata.labels ?? {};
    if (keys.some((key) => key !== upstreamCluster && marks[key] === undefined)) return [];
    return [indexValue(keys.map((key) => marks[key] ?? ''))];
  };

const indexValue = (texts: readonly string[]): string => JSON.stringify(texts);

/** Every store of copies has these. One function for each name: the caches are shared. */
export const copyIndexes = {
  upstream: byLabels(upstreamCluster, upstreamGroup, upstreamKind, upstreamNamespace, upstreamName),
  namespace: byLabels(upstreamCluster, upstreamGroup, upstreamKind, upstreamNamespace),
  project: byLabels(upstreamCluster, upstreamGroup, upstreamKind),
} as const satisfies Readonly<Record<string, IndexFunction<KubeObject>>>;
export type CopyIndex = keyof typeof copyIndexes;

/** Every label that means this cluster: ours, and those of the Go system. `''` stands for no label. */
export function clusterLabels(cluster: string): readonly string[] {
  const encoded = encodeCluster(cluster);
  if (!encoded) return [''];
  const legacy = legacyPrefix + encoded.label.slice(plainPrefix.length);
  return encoded.annotation === undefined && isLabelValue(legacy) ? [encoded.label, legacy] : [encoded.label];
}

/** The values under which the copies of an object, of a namespace or of a whole project are filed. */
export function indexValues(index: CopyIndex, target: UpstreamName): readonly string[] {
  const { group, kind, namespace, name } = target;
  const rest = {
    upstream: [group, kind, namespace, name],
    namespace: [group, kind, namespace],
    project: [group, kind],
  };
  return clusterLabels(target.cluster).map((cluster) =>
    indexValue([cluster, ...rest[index].map((text) => encodeLabel(text).label)]),
  );
}

/** Whether an object says that it is a copy of the target, in so many words: equal labels of two long names do not make them one. */
export function claims(object: KubeObject, target: UpstreamName): boolean {
  const own: ClusterLookup = {
    byLabel: (label) => (clusterLabels(target.cluster).includes(label ?? '') ? target.cluster : undefined),
  };
  const decoded = upstreamOf(object, own);
  return decoded.state === 'decoded' && upstreamKey(decoded.upstream) === upstreamKey(target);
}

/** A label selector for all that may be a copy of the target. What comes back must still be asked ({@link claims}). */
export function copySelector(target: UpstreamName): string {
  const clusters = clusterLabels(target.cluster).filter((label) => label !== '');
  const { group, kind, namespace, name } = target;
  return [
    clusters.length === 0 ? `!${upstreamCluster}` : `${upstreamCluster} in (${clusters.join(',')})`,
    ...Object.entries({
      [upstreamGroup]: group,
      [upstreamKind]: kind,
      [upstreamNamespace]: namespace,
      [upstreamName]: name,
    }).map(([key, text]) => `${key}=${encodeLabel(text).label}`),
  ].join(',');
}
