import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, intOrString, kubeObject, opaque, stringMap } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    type: z.string().nullish(),
    /** `None`: headless. */
    clusterIP: z.string().nullish(),
    externalName: z.string().nullish(),
    selector: stringMap.nullish(),
    ports: z
      .array(
        fields({
          name: z.string().nullish(),
          protocol: z.string().nullish(),
          appProtocol: z.string().nullish(),
          port: int32,
          targetPort: intOrString.nullish(),
        }),
      )
      .nullish(),
    internalTrafficPolicy: z.string().nullish(),
    trafficDistribution: z.string().nullish(),
    publishNotReadyAddresses: z.boolean().nullish(),
  }).nullish(),
  status: fields({ loadBalancer: opaque.nullish(), conditions: conditionsSchema.nullish() }).nullish(),
});

/** A name for a set of endpoints. */
export type Service = z.infer<typeof schema>;
export const Service = defineKind<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
  shortNames: ['svc'],
  categories: ['all'],
  statusSubresource: true,
  listMapKeys: { 'spec.ports': ['port', 'protocol'], 'status.conditions': ['type'] },
  printerColumns: [
    { name: 'Type', type: 'string', jsonPath: '.spec.type' },
    { name: 'Cluster-IP', type: 'string', jsonPath: '.spec.clusterIP' },
    ageColumn,
  ],
  selectableFields: ['.spec.clusterIP', '.spec.type'],
  schema,
});
