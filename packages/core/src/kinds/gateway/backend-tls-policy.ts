import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, stringMap } from '../schema.ts';
import { policyListMapKeys, policyStatusSchema } from './policy.ts';
import { objectReference, policyTargetReference } from './references.ts';

const schema = kubeObject({
  spec: fields({
    targetRefs: z.array(policyTargetReference),
    validation: fields({
      caCertificateRefs: z.array(objectReference).nullish(),
      wellKnownCACertificates: z.string().nullish(),
      hostname: z.string(),
      subjectAltNames: z
        .array(fields({ type: z.string(), hostname: z.string().nullish(), uri: z.string().nullish() }))
        .nullish(),
    }),
    options: stringMap.nullish(),
  }),
  status: policyStatusSchema.nullish(),
});

/**
 * How a Gateway verifies the TLS of a backend. Older planes serve it as `v1alpha3` only, newer ones have dropped that: ask the plane
 * which of `versions` it has.
 */
export type BackendTLSPolicy = z.infer<typeof schema>;
export const BackendTLSPolicy = defineKind<BackendTLSPolicy>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'BackendTLSPolicy',
  plural: 'backendtlspolicies',
  scope: 'Namespaced',
  shortNames: ['btlspolicy'],
  categories: ['gateway-api'],
  versions: ['v1', 'v1alpha3'],
  statusSubresource: true,
  listMapKeys: policyListMapKeys,
  printerColumns: [ageColumn],
  schema,
});
