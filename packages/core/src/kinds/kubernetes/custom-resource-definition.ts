import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';

const names = {
  plural: z.string(),
  singular: z.string().nullish(),
  kind: z.string(),
  listKind: z.string().nullish(),
  shortNames: z.array(z.string()).nullish(),
  categories: z.array(z.string()).nullish(),
};

const version = fields({
  name: z.string(),
  served: z.boolean(),
  storage: z.boolean(),
  deprecated: z.boolean().nullish(),
  schema: fields({ openAPIV3Schema: opaque.nullish() }).nullish(),
  subresources: fields({ status: opaque.nullish(), scale: opaque.nullish() }).nullish(),
  additionalPrinterColumns: z
    .array(
      fields({
        name: z.string(),
        type: z.string(),
        jsonPath: z.string(),
        description: z.string().nullish(),
        priority: int32.nullish(),
      }),
    )
    .nullish(),
  selectableFields: z.array(fields({ jsonPath: z.string() })).nullish(),
});

const schema = kubeObject({
  spec: fields({
    group: z.string(),
    scope: z.string(),
    names: fields(names),
    versions: z.array(version),
    preserveUnknownFields: z.boolean().nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    acceptedNames: opaque.nullish(),
    storedVersions: z.array(z.string()).nullish(),
  }).nullish(),
});

/** A kind that an API server was taught. Conditions: `NamesAccepted`, `Established`. */
export type CustomResourceDefinition = z.infer<typeof schema>;
export const CustomResourceDefinition = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [ageColumn],
  schema,
});
