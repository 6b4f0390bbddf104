import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { policyListMapKeys, policyStatusSchema } from '../gateway/policy.ts';
import { policyTargetReference } from '../gateway/references.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const level = int32.nullish().register(serverRules, { minimum: 1, maximum: 4, default: 1 });
const list = <S extends z.ZodType>(item: S): z.ZodOptional<z.ZodNullable<z.ZodArray<S>>> =>
  z.array(item).nullish().register(serverRules, { maxItems: 100 });

const coreRuleSet = fields({
  paranoiaLevels: fields({ blocking: level, detection: level })
    .register(serverRules, {
      default: {},
      cel: [
        {
          rule: '!has(self.detection) || !has(self.blocking) || self.detection >= self.blocking',
          message: 'detection must not be below blocking',
        },
      ],
    })
    .nullish(),
  scoreThresholds: fields({
    inbound: int32.nullish().register(serverRules, { minimum: 1, maximum: 10_000, default: 5 }),
    outbound: int32.nullish().register(serverRules, { minimum: 1, maximum: 10_000, default: 4 }),
  })
    .register(serverRules, { default: {} })
    .nullish(),
  ruleExclusions: fields({
    ids: list(z.int()),
    idRanges: list(z.string().register(serverRules, { maxLength: 21, pattern: '^\\d{1,10}-\\d{1,10}$' })),
    tags: list(z.string().register(serverRules, { pattern: '^[a-zA-Z0-9_\\-/]+$' })),
  }).nullish(),
});

const schema = kubeObject({
  spec: fields({
    targetRefs: z.array(policyTargetReference).register(serverRules, { minItems: 1 }),
    mode: z
      .string()
      .register(serverRules, { enum: ['Observe', 'Enforce', 'Disabled'], default: 'Observe' })
      .nullish(),
    samplingPercentage: int32.nullish().register(serverRules, { minimum: 1, maximum: 100, default: 100 }),
    ruleSets: z
      .array(
        fields({
          type: z.string().register(serverRules, { enum: ['OWASPCoreRuleSet'] }),
          owaspCoreRuleSet: coreRuleSet.nullish(),
        }).register(serverRules, { open: true }),
      )
      .register(serverRules, {
        minItems: 1,
        maxItems: 16,
        default: [{ type: 'OWASPCoreRuleSet', owaspCoreRuleSet: {} }],
      })
      .nullish(),
  }).register(serverRules, { open: true }),
  status: policyStatusSchema.nullish(),
}).register(serverRules, { description: 'Web application firewall rules for Gateways and HTTPRoutes.' });

/** Web application firewall rules for Gateways and HTTPRoutes. */
export type TrafficProtectionPolicy = z.infer<typeof schema>;
export const TrafficProtectionPolicy = defineKind<TrafficProtectionPolicy>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'TrafficProtectionPolicy',
  plural: 'trafficprotectionpolicies',
  scope: 'Namespaced',
  shortNames: ['tpp'],
  statusSubresource: true,
  listMapKeys: { 'spec.ruleSets': ['type'], ...policyListMapKeys },
  printerColumns: [{ name: 'Mode', type: 'string', jsonPath: '.spec.mode' }, ageColumn],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
