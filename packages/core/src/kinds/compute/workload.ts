import { z } from 'zod';
import { int64 } from '../../meta/object.ts';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';
import { serverRules } from '../server-rules.ts';
import { instanceTemplateSchema } from './instance-template.ts';
import { replicaCounts, scaleSettingsSchema } from './scale.ts';
import { cityCode } from './workload-deployment.ts';

const schema = kubeObject({
  spec: fields({
    template: instanceTemplateSchema,
    placements: z
      .array(
        fields({
          name: z.string().register(serverRules, { minLength: 1, maxLength: 63 }),
          cityCodes: z.array(cityCode),
          scaleSettings: scaleSettingsSchema,
        }),
      )
      .register(serverRules, { minItems: 1 }),
    /** Restarts asked for in one city; the later of this and the template's annotation counts. */
    restarts: z
      .array(fields({ cityCode, restartedAt: z.string().register(serverRules, { format: 'date-time' }) }))
      .nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    deployments: int32.nullish().register(serverRules, { minimum: 0 }),
    ...replicaCounts,
    /** Moves to g when every WorkloadDeployment has g's spec and the cells have echoed it. */
    observedGeneration: int64.nullish(),
    placements: z
      .array(fields({ name: z.string(), conditions: conditionsSchema.nullish(), ...replicaCounts }))
      .nullish(),
    gateway: opaque.nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
}).register(serverRules, { description: 'Instances of one template, in the cities that its placements name.' });

/** Instances of one template, in the cities that its placements name. */
export type Workload = z.infer<typeof schema>;
export const Workload = defineKind<Workload>({
  group: 'compute.datumapis.com',
  version: 'v1alpha',
  kind: 'Workload',
  plural: 'workloads',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'spec.placements': ['name'],
    'spec.restarts': ['cityCode'],
    'spec.template.spec.volumes': ['name'],
    'status.conditions': ['type'],
    'status.placements': ['name'],
    'status.placements[].conditions': ['type'],
  },
  printerColumns: [
    ageColumn,
    conditionColumn('Available'),
    conditionColumn('Available', 'reason', { name: 'Reason' }),
    { name: 'Deployments', type: 'integer', jsonPath: '.status.deployments' },
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'Desired', type: 'integer', jsonPath: '.status.desiredReplicas' },
    { name: 'Up-to-date', type: 'integer', jsonPath: '.status.updatedReplicas' },
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
