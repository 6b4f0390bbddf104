import { z } from 'zod';
import { int64 } from '../../meta/object.ts';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, time } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

/** An object of any kind, without its version. */
const reference = fields({
  apiGroup: z.string().nullish(),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
});

const amount = z.union(int64.options).register(serverRules, { minimum: 0 });

const grantReasons = ['QuotaAvailable', 'QuotaExceeded', 'ValidationFailed', 'PendingEvaluation'];

const schema = kubeObject({
  spec: fields({
    /** Who pays. */
    consumerRef: reference.nullish(),
    /** What the quota is for. Its kind must be one that the quota system lets claim. */
    resourceRef: reference.nullish(),
    /** All or nothing. */
    requests: z
      .array(fields({ resourceType: z.string().register(serverRules, { minLength: 1 }), amount }))
      .register(serverRules, { minItems: 1, maxItems: 20 }),
  }),
  status: fields({
    observedGeneration: int64.nullish(),
    allocations: z
      .array(
        fields({
          resourceType: z.string().register(serverRules, { minLength: 1 }),
          status: z.string().register(serverRules, { enum: ['Granted', 'Denied', 'Pending'] }),
          reason: z.string().nullish(),
          message: z.string().nullish(),
          allocatedAmount: amount.nullish(),
          allocatingBucket: z.string().nullish(),
          lastTransitionTime: time.nullish(),
        }).register(serverRules, { required: ['lastTransitionTime'] }),
      )
      .nullish(),
    conditions: conditionsSchema.nullish().register(serverRules, {
      cel: [
        {
          rule: `self.all(c, c.type != 'Granted' || c.reason in [${grantReasons.map((reason) => `'${reason}'`).join(', ')}])`,
          message: `the reason of Granted is one of ${grantReasons.join(', ')}`,
        },
      ],
      maxItems: 16,
    }),
  })
    // False, not Unknown: a claim that nobody has evaluated reads like one without budget, but for its reason.
    .register(serverRules, {
      default: initialStatus({ type: 'Granted', status: 'False', reason: 'PendingEvaluation' }),
    })
    .nullish(),
}).register(serverRules, { description: 'A claim on quota. A grant holds until the claim is deleted.' });

/** A claim on quota. A grant holds until the claim is deleted; a denied claim is never looked at again. */
export type ResourceClaim = z.infer<typeof schema>;
export const ResourceClaim = defineKind<ResourceClaim>({
  group: 'quota.miloapis.com',
  version: 'v1alpha1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'spec.requests': ['resourceType'],
    'status.allocations': ['resourceType'],
    'status.conditions': ['type'],
  },
  printerColumns: [
    conditionColumn('Granted'),
    { name: 'Resource', type: 'string', jsonPath: '.spec.requests[0].resourceType', priority: 1 },
    ageColumn,
  ],
  selectableFields: [
    '.spec.consumerRef.kind',
    '.spec.consumerRef.name',
    '.spec.resourceRef.apiGroup',
    '.spec.resourceRef.kind',
    '.spec.resourceRef.name',
    '.spec.resourceRef.namespace',
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Organization,Project' },
  schema,
});
