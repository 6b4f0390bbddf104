import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const script = fields({ luaScript: z.string() });

const schema = kubeObject({
  spec: fields({
    target: fields({ apiVersion: z.string(), kind: z.string() }),
    customizations: fields({
      retention: script.nullish(),
      replicaResource: script.nullish(),
      replicaRevision: script.nullish(),
      statusReflection: script.nullish(),
      statusAggregation: script.nullish(),
      healthInterpretation: script.nullish(),
      dependencyInterpretation: script.nullish(),
    }),
  }),
});

/** What Karmada must know about a kind, as Lua. Several for one kind are merged in name order; the first definition of a script wins. */
export type ResourceInterpreterCustomization = z.infer<typeof schema>;
export const ResourceInterpreterCustomization = defineKind<ResourceInterpreterCustomization>({
  group: 'config.karmada.io',
  version: 'v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  plural: 'resourceinterpretercustomizations',
  scope: 'Cluster',
  shortNames: ['ric'],
  categories: ['karmada-io'],
  statusSubresource: false,
  printerColumns: [
    { name: 'Target-API-Version', type: 'string', jsonPath: '.spec.target.apiVersion' },
    { name: 'Target-Kind', type: 'string', jsonPath: '.spec.target.kind' },
    ageColumn,
  ],
  schema,
});
