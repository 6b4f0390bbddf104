/** Which labels and annotations of a copy are ours, whoever wrote them last. */
import { annotations, labels } from '@lifeline/core';
import { defaultPolicies } from './kinds.ts';
import type { KindPolicy } from './policy.ts';

export interface OwnedKeys {
  readonly labels: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

const identityLabels = [
  labels.upstreamCluster,
  labels.upstreamGroup,
  labels.upstreamKind,
  labels.upstreamName,
  labels.upstreamNamespace,
] as const;

export const mirrorAnnotations = [
  annotations.upstreamStatus,
  annotations.upstreamStatusObservedAt,
  annotations.upstreamStatusTruncated,
] as const;

/** What an operator's list does not carry any more, but the default would, is ours still: so it goes. */
export function ownedKeys({ kind, carriedLabels }: KindPolicy): OwnedKeys {
  const byDefault = defaultPolicies.find((policy) => policy.kind.id === kind.id)?.carriedLabels ?? [];
  return {
    labels: new Set([...identityLabels, labels.installation, ...byDefault, ...carriedLabels]),
    annotations: new Set([
      ...identityLabels,
      annotations.upstreamUid,
      annotations.upstreamGeneration,
      ...mirrorAnnotations,
    ]),
  };
}
