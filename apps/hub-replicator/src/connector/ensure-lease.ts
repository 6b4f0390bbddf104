/** Makes sure that a connector has its Lease, and finds out what the Lease says. */
import {
  type Clock,
  conditionTypes,
  type Connector,
  deadlineAbort,
  DeadlineError,
  type DurationMs,
  isConditionTrue,
  Lease,
  leaseFreshness,
  type LeaseFreshness,
  type ObjectKey,
  parseKey,
  unseenLease,
} from '@lifeline/core';
import { isBefore, isKubeError, type ScopedCluster, type Write } from '@lifeline/k8s';
import { judge, turnsFalse } from './decide.ts';
import type { LeaseTable } from './lease-table.ts';
import { leaseCreation, leaseRepair, type LeaseSettings } from './lease-writes.ts';

export interface LeaseLook {
  readonly project: ScopedCluster;
  readonly table: LeaseTable;
  readonly connector: Connector;
  readonly settings: LeaseSettings;
  readonly key: ObjectKey;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface LeaseFinding {
  readonly freshness: LeaseFreshness;
  readonly leaseExists: boolean;
  /** Why the Lease could not be read, made or repaired. What was found out all the same is said first; then it is tried again. */
  readonly fault?: Error;
}

/** A live read that takes longer proves nothing: the plane may have been away meanwhile, for the agent too. */
const lookMs: DurationMs = 5_000;

/**
 * Goes by the cache as long as that changes nothing. A Lease that is made or repaired, and one that would end a `Ready` that is True,
 * is read live first; that of a connector that is not ready now and then, at the pace of the floor.
 */
export async function ensureLease(look: LeaseLook): Promise<LeaseFinding> {
  const { project, table, key } = look;
  try {
    const cached = table.hearing.wantsLook ? undefined : project.store(Lease).get(key);
    if (cached && !leaseRepair(look.connector, cached, look.settings) && !endsReady(look) && !isDoubtful(look)) {
      return { freshness: table.freshness(key), leaseExists: true };
    }
  } catch (error) {
    return { ...unknown(look), fault: error as Error };
  }
  return lookLive(look);
}

async function lookLive(look: LeaseLook): Promise<LeaseFinding> {
  const { project, table, connector, settings, key, clock, signal } = look;
  const cached = knownLease(project, key);
  let lease: Lease | undefined;
  try {
    using life = deadlineAbort(clock, lookMs, signal);
    lease = await project.live.find(Lease, parseKey(key), { signal: life.signal });
  } catch (error) {
    if (isAway(error)) table.hearing.interrupted();
    return { ...unknown(look), fault: error as Error };
  }
  if (lease && cached && isOfThePast(lease, cached)) {
    table.hearing.interrupted();
    return { ...unknown(look), leaseExists: true };
  }
  table.observe(key, lease);
  try {
    if (!lease) {
      lease = await write(look, leaseCreation(connector, settings));
      table.observe(key, lease);
    }
    const repair = leaseRepair(connector, lease, settings);
    if (repair) await table.rewrite(key, () => write(look, repair));
  } catch (error) {
    return { freshness: table.freshness(key), leaseExists: lease !== undefined, fault: error as Error };
  }
  return { freshness: table.freshness(key), leaseExists: true };
}

/** What the cache has. One that cannot be read knows nothing. */
function knownLease(project: ScopedCluster, key: ObjectKey): Lease | undefined {
  try {
    return project.store(Lease).get(key);
  } catch {
    return undefined;
  }
}

/**
 * Older than what was known before it was read: the server lags, or was restored from a backup. Then the watch goes on from a revision that is yet
 * to come, and says nothing of what is renewed meanwhile: a gap, which ends when the cache has been listed anew.
 */
const isOfThePast = ({ metadata }: Lease, { metadata: known }: Lease): boolean =>
  metadata.uid === known.uid && isBefore(metadata.resourceVersion ?? '', known.resourceVersion ?? '');

/** The plane did not answer, or not now. What it refuses is an answer. */
const isAway = (error: unknown): boolean =>
  error instanceof DeadlineError || isKubeError(error, 'unavailable', 'timeout', 'throttled');

/** Nothing is proven: `Ready` stays as it is. */
const unknown = ({ clock }: LeaseLook): LeaseFinding => ({
  freshness: leaseFreshness(unseenLease, clock.monotonic()),
  leaseExists: false,
});

function endsReady({ table, connector, key }: LeaseLook): boolean {
  const { ready } = judge({ connector, classExists: true, freshness: table.freshness(key) });
  return turnsFalse(connector, ready);
}

/** A connector that is not ready may be so because a deletion of its Lease was never told: its agent cannot make it again. */
const isDoubtful = ({ table, connector, key }: LeaseLook): boolean =>
  !isConditionTrue(connector.status?.conditions, conditionTypes.ready) && table.isUnread(key);

async function write({ project, signal }: LeaseLook, write: Write<Lease>): Promise<Lease> {
  // Neither a create nor a patch ends an object.
  return (await project.write(write, { signal })) as Lease;
}
