import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { anything, fields, kubeObject, opaque } from '../schema.ts';
import { clusterAffinity, resourceSelector } from './placement.ts';

const overriders = fields({
  plaintext: z.array(fields({ path: z.string(), operator: z.string(), value: anything })).nullish(),
  labelsOverrider: z.array(opaque).nullish(),
  annotationsOverrider: z.array(opaque).nullish(),
});

const schema = kubeObject({
  spec: fields({
    resourceSelectors: z.array(resourceSelector).nullish(),
    overrideRules: z.array(fields({ targetCluster: clusterAffinity.nullish(), overriders })).nullish(),
  }),
});

const common = {
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  categories: ['karmada-io'],
  statusSubresource: false,
  printerColumns: [ageColumn],
  schema,
} as const;

/** What changes in an object on its way to some clusters: the last word on its content. */
export type OverridePolicy = z.infer<typeof schema>;
export const OverridePolicy = defineKind<OverridePolicy>({
  ...common,
  kind: 'OverridePolicy',
  plural: 'overridepolicies',
  scope: 'Namespaced',
  shortNames: ['op'],
});

/** The same for objects of any namespace. */
export type ClusterOverridePolicy = z.infer<typeof schema>;
export const ClusterOverridePolicy = defineKind<ClusterOverridePolicy>({
  ...common,
  kind: 'ClusterOverridePolicy',
  plural: 'clusteroverridepolicies',
  scope: 'Cluster',
  shortNames: ['cop'],
});
