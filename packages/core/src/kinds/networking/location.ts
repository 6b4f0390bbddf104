import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, opaque, stringMap } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

/** How other kinds name a Location. */
export const locationReference = fields({ name: z.string(), namespace: z.string().nullish() });

const schema = kubeObject({
  spec: fields({
    locationClassName: z.string().nullish(),
    /** Its city code stands under `topology.datum.net/city-code`. */
    topology: stringMap.nullish(),
    provider: opaque.nullish(),
  }).register(serverRules, { open: true }),
  status: fields({ conditions: conditionsSchema.nullish() }).register(serverRules, { open: true }).nullish(),
}).register(serverRules, { description: 'A place where instances can run.' });

/** A place where instances can run. */
export type Location = z.infer<typeof schema>;
export const Location = defineKind<Location>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'Location',
  plural: 'locations',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.locationClassName' },
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason' }),
    ageColumn,
  ],
  schema,
});
