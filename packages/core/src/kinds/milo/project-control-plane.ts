import type { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, opaque } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const schema = kubeObject({
  spec: opaque,
  status: fields({ conditions: conditionsSchema.nullish() })
    .register(serverRules, {
      open: true,
      default: initialStatus({ type: 'ControlPlaneReady', status: 'False', reason: 'Creating' }),
    })
    .nullish(),
}).register(serverRules, { description: "The API server behind a Project's control plane." });

/** The API server of the Project of the same name, as the infrastructure sees it. Condition: `ControlPlaneReady`. */
export type ProjectControlPlane = z.infer<typeof schema>;
export const ProjectControlPlane = defineKind<ProjectControlPlane>({
  group: 'infrastructure.miloapis.com',
  version: 'v1alpha1',
  kind: 'ProjectControlPlane',
  plural: 'projectcontrolplanes',
  scope: 'Cluster',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [conditionColumn('ControlPlaneReady', 'status', { name: 'Ready' }), ageColumn],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Platform' },
  schema,
});
