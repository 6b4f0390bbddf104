import { z } from 'zod';
import { int64 } from '../../meta/object.ts';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque, time } from '../schema.ts';
import { placementSchema } from './placement.ts';

const schema = kubeObject({
  spec: fields({
    /** The object that is carried. */
    resource: fields({
      apiVersion: z.string(),
      kind: z.string(),
      namespace: z.string().nullish(),
      name: z.string(),
      uid: z.string().nullish(),
      resourceVersion: z.string().nullish(),
    }),
    /** Where the scheduler sent it. */
    clusters: z.array(fields({ name: z.string(), replicas: int32.nullish() })).nullish(),
    placement: placementSchema.nullish(),
    replicas: int32.nullish(),
    replicaRequirements: opaque.nullish(),
    conflictResolution: z.string().nullish(),
    propagateDeps: z.boolean().nullish(),
    preserveResourcesOnDeletion: z.boolean().nullish(),
    schedulerName: z.string().nullish(),
    suspension: opaque.nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    schedulerObservedGeneration: int64.nullish(),
    lastScheduledTime: time.nullish(),
    /** Sorted by cluster. A cluster that could not apply the object has an item without status. */
    aggregatedStatus: z
      .array(
        fields({
          clusterName: z.string(),
          status: opaque.nullish(),
          applied: z.boolean().nullish(),
          appliedMessage: z.string().nullish(),
          health: z.string().nullish(),
        }),
      )
      .nullish(),
  }).nullish(),
});

const common = {
  group: 'work.karmada.io',
  version: 'v1alpha2',
  categories: ['karmada-io'],
  statusSubresource: true,
  // Karmada's conditions are no list map: whoever applies one of them replaces all.
  printerColumns: [conditionColumn('Scheduled'), conditionColumn('FullyApplied'), ageColumn],
  schema,
} as const;

/** One carried object: where it goes, and what its copies last said. */
export type ResourceBinding = z.infer<typeof schema>;
export const ResourceBinding = defineKind<ResourceBinding>({
  ...common,
  kind: 'ResourceBinding',
  plural: 'resourcebindings',
  scope: 'Namespaced',
  shortNames: ['rb'],
});

/** The same for an object without a namespace. */
export type ClusterResourceBinding = z.infer<typeof schema>;
export const ClusterResourceBinding = defineKind<ClusterResourceBinding>({
  ...common,
  kind: 'ClusterResourceBinding',
  plural: 'clusterresourcebindings',
  scope: 'Cluster',
  shortNames: ['crb'],
});
