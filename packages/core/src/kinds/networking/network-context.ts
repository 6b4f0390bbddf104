import type { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, localReference } from '../schema.ts';
import { serverRules } from '../server-rules.ts';
import { locationReference } from './location.ts';

const schema = kubeObject({
  spec: fields({
    network: localReference,
    location: locationReference.nullish(),
  }).register(serverRules, { open: true }),
  status: fields({ conditions: conditionsSchema.nullish() })
    .register(serverRules, { open: true, default: initialStatus({ type: 'Programmed' }, { type: 'Ready' }) })
    .nullish(),
}).register(serverRules, { description: 'The part of a Network that lies in one Location.' });

/** The part of a Network that lies in one Location. */
export type NetworkContext = z.infer<typeof schema>;
export const NetworkContext = defineKind<NetworkContext>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'NetworkContext',
  plural: 'networkcontexts',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [
    { name: 'Network', type: 'string', jsonPath: '.spec.network.name' },
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason' }),
    ageColumn,
  ],
  schema,
});
