import type { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { policyListMapKeys, policyStatusSchema, policyTargets } from '../gateway/policy.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({ spec: fields(policyTargets), status: policyStatusSchema.nullish() });

/** How Envoy talks to the clients of the Gateways it targets. */
export type ClientTrafficPolicy = z.infer<typeof schema>;
export const ClientTrafficPolicy = defineKind<ClientTrafficPolicy>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'ClientTrafficPolicy',
  plural: 'clienttrafficpolicies',
  scope: 'Namespaced',
  shortNames: ['ctp'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  printerColumns: [ageColumn],
  schema,
});
