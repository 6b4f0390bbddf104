import { z } from 'zod';
import { int64 } from '../../meta/object.ts';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';
import { instanceTemplateSchema } from './instance-template.ts';
import { replicaCounts, scaleSettingsSchema } from './scale.ts';

/** Where instances run: a label value, compared exactly (`LAX` is not `lax`). */
export const cityCode = z.string().register(serverRules, {
  minLength: 1,
  maxLength: 63,
  pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
});

const observed = {
  conditions: conditionsSchema.nullish(),
  ...replicaCounts,
  /** Instances that count as serving while a new template rolls out; the rest are still growing. */
  servedReplicas: int32.nullish().register(serverRules, { minimum: 0 }),
  /** The project object's generation that the cell has realised, carried down as an annotation. */
  observedProjectGeneration: int64.nullish(),
};

const schema = kubeObject({
  spec: fields({
    workloadRef: fields({ name: z.string(), uid: z.string() }),
    placementName: z.string(),
    cityCode,
    // Applied by one manager as one value: a field that leaves the Workload's template leaves this one.
    template: fields(instanceTemplateSchema.shape).register(serverRules, { atomic: true }),
    scaleSettings: scaleSettingsSchema,
    /** Overrides minReplicas. The Workload never writes it: it belongs to whoever scales. */
    replicas: int32.nullish().register(serverRules, { minimum: 0 }),
  }).register(serverRules, { open: true }),
  status: fields({
    ...observed,
    /** Of this plane's object. In the project it is the echoed one. */
    observedGeneration: int64.nullish(),
    /** How many cells have it. Written by the hub's aggregation alone: absent means not aggregated, 0 means in no cell. */
    cells: int32.nullish().register(serverRules, { minimum: 0 }),
    /** What each cell last said, by cell name. */
    clusters: z.array(fields({ name: z.string(), ...observed }).register(serverRules, { open: true })).nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
}).register(serverRules, { description: "A Workload's instances in one city." });

/** A Workload's instances in one city. The same object exists in the project, on the hub and in the city's cell. */
export type WorkloadDeployment = z.infer<typeof schema>;
export const WorkloadDeployment = defineKind<WorkloadDeployment>({
  group: 'compute.datumapis.com',
  version: 'v1alpha',
  kind: 'WorkloadDeployment',
  plural: 'workloaddeployments',
  scope: 'Namespaced',
  statusSubresource: true,
  scaleSubresource: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  listMapKeys: {
    'status.conditions': ['type'],
    'status.clusters': ['name'],
    'status.clusters[].conditions': ['type'],
  },
  printerColumns: [
    ageColumn,
    conditionColumn('Available'),
    conditionColumn('Available', 'reason', { name: 'Reason' }),
    { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'Desired', type: 'integer', jsonPath: '.status.desiredReplicas' },
    { name: 'Up-to-date', type: 'integer', jsonPath: '.status.updatedReplicas' },
    { name: 'City', type: 'string', jsonPath: '.spec.cityCode', priority: 1 },
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
