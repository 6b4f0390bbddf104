import { z } from 'zod';
import { conditionsSchema } from '../condition.ts';
import { policyListMapKeys } from '../gateway/policy.ts';
import { parentReference } from '../gateway/references.ts';
import { defineKind } from '../kind.ts';
import { anything, fields, kubeObject, opaque } from '../schema.ts';

const jsonPatch = fields({
  op: z.string(),
  path: z.string().nullish(),
  jsonPath: z.string().nullish(),
  from: z.string().nullish(),
  value: anything,
});

const schema = kubeObject({
  spec: fields({
    provider: fields({ type: z.string().nullish(), kubernetes: opaque.nullish() }).nullish(),
    /** Envoy's bootstrap: `value` is YAML that is merged into the default one, or replaces it. */
    bootstrap: fields({
      type: z.string().nullish(),
      value: z.string().nullish(),
      jsonPatches: z.array(jsonPatch).nullish(),
    }).nullish(),
    mergeGateways: z.boolean().nullish(),
    telemetry: opaque.nullish(),
    logging: opaque.nullish(),
    shutdown: opaque.nullish(),
  }),
  status: fields({
    ancestors: z.array(fields({ ancestorRef: parentReference, conditions: conditionsSchema.nullish() })).nullish(),
  }).nullish(),
});

/** How Envoy Gateway runs Envoy for a GatewayClass or a Gateway. */
export type EnvoyProxy = z.infer<typeof schema>;
export const EnvoyProxy = defineKind<EnvoyProxy>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'EnvoyProxy',
  plural: 'envoyproxies',
  scope: 'Namespaced',
  shortNames: ['eproxy'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  schema,
});
