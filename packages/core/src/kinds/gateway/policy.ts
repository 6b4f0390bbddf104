/** What policies attached to Gateways and routes have in common. */
import { z } from 'zod';
import { conditionsSchema } from '../condition.ts';
import { fields, stringMap } from '../schema.ts';
import { parentReference, policyTargetReference } from './references.ts';

/** One target, several, or all that a selector finds. */
export const policyTargets = {
  targetRef: policyTargetReference.nullish(),
  targetRefs: z.array(policyTargetReference).nullish(),
  targetSelectors: z
    .array(fields({ group: z.string().nullish(), kind: z.string(), matchLabels: stringMap.nullish() }))
    .nullish(),
};

/** One entry per object above the policy and controller that judged it. */
export const policyStatusSchema = fields({
  ancestors: z
    .array(
      fields({
        ancestorRef: parentReference,
        controllerName: z.string(),
        conditions: conditionsSchema.nullish(),
      }),
    )
    .nullish(),
});

/** {@link policyStatusSchema}'s list maps. */
export const policyListMapKeys = { 'status.ancestors[].conditions': ['type'] };
