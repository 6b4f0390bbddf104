import type { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { policyListMapKeys, policyStatusSchema, policyTargets } from '../gateway/policy.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({ spec: fields(policyTargets), status: policyStatusSchema.nullish() });

/** How Envoy talks to the backends of its targets: retries, timeouts, rate limits, load balancing. */
export type BackendTrafficPolicy = z.infer<typeof schema>;
export const BackendTrafficPolicy = defineKind<BackendTrafficPolicy>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'BackendTrafficPolicy',
  plural: 'backendtrafficpolicies',
  scope: 'Namespaced',
  shortNames: ['btp'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  printerColumns: [ageColumn],
  schema,
});
