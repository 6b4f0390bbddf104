import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const schema = kubeObject({
  spec: fields({
    ipFamilies: z
      .array(z.string().register(serverRules, { enum: ['IPv4', 'IPv6'] }))
      .register(serverRules, { default: ['IPv6'] })
      .nullish(),
    ipam: fields({
      mode: z.string().register(serverRules, { enum: ['Auto', 'Policy'] }),
      ipv4Range: z.string().nullish(),
      ipv6Range: z.string().nullish(),
    }).register(serverRules, { open: true }),
    mtu: int32.nullish().register(serverRules, { minimum: 1300, maximum: 8856, default: 1460 }),
  }).register(serverRules, { open: true }),
  status: fields({ conditions: conditionsSchema.nullish() }).register(serverRules, { open: true }).nullish(),
}).register(serverRules, { description: 'A private network that instances attach to.' });

/** A private network that instances attach to. */
export type Network = z.infer<typeof schema>;
export const Network = defineKind<Network>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'Network',
  plural: 'networks',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason' }),
    { name: 'IPAM', type: 'string', jsonPath: '.spec.ipam.mode' },
    { name: 'MTU', type: 'integer', jsonPath: '.spec.mtu' },
    ageColumn,
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
