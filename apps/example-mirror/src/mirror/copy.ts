/** What a copy is called and how it says where it comes from. */
import { createHash } from 'node:crypto';
import { type ConfigMap, isDeleting, objectKey, type ObjectKey, parseKey } from '@lifeline/core';
import type { ReconcileRequest } from '@lifeline/k8s';

/** Says that an object is to be mirrored. */
export const mirrorLabel = 'example.lifeline.dev/mirror';
/** On every copy: ours, and nobody else's. */
export const copyLabel = 'example.lifeline.dev/copy';
export const finalizer = 'example.lifeline.dev/mirror';

/** Identity is (cluster, namespace, name, uid); annotations, because names may be longer than a label value. */
const origin = {
  cluster: 'example.lifeline.dev/source-cluster',
  namespace: 'example.lifeline.dev/source-namespace',
  name: 'example.lifeline.dev/source-name',
  uid: 'example.lifeline.dev/source-uid',
} as const;

/** The index that finds the copies of a source. */
export const sourceIndex = 'source';
export const sourceOf = ({ cluster, key }: ReconcileRequest): string => `${cluster} ${key}`;

/** The source that a copy names; undefined when it names none. */
export function requestOf(copy: ConfigMap): ReconcileRequest | undefined {
  const {
    [origin.cluster]: cluster,
    [origin.namespace]: namespace,
    [origin.name]: name,
  } = copy.metadata.annotations ?? {};
  return cluster && namespace && name ? { cluster, key: objectKey({ namespace, name }) } : undefined;
}

export const isCopyOf = (copy: ConfigMap, { cluster, key }: ReconcileRequest): boolean => {
  const request = requestOf(copy);
  return request?.cluster === cluster && request.key === key;
};

export const sourceUidOf = (copy: ConfigMap): string | undefined => copy.metadata.annotations?.[origin.uid];

/** A name of its own for each source, whatever its cluster and namespace are called. */
export function copyName(cluster: string, key: ObjectKey): string {
  const digest = createHash('sha256').update(`${cluster}\0${key}`).digest('hex').slice(0, 10);
  return `${parseKey(key)
    .name.slice(0, 40)
    .replace(/[^a-z0-9]+$/, '')}-${digest}`;
}

export const isMirrored = (source: ConfigMap): boolean =>
  !isDeleting(source) && source.metadata.labels?.[mirrorLabel] === 'true';

/** The copy of a source: a pure function of it, and all that we own in it. */
export function copyOf(source: ConfigMap, cluster: string, namespace: string): ConfigMap {
  const { data, binaryData, metadata } = source;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: copyName(cluster, objectKey(metadata)),
      namespace,
      labels: { [copyLabel]: 'true' },
      annotations: {
        [origin.cluster]: cluster,
        [origin.namespace]: metadata.namespace ?? '',
        [origin.name]: metadata.name,
        [origin.uid]: metadata.uid ?? '',
      },
    },
    ...(data && { data }),
    ...(binaryData && { binaryData }),
  };
}
