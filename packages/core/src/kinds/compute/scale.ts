/** How many instances there should be, and how many there are. */
import { z } from 'zod';
import { fields, int32, quantity } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

export const scaleSettingsSchema = fields({
  minReplicas: int32.clone().register(serverRules, { minimum: 0, maximum: 1000 }),
  maxReplicas: int32.nullish().register(serverRules, { minimum: 1, maximum: 1000 }),
  metrics: z
    .array(
      fields({
        resource: fields({
          name: z.string(),
          target: fields({
            value: quantity.nullish(),
            averageValue: quantity.nullish(),
            averageUtilization: int32.nullish(),
          }),
        }).nullish(),
      }).register(serverRules, { open: true }),
    )
    .nullish(),
  instanceManagementPolicy: z
    .string()
    .register(serverRules, { enum: ['OrderedReady'], default: 'OrderedReady' })
    .nullish(),
});

const count = int32.nullish().register(serverRules, { minimum: 0 });

/** Counters of a status. Absent before the first observation. */
export const replicaCounts = {
  /** Instances that exist. */
  replicas: count,
  /** Of the updated ones, those that a provider has programmed. */
  currentReplicas: count,
  /** Instances of the current template, as observed by their provider. */
  updatedReplicas: count,
  desiredReplicas: count,
  readyReplicas: count,
};
