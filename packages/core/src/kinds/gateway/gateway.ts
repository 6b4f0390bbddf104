import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque, stringMap } from '../schema.ts';
import { objectReference } from './references.ts';

const address = z.array(fields({ type: z.string().nullish(), value: z.string().nullish() }));

const listener = fields({
  name: z.string(),
  hostname: z.string().nullish(),
  port: int32,
  protocol: z.string(),
  tls: fields({
    mode: z.string().nullish(),
    certificateRefs: z.array(objectReference).nullish(),
    options: stringMap.nullish(),
  }).nullish(),
  allowedRoutes: opaque.nullish(),
});

const schema = kubeObject({
  spec: fields({
    gatewayClassName: z.string(),
    listeners: z.array(listener).nullish(),
    addresses: address.nullish(),
    infrastructure: fields({
      labels: stringMap.nullish(),
      annotations: stringMap.nullish(),
      parametersRef: fields({ group: z.string(), kind: z.string(), name: z.string() }).nullish(),
    }).nullish(),
  }),
  status: fields({
    addresses: address.nullish(),
    conditions: conditionsSchema.nullish(),
    listeners: z
      .array(
        fields({
          name: z.string(),
          attachedRoutes: int32.nullish(),
          supportedKinds: z.array(fields({ group: z.string().nullish(), kind: z.string() })).nullish(),
          conditions: conditionsSchema.nullish(),
        }),
      )
      .nullish(),
  }).nullish(),
});

/** Where traffic enters. */
export type Gateway = z.infer<typeof schema>;
export const Gateway = defineKind<Gateway>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  scope: 'Namespaced',
  shortNames: ['gtw'],
  categories: ['gateway-api'],
  versions: ['v1', 'v1beta1'],
  statusSubresource: true,
  listMapKeys: {
    'spec.listeners': ['name'],
    'status.conditions': ['type'],
    'status.listeners': ['name'],
    'status.listeners[].conditions': ['type'],
  },
  printerColumns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.gatewayClassName' },
    { name: 'Address', type: 'string', jsonPath: '.status.addresses[*].value' },
    conditionColumn('Programmed'),
    ageColumn,
  ],
  schema,
});
