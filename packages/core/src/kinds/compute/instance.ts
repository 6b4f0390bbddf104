import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';
import { instanceSpecSchema } from './instance-template.ts';

const schema = kubeObject({
  spec: instanceSpecSchema,
  status: fields({
    conditions: conditionsSchema.nullish(),
    networkInterfaces: z
      .array(
        fields({
          assignments: fields({ networkIP: z.string().nullish(), externalIP: z.string().nullish() })
            .register(serverRules, { open: true })
            .nullish(),
        }).register(serverRules, { open: true }),
      )
      .nullish(),
    /** Written by the provider, and absent until it has seen the instance. */
    controller: fields({ observedTemplateHash: z.string().nullish() }).nullish(),
  })
    .register(serverRules, {
      open: true,
      default: initialStatus(
        { type: 'Programmed' },
        { type: 'Available' },
        { type: 'Ready' },
        { type: 'QuotaGranted', reason: 'PendingEvaluation' },
      ),
    })
    .nullish(),
}).register(serverRules, { description: 'One running sandbox or virtual machine.' });

/** One running sandbox or virtual machine. Conditions: `Programmed`, `Available` (the provider's), `QuotaGranted`, `Ready`. */
export type Instance = z.infer<typeof schema>;
export const Instance = defineKind<Instance>({
  group: 'compute.datumapis.com',
  version: 'v1alpha',
  kind: 'Instance',
  plural: 'instances',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'spec.volumes': ['name'],
    'spec.controller.schedulingGates': ['name'],
    'status.conditions': ['type'],
  },
  printerColumns: [
    ageColumn,
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason' }),
    { name: 'Network IP', type: 'string', jsonPath: '.status.networkInterfaces[0].assignments.networkIP' },
    { name: 'External IP', type: 'string', jsonPath: '.status.networkInterfaces[0].assignments.externalIP' },
    conditionColumn('Ready', 'message', { name: 'Message', priority: 1 }),
    conditionColumn('QuotaGranted', 'reason', { name: 'Quota', priority: 1 }),
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
