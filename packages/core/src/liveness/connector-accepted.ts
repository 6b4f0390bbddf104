/** What a Connector's `Accepted` condition says about its class. */
import { conditionTypes, connectorMessages, connectorReasons } from '../contract/conditions.ts';
import type { DesiredCondition } from '../meta/conditions.ts';

/** All that `Accepted` depends on. */
export interface AcceptedInputs {
  /** `spec.connectorClassName`. */
  readonly className: string | null | undefined;
  /** Whether a ConnectorClass of that name exists, as a synced cache or a live read says. Which controller it names does not matter. */
  readonly classExists: boolean;
}

/** `Accepted` as the class wants it, without observedGeneration. */
export function acceptedByClass({ className, classExists }: AcceptedInputs): DesiredCondition {
  const type = conditionTypes.accepted;
  if (!className)
    return { type, status: 'False', reason: connectorReasons.pending, message: connectorMessages.noClass };
  if (classExists) {
    return { type, status: 'True', reason: connectorReasons.accepted, message: connectorMessages.accepted };
  }
  const message = connectorMessages.classNotFound(className);
  return { type, status: 'False', reason: connectorReasons.classNotFound, message };
}
