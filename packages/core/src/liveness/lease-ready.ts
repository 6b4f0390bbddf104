/** What a Connector's `Ready` condition says about its Lease. */
import { conditionTypes, connectorMessages, connectorReasons } from '../contract/conditions.ts';
import type { Condition, DesiredCondition } from '../meta/conditions.ts';
import type { LeaseFreshness } from './lease-freshness.ts';

/** All that `Ready` depends on. */
export interface ReadyInputs {
  readonly freshness: LeaseFreshness;
  /** `Ready` as it is now. */
  readonly current: Condition | undefined;
  /** `status.leaseRef` names a Lease: one that is absent was there before. */
  readonly leaseRecorded: boolean;
}

/**
 * `Ready` as the Lease wants it, without observedGeneration. While nothing is proven it stays as it is; where there is none, that is
 * False. It does not depend on the connection details: whether they are usable is for the edge to say.
 */
export function readyByLease({ freshness, current, leaseRecorded }: ReadyInputs): DesiredCondition {
  switch (freshness.state) {
    case 'fresh':
      return ready;
    case 'expired':
      return notReady(connectorMessages.leaseExpired);
    case 'never-renewed':
      return notReady(connectorMessages.leaseNeverRenewed);
    case 'absent':
      return notReady(leaseRecorded ? connectorMessages.leaseNotFound : connectorMessages.leaseNotCreated);
    case 'unproven': {
      const { status, reason, message } = current ?? {};
      if (status !== 'True' && status !== 'False') return notReady(connectorMessages.leaseUnproven);
      const said = status === 'True' ? ready : notReady(connectorMessages.leaseUnproven);
      return { ...said, reason: reason || said.reason, message: message ?? said.message };
    }
  }
}

const ready: DesiredCondition = {
  type: conditionTypes.ready,
  status: 'True',
  reason: connectorReasons.ready,
  message: connectorMessages.ready,
};

const notReady = (message: string): DesiredCondition => ({
  type: conditionTypes.ready,
  status: 'False',
  reason: connectorReasons.notReady,
  message,
});
