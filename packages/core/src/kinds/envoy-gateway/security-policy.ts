import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { policyListMapKeys, policyStatusSchema, policyTargets } from '../gateway/policy.ts';
import { objectReference } from '../gateway/references.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    ...policyTargets,
    // The four fields that name Secrets. A policy whose Secret is missing at an edge breaks that edge's Envoys for everybody.
    oidc: fields({ clientSecret: objectReference.nullish(), clientIDRef: objectReference.nullish() }).nullish(),
    basicAuth: fields({ users: objectReference.nullish() }).nullish(),
    apiKeyAuth: fields({ credentialRefs: z.array(objectReference).nullish() }).nullish(),
  }),
  status: policyStatusSchema.nullish(),
});

/** Who may send requests to the targets: OIDC, basic auth, API keys, JWT, CORS. */
export type SecurityPolicy = z.infer<typeof schema>;
export const SecurityPolicy = defineKind<SecurityPolicy>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'SecurityPolicy',
  plural: 'securitypolicies',
  scope: 'Namespaced',
  shortNames: ['sp'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  printerColumns: [ageColumn],
  schema,
});
