import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    workload: fields({ manifests: z.array(opaque).nullish() }).nullish(),
    suspendDispatching: z.boolean().nullish(),
    preserveResourcesOnDeletion: z.boolean().nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    manifestStatuses: z
      .array(
        fields({
          identifier: fields({
            ordinal: int32,
            group: z.string().nullish(),
            version: z.string(),
            kind: z.string(),
            resource: z.string(),
            namespace: z.string().nullish(),
            name: z.string(),
          }),
          status: opaque.nullish(),
          health: z.string().nullish(),
        }),
      )
      .nullish(),
  }).nullish(),
});

/** One object as one cluster must have it. Lies in the hub namespace `karmada-es-<cluster>`, and holds exactly one manifest. */
export type Work = z.infer<typeof schema>;
export const Work = defineKind<Work>({
  group: 'work.karmada.io',
  version: 'v1alpha1',
  kind: 'Work',
  plural: 'works',
  scope: 'Namespaced',
  shortNames: ['wk'],
  categories: ['karmada-io'],
  statusSubresource: true,
  printerColumns: [conditionColumn('Applied'), ageColumn],
  schema,
});
