/** Which objects a policy is about, and which clusters they go to. */
import { z } from 'zod';
import { labelSelectorSchema } from '../../meta/selector.ts';
import { anything, fields, opaque } from '../schema.ts';

export const resourceSelector = fields({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string().nullish(),
  /** With a name the label selector is ignored. */
  name: z.string().nullish(),
  labelSelector: labelSelectorSchema.nullish(),
});

const affinity = {
  labelSelector: labelSelectorSchema.nullish(),
  fieldSelector: opaque.nullish(),
  clusterNames: z.array(z.string()).nullish(),
  exclude: z.array(z.string()).nullish(),
};

export const clusterAffinity = fields(affinity);

/** No affinity: every cluster. No replicaScheduling: each of them gets the whole object. */
export const placementSchema = fields({
  clusterAffinity: clusterAffinity.nullish(),
  clusterAffinities: z.array(fields({ affinityName: z.string(), ...affinity })).nullish(),
  clusterTolerations: z
    .array(
      fields({
        key: z.string().nullish(),
        operator: z.string().nullish(),
        value: z.string().nullish(),
        effect: z.string().nullish(),
      }),
    )
    .nullish(),
  spreadConstraints: z.array(opaque).nullish(),
  replicaScheduling: fields({
    replicaSchedulingType: z.string().nullish(),
    replicaDivisionPreference: z.string().nullish(),
    weightPreference: anything,
  }).nullish(),
});
