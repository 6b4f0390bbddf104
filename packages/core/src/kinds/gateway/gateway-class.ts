import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    controllerName: z.string(),
    description: z.string().nullish(),
    parametersRef: fields({
      group: z.string(),
      kind: z.string(),
      name: z.string(),
      namespace: z.string().nullish(),
    }).nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    supportedFeatures: z.array(fields({ name: z.string() })).nullish(),
  }).nullish(),
});

/** Who programs the Gateways that name this class. */
export type GatewayClass = z.infer<typeof schema>;
export const GatewayClass = defineKind<GatewayClass>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'GatewayClass',
  plural: 'gatewayclasses',
  scope: 'Cluster',
  shortNames: ['gc'],
  categories: ['gateway-api'],
  versions: ['v1', 'v1beta1'],
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'], 'status.supportedFeatures': ['name'] },
  printerColumns: [
    { name: 'Controller', type: 'string', jsonPath: '.spec.controllerName' },
    conditionColumn('Accepted'),
    ageColumn,
    { name: 'Description', type: 'string', jsonPath: '.spec.description', priority: 1 },
  ],
  schema,
});
