import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const schema = kubeObject({
  spec: fields({
    ownerRef: fields({ kind: z.string().register(serverRules, { enum: ['Organization'] }), name: z.string() }),
  }).register(serverRules, { open: true }),
  status: fields({ conditions: conditionsSchema.nullish() })
    .register(serverRules, { open: true, default: initialStatus({ type: 'Ready' }) })
    .nullish(),
}).register(serverRules, { description: "A tenant's project, with a control plane of its own." });

/** A tenant's project. While it is `Ready`, its own Kubernetes API can be reached. */
export type Project = z.infer<typeof schema>;
export const Project = defineKind<Project>({
  group: 'resourcemanager.miloapis.com',
  version: 'v1alpha1',
  kind: 'Project',
  plural: 'projects',
  scope: 'Cluster',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [conditionColumn('Ready'), ageColumn],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Organization' },
  schema,
});
