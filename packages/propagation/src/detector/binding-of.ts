/** Rule 6: the binding of a template. */
import { type OwnerReference, ownerReferenceTo, type ResourceBinding } from '@lifeline/core';
import type { Draft } from '@lifeline/k8s';
import type { KindInterpreter } from '../interpreter/interpreter.ts';
import { joinedMetadata, type Manifest, present } from '../manifest.ts';
import { bindingName, namedBy } from '../names.ts';
import { type Claim, claimKeys, type Policy } from '../policy/claim.ts';

/** What the scheduler is called, unless a policy says otherwise. */
export const defaultScheduler = 'default-scheduler';

export interface BindingInputs {
  readonly template: Manifest;
  readonly policy: Policy;
  readonly claim: Claim;
  readonly interpreter: KindInterpreter;
  readonly finalizer: string;
}

/** As it is made; everything but the targets follows the template and its policy from then on. @throws what GetReplicas throws */
export function bindingOf({ template, policy, claim, interpreter, finalizer }: BindingInputs): Draft<ResourceBinding> {
  const { apiVersion, kind, metadata } = template;
  const { namespace, name, uid = '', resourceVersion = '' } = metadata;
  const { spec } = policy.object;
  const counted = interpreter.getReplicas?.(template);
  const { placement, propagateDeps, preserveResourcesOnDeletion, suspension, failover } = spec;
  const owner: OwnerReference = ownerReferenceTo(template, { controller: true, blockOwnerDeletion: true });
  return {
    metadata: {
      ...(namespace ? { namespace } : {}),
      name: bindingName(namedBy(template)),
      ...claimKeys(claim),
      finalizers: [finalizer],
      ownerReferences: [owner],
    },
    spec: present({
      resource: { apiVersion, kind, ...(namespace ? { namespace } : {}), name, uid, resourceVersion },
      placement: placement ?? {},
      schedulerName: spec.schedulerName || defaultScheduler,
      conflictResolution: spec.conflictResolution || 'Abort',
      propagateDeps: propagateDeps || undefined,
      preserveResourcesOnDeletion: preserveResourcesOnDeletion ?? undefined,
      suspension: suspension ?? undefined,
      failover: failover ?? undefined,
      replicas: counted?.replicas || undefined,
      replicaRequirements: counted?.requirements,
    }) as unknown as ResourceBinding['spec'],
  };
}

/** The fields of a binding's spec that the template and its policy decide. */
const decided = [
  'resource',
  'placement',
  'schedulerName',
  'conflictResolution',
  'propagateDeps',
  'preserveResourcesOnDeletion',
  'suspension',
  'failover',
  'replicas',
  'replicaRequirements',
];

/** An existing binding, brought up to date. */
export function refreshed(existing: ResourceBinding, wanted: Draft<ResourceBinding>): ResourceBinding {
  const own = Object.entries(existing.spec).filter(([field]) => !decided.includes(field));
  return {
    ...existing,
    metadata: {
      ...joinedMetadata(existing.metadata, wanted.metadata),
      ownerReferences: [...(wanted.metadata.ownerReferences ?? [])],
    },
    spec: { ...Object.fromEntries(own), ...wanted.spec } as ResourceBinding['spec'],
  };
}
