import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';
import { placementSchema, resourceSelector } from './placement.ts';

const schema = kubeObject({
  spec: fields({
    resourceSelectors: z.array(resourceSelector),
    placement: placementSchema.nullish(),
    /** Higher wins, until an object is claimed: then its policy keeps it. */
    priority: int32.nullish(),
    preemption: z.string().nullish(),
    conflictResolution: z.string().nullish(),
    propagateDeps: z.boolean().nullish(),
    schedulerName: z.string().nullish(),
    preserveResourcesOnDeletion: z.boolean().nullish(),
    suspension: fields({
      dispatching: z.boolean().nullish(),
      dispatchingOnClusters: fields({ clusterNames: z.array(z.string()).nullish() }).nullish(),
    }).nullish(),
    failover: opaque.nullish(),
  }),
});

const common = {
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  categories: ['karmada-io'],
  statusSubresource: false,
  printerColumns: [
    { name: 'Conflict-Resolution', type: 'string', jsonPath: '.spec.conflictResolution' },
    { name: 'Priority', type: 'string', jsonPath: '.spec.priority' },
    ageColumn,
  ],
  schema,
} as const;

/** Which objects of its namespace Karmada carries to which clusters. */
export type PropagationPolicy = z.infer<typeof schema>;
export const PropagationPolicy = defineKind<PropagationPolicy>({
  ...common,
  kind: 'PropagationPolicy',
  plural: 'propagationpolicies',
  scope: 'Namespaced',
  shortNames: ['pp'],
});

/** The same for objects of any namespace. A PropagationPolicy that matches comes first. */
export type ClusterPropagationPolicy = z.infer<typeof schema>;
export const ClusterPropagationPolicy = defineKind<ClusterPropagationPolicy>({
  ...common,
  kind: 'ClusterPropagationPolicy',
  plural: 'clusterpropagationpolicies',
  scope: 'Cluster',
  shortNames: ['cpp'],
});
