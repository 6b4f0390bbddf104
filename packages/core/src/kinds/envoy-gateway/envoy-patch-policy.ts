import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { policyListMapKeys, policyStatusSchema } from '../gateway/policy.ts';
import { policyTargetReference } from '../gateway/references.ts';
import { defineKind, type PrinterColumn } from '../kind.ts';
import { anything, fields, int32, kubeObject } from '../schema.ts';

const patch = fields({
  type: z.string(),
  name: z.string(),
  operation: fields({
    op: z.string(),
    path: z.string().nullish(),
    jsonPath: z.string().nullish(),
    from: z.string().nullish(),
    value: anything,
  }),
});

const schema = kubeObject({
  spec: fields({
    type: z.string(),
    targetRef: policyTargetReference,
    jsonPatches: z.array(patch).nullish(),
    priority: int32.nullish(),
  }),
  status: policyStatusSchema.nullish(),
});

const firstAncestor = (type: string): PrinterColumn => ({
  name: type,
  type: 'string',
  jsonPath: `.status.ancestors[0].conditions[?(@.type=="${type}")].status`,
});

/** JSON patches on the xDS resources that Envoy Gateway makes. */
export type EnvoyPatchPolicy = z.infer<typeof schema>;
export const EnvoyPatchPolicy = defineKind<EnvoyPatchPolicy>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'EnvoyPatchPolicy',
  plural: 'envoypatchpolicies',
  scope: 'Namespaced',
  shortNames: ['epp'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  printerColumns: [firstAncestor('Accepted'), firstAncestor('Programmed'), ageColumn],
  schema,
});
