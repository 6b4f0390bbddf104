import type { ResourceId, StoredObject } from '../resource.ts';

/** An object that every plane has from its start. */
export interface InitialObject {
  readonly resource: ResourceId;
  readonly object: StoredObject;
}

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * What a new plane holds: its four namespaces. Not stored yet: without resourceVersion.
 * @param now RFC 3339, whole seconds
 */
export const initialObjects = ({ now, uid }: { now: string; uid: () => string }): readonly InitialObject[] =>
  namespaces.map((name) => ({
    resource: 'namespaces',
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: uid(), creationTimestamp: now, labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  }));
