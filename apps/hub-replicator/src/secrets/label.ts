/** Whether a Secret has to carry the label that has it replicated, and the write that sees to it. */
import { annotations, annotationTrue, isDeleting, type KubeObject, labels, Secret } from '@lifeline/core';
import type { Write } from '@lifeline/k8s';

/**
 * - `add`: something names the Secret, and it has no label
 * - `remove`: nothing names it any more, and the label is there on our account
 * - `none`: it is as it should be; a label that a user set is theirs
 */
export type LabelChange = 'add' | 'remove' | 'none';

export function labelChange(secret: KubeObject, isNamed: boolean): LabelChange {
  if (isDeleting(secret)) return 'none';
  const isLabelled = secret.metadata.labels?.[labels.gatewaySync] !== undefined;
  const isManaged = secret.metadata.annotations?.[annotations.gatewaySyncManaged] === annotationTrue;
  if (isNamed) return isLabelled ? 'none' : 'add';
  return isManaged ? 'remove' : 'none';
}

/** A merge patch of this very object as it was read: a label that a user sets meanwhile is never taken for ours. */
export function labelWrite({ metadata }: KubeObject, change: 'add' | 'remove'): Write {
  const { namespace, name, uid, resourceVersion } = metadata;
  const value = change === 'add' ? annotationTrue : null;
  const body = {
    metadata: {
      uid,
      resourceVersion,
      labels: { [labels.gatewaySync]: value },
      annotations: { [annotations.gatewaySyncManaged]: value },
    },
  };
  return { verb: 'patch', kind: Secret, name: { namespace, name }, patch: { type: 'merge', body } };
}
