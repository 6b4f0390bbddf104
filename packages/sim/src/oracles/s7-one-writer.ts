import { keyOf, Lease, type MonotonicMs, objectKey, type ObjectName } from '@lifeline/core';
import { isWatch, mayWrite, pathOf, type Sent } from '../world/record.ts';
import { targetOf } from '../world/target.ts';
import type { Oracle, OwnWrite } from './oracle.ts';
import { isHousekeeping } from './s3-own-lane.ts';
import { placeOf, type ShardRules, type Subject } from './subject.ts';
import { kindIdOf } from './truth.ts';

/** A Lease as it was last written by a replica. */
interface Held {
  readonly process: string;
  readonly until: MonotonicMs;
}

const processOf = ({ actor, incarnation }: Sent): string => `${actor}.${incarnation}`;

/** What is known of one Lease. */
class LeaseRecord {
  held: Held | undefined;
  /**
   * Who was certain when a stranger deleted the Lease, and a newcomer that had never seen it took it. An election over one record cannot tell
   * one that was deleted from one that never was. (Who takes a shard waits for as long as somebody may be certain of it.)
   */
  spared: Held | undefined;
  /** Processes that have seen it. */
  readonly saw = new Set<string>();
  readonly sparing: boolean;

  constructor(sparing: boolean) {
    this.sparing = sparing;
  }

  wrote({ at, by, revision }: OwnWrite): void {
    const { spec } = revision.object as Lease;
    if (this.sparing && revision.type === 'ADDED' && this.held && !this.saw.has(processOf(by))) this.spared = this.held;
    // Given back: nobody's, until somebody takes it.
    this.held =
      revision.type !== 'DELETED' && spec?.holderIdentity
        ? { process: processOf(by), until: later(at, spec.leaseDurationSeconds) }
        : undefined;
  }

  /** Why a write that hangs on it should not have been made. */
  faultOf({ at, by }: OwnWrite): string | undefined {
    const who = processOf(by);
    if (this.spared?.process === who && at <= this.spared.until) return undefined;
    if (this.held?.process !== who) return `${who} wrote, and ${this.held?.process ?? 'nobody'} holds the Lease`;
    return at > this.held.until ? `${who} wrote after its Lease could have been taken` : undefined;
  }
}

/** Its one Lease, or those of its shards. */
function leasesOf({ election, shards }: Subject): ShardRules | undefined {
  if (shards || !election) return shards;
  return {
    isLease: ({ plane, object }) =>
      plane === election.plane && kindIdOf(object) === Lease.id && keyOf(object) === objectKey(election.lease),
    leaseOf: () => election,
  };
}

export const oneWriter: Oracle = {
  id: 'S7',
  has: () => true,
  attach: ({ subject, report }) => {
    const leases = leasesOf(subject);
    /** Writes on their way, by process and object. */
    const flying = new Map<string, Sent>();
    const records = new Map<string, LeaseRecord>();
    const recordOf = (plane: string, lease: ObjectName): LeaseRecord => {
      const place = placeOf(plane, objectKey(lease));
      const record = records.get(place) ?? new LeaseRecord(subject.election !== undefined);
      records.set(place, record);
      return record;
    };
    return {
      sent: (sent) => {
        if (!mayWrite(sent.request) || isWatch(sent.request)) return;
        const target = targetOf(sent);
        if (target && subject.isShared?.({ plane: sent.plane, ...target })) return;
        const key = `${processOf(sent)} ${sent.plane} ${objectPathOf(sent)}`;
        const other = flying.get(key);
        if (other)
          report(`${processOf(sent)} sent ${sent.request.method} ${key} while #${other.seq} to it was on its way`);
        flying.set(key, sent);
      },
      settled: (sent) => {
        const lease = leases && sent.taken && sent.status === 200 ? leaseIn(sent) : undefined;
        if (lease) recordOf(sent.plane, lease).saw.add(processOf(sent));
        const key = `${processOf(sent)} ${sent.plane} ${objectPathOf(sent)}`;
        if (flying.get(key) === sent) flying.delete(key);
      },
      ownWrite: (write) => {
        if (!leases) return;
        const { plane, revision } = write;
        const { object, previous } = revision;
        if (leases.isLease({ plane, object })) return recordOf(plane, object.metadata).wrote(write);
        if (isHousekeeping(write, subject)) return;
        // What was taken off is told by what it was.
        const rules = leases.leaseOf({ plane, object: previous ?? object });
        const fault = rules && recordOf(rules.plane, rules.lease).faultOf(write);
        if (fault) report(fault, write);
      },
    };
  },
};

/** The Lease that a request is about. */
const leaseIn = ({ request }: Sent): ObjectName | undefined => {
  const [, namespace, name] = /\/namespaces\/([^/?]+)\/leases\/([^/?]+)/.exec(request.url) ?? [];
  return name === undefined ? undefined : { namespace, name };
};

const later = (at: MonotonicMs, seconds: number | null | undefined): MonotonicMs =>
  (at + (seconds ?? 0) * 1_000) as MonotonicMs;

/** The object that a write is about, its subresources included; of a create the collection and who asked: names may be made up. */
const objectPathOf = ({ request, seq }: Sent): string =>
  request.method === 'POST' ? `new ${seq}` : pathOf(request.url).replace(/\?.*/, '');
