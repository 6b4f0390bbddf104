/** What a kind's mirror may write. Nothing of it is a status on the hub. */
import { ConfigMap, fieldManagers, Namespace } from '@lifeline/core';
import type { WriteRight } from '@lifeline/k8s';
import { bodyFields } from './desired.ts';
import type { KindPolicy } from './policy.ts';

const owner = fieldManagers.hubReplicator;
const identity = ['metadata.labels', 'metadata.annotations'];

/** @param planes names of the project and the hub plane */
export function mirrorRights(
  policy: KindPolicy,
  planes: { readonly project: string; readonly hub: string },
): WriteRight[] {
  const { kind, enabled, status, guardsSecrets } = policy;
  const speaksUp = enabled && kind.statusSubresource && (status.direction === 'up' || guardsSecrets);
  const { project, hub } = planes;
  const fields = [...bodyFields, ...identity, 'metadata.ownerReferences', 'metadata.managedFields'];
  return [
    { plane: project, kind, verbs: ['patch'], fields: ['metadata.finalizers'], owner },
    ...(speaksUp ? ([{ plane: project, kind, verbs: ['patch'], fields: ['status'], owner }] as const) : []),
    ...(enabled
      ? ([
          { plane: hub, kind, verbs: ['apply', 'patch', 'delete'], fields, owner },
          { plane: hub, kind: Namespace, verbs: ['apply'], fields: identity, owner },
          { plane: hub, kind: ConfigMap, verbs: ['apply', 'delete'], fields: identity, owner },
        ] as const)
      : ([
          { plane: hub, kind, verbs: ['delete'], fields: [], owner },
          { plane: hub, kind: ConfigMap, verbs: ['delete'], fields: [], owner },
        ] as const)),
  ];
}
