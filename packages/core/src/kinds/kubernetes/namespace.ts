import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({
  spec: fields({ finalizers: z.array(z.string()).nullish() }).nullish(),
  status: fields({ phase: z.string().nullish(), conditions: conditionsSchema.nullish() }).nullish(),
});

/** A space of names. Its uid is its identity: a namespace made anew under the same name is another one. */
export type Namespace = z.infer<typeof schema>;
export const Namespace = defineKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  shortNames: ['ns'],
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [{ name: 'Status', type: 'string', jsonPath: '.status.phase' }, ageColumn],
  selectableFields: ['.status.phase'],
  schema,
});
