import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, localReference } from '../schema.ts';
import { serverRules } from '../server-rules.ts';
import { locationReference } from './location.ts';

const schema = kubeObject({
  spec: fields({
    subnetClass: z.string(),
    networkContext: localReference,
    location: locationReference.nullish(),
    ipFamily: z.string().register(serverRules, { enum: ['IPv4', 'IPv6'] }),
    startAddress: z.string(),
    prefixLength: int32,
  }).register(serverRules, { open: true }),
  status: fields({
    startAddress: z.string().nullish(),
    prefixLength: int32.nullish(),
    conditions: conditionsSchema.nullish(),
  })
    .register(serverRules, {
      open: true,
      default: initialStatus({ type: 'Allocated' }, { type: 'Programmed' }, { type: 'Ready' }),
    })
    .nullish(),
}).register(serverRules, { description: 'An address range of a NetworkContext.' });

/** An address range of a NetworkContext. */
export type Subnet = z.infer<typeof schema>;
export const Subnet = defineKind<Subnet>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'Subnet',
  plural: 'subnets',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason' }),
    { name: 'Start Address', type: 'string', jsonPath: '.status.startAddress' },
    { name: 'Prefix Length', type: 'integer', jsonPath: '.status.prefixLength' },
    ageColumn,
  ],
  schema,
});
