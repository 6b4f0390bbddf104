import { z } from 'zod';
import { objectMetaSchema } from '../../meta/object.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

// A review is answered, not stored: it goes out with an empty name, and its answer has none.
const metadata = objectMetaSchema.extend({ name: z.string().optional() }) as unknown as typeof objectMetaSchema;

const schema = kubeObject({
  metadata,
  spec: fields({
    resourceAttributes: fields({
      namespace: z.string().nullish(),
      verb: z.string().nullish(),
      group: z.string().nullish(),
      version: z.string().nullish(),
      resource: z.string().nullish(),
      subresource: z.string().nullish(),
      name: z.string().nullish(),
    }).nullish(),
    nonResourceAttributes: fields({ path: z.string().nullish(), verb: z.string().nullish() }).nullish(),
  }),
  status: fields({
    allowed: z.boolean(),
    denied: z.boolean().nullish(),
    reason: z.string().nullish(),
    evaluationError: z.string().nullish(),
  }).nullish(),
});

/** "May I?", asked by creating one. */
export type SelfSubjectAccessReview = z.infer<typeof schema>;
export const SelfSubjectAccessReview = defineKind<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
  statusSubresource: false,
  schema,
});
