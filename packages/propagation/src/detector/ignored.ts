/** Rule 1: what is never propagated. */
import type { KubeObject } from '@lifeline/core';
import type { Manifest, ServedKind } from '../manifest.ts';
import { clusterOfNamespace } from '../names.ts';

/** Namespaces that belong to Karmada or Kubernetes. */
export const isReservedNamespace = (namespace: string): boolean =>
  namespace === 'karmada-system' ||
  namespace === 'karmada-cluster' ||
  clusterOfNamespace(namespace) !== undefined ||
  namespace.startsWith('kube-');

/** Kinds whose objects are not looked at: Karmada's own, events, leases. */
export const isIgnoredKind = ({ group, version, kind }: ServedKind): boolean =>
  group === 'karmada.io' ||
  group.endsWith('.karmada.io') ||
  group === 'events.k8s.io' ||
  (group === '' && kind === 'Event') ||
  (group === 'coordination.k8s.io' && version === 'v1');

export const isIgnoredObject = (object: KubeObject, skippedNamespaces: RegExp): boolean => {
  const { namespace } = object.metadata;
  if (namespace && (isReservedNamespace(namespace) || skippedNamespaces.test(namespace))) return true;
  return (
    object.kind === 'Secret' &&
    object.apiVersion === 'v1' &&
    (object as Manifest)['type'] === 'kubernetes.io/service-account-token'
  );
};
