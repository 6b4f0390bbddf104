/** What a connector's status should say. Pure. */
import {
  acceptedByClass,
  type Condition,
  conditionEntry,
  conditionsToApply,
  conditionTypes,
  Connector,
  connectorMessages,
  connectorReasons,
  type DesiredCondition,
  type EpochMs,
  findCondition,
  type LeaseFreshness,
  readyByLease,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';

export interface Seen {
  readonly connector: Connector;
  /** A ConnectorClass of the connector's class name exists. */
  readonly classExists: boolean;
  readonly freshness: LeaseFreshness;
}

export interface Verdict {
  readonly accepted: DesiredCondition;
  readonly ready: DesiredCondition;
}

/** Both conditions as class and Lease want them. Without a class that exists the Lease does not matter. */
export function judge({ connector, classExists, freshness }: Seen): Verdict {
  const { metadata, spec, status } = connector;
  const observedGeneration = metadata.generation;
  const accepted = acceptedByClass({ className: spec.connectorClassName, classExists });
  const ready =
    accepted.status === 'True'
      ? readyByLease({
          freshness,
          current: conditionOf(connector, conditionTypes.ready),
          leaseRecorded: Boolean(status?.leaseRef?.name),
        })
      : notAccepted;
  return { accepted: { ...accepted, observedGeneration }, ready: { ...ready, observedGeneration } };
}

const notAccepted: DesiredCondition = {
  type: conditionTypes.ready,
  status: 'False',
  reason: connectorReasons.notReady,
  message: connectorMessages.notAccepted,
};

const conditionOf = ({ status }: Connector, type: string): Condition | undefined =>
  findCondition(status?.conditions, type);

/** The condition says True now, and would not any more. */
export const turnsFalse = (connector: Connector, { type, status }: DesiredCondition): boolean =>
  status !== 'True' && conditionOf(connector, type)?.status === 'True';

export interface WantedStatus extends Verdict {
  /** There is a Lease. */
  readonly leaseExists: boolean;
}

/**
 * All that we own of the status, as one apply; undefined when it says so already. What others own, conditions included, is not touched.
 *
 * The apply is of the connector as it was read: it fails on any other state of it, so that a time of transition is never taken from an
 * old one.
 */
export function statusWrite(
  connector: Connector,
  { accepted, ready, leaseExists }: WantedStatus,
  now: EpochMs,
): Write<Connector> | undefined {
  const { namespace, name, uid, resourceVersion } = connector.metadata;
  const recorded = connector.status?.leaseRef?.name || undefined;
  const leaseName = leaseExists ? name : recorded;
  const desired = [accepted, ready];
  if (leaseName === recorded && conditionsToApply(connector, desired, now) === undefined) return undefined;
  const conditions = desired.map((condition) => conditionEntry(conditionOf(connector, condition.type), condition, now));
  const object = {
    apiVersion: Connector.apiVersion,
    kind: Connector.kind,
    metadata: { namespace, name, uid, resourceVersion },
    // An apply takes back what it leaves out: all that is ours goes each time.
    status: { conditions, ...(leaseName === undefined ? {} : { leaseRef: { name: leaseName } }) },
  };
  return { verb: 'apply', kind: Connector, object, force: true, subresource: 'status' };
}
