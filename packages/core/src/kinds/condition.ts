/** Conditions as part of a kind: what writers owe the API server, and the status a new object starts with. */
import { z } from 'zod';
import type { JsonValue } from '../json/value.ts';
import { conditionSchema } from '../meta/conditions.ts';
import { serverRules } from './server-rules.ts';

/** @see kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go, Condition: limits and patterns */
const { type, status, reason, message, lastTransitionTime, observedGeneration } = conditionSchema.shape;
type.register(serverRules, {
  maxLength: 316,
  pattern:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
});
status.register(serverRules, { enum: ['True', 'False', 'Unknown'] });
reason.register(serverRules, {
  minLength: 1,
  maxLength: 1024,
  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
});
message.register(serverRules, { maxLength: 32_768 });
lastTransitionTime.register(serverRules, { format: 'date-time' });
observedGeneration.register(serverRules, { minimum: 0 });
conditionSchema.register(serverRules, { required: ['status', 'reason', 'message', 'lastTransitionTime'] });

export const conditionsSchema = z.array(conditionSchema);

interface InitialCondition {
  readonly type: string;
  /** Default `Unknown`. */
  readonly status?: string;
  /** Default `Pending`. */
  readonly reason?: string;
}

/**
 * A default `.status`, so that readers find "nobody looked yet" and not nothing. Its transition times are 1970, which stands for "not
 * known".
 */
export const initialStatus = (...conditions: readonly InitialCondition[]): JsonValue => ({
  conditions: conditions.map(({ type, status = 'Unknown', reason = 'Pending' }) => ({
    type,
    status,
    reason,
    message: 'No controller has looked at this object yet.',
    lastTransitionTime: '1970-01-01T00:00:00Z',
  })),
});
