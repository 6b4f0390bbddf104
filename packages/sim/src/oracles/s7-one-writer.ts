import { keyOf, Lease, type MonotonicMs, objectKey } from '@lifeline/core';
import { isWatch, mayWrite, pathOf, type Sent, type Write } from '../world/record.ts';
import { targetOf } from '../world/target.ts';
import type { Oracle } from './oracle.ts';
import { isHousekeeping } from './s3-own-lane.ts';
import { kindIdOf } from './truth.ts';

/** A Lease as it was last written by a replica. */
interface Held {
  readonly process: string;
  readonly until: MonotonicMs;
}

const processOf = ({ actor, incarnation }: Sent): string => `${actor}.${incarnation}`;

export const oneWriter: Oracle = {
  id: 'S7',
  has: () => true,
  attach: ({ subject, report }) => {
    const { election } = subject;
    /** Writes on their way, by process and object. */
    const flying = new Map<string, Sent>();
    let held: Held | undefined;
    /**
     * Who was certain when a stranger deleted the Lease, and a newcomer that had never seen it took it. No protocol over one record can tell a
     * record that was deleted from one that never was.
     */
    let spared: Held | undefined;
    /** Processes that have seen the Lease. */
    const saw = new Set<string>();
    const isTheLease = ({ plane, revision: { object } }: Write): boolean =>
      election !== undefined &&
      plane === election.plane &&
      kindIdOf(object) === Lease.id &&
      keyOf(object) === objectKey(election.lease);
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
        const isLease = election && sent.request.url.endsWith(`/leases/${election.lease.name}`);
        if (isLease && sent.taken && sent.status === 200) saw.add(processOf(sent));
        const key = `${processOf(sent)} ${sent.plane} ${objectPathOf(sent)}`;
        if (flying.get(key) === sent) flying.delete(key);
      },
      ownWrite: (write) => {
        if (isTheLease(write)) {
          const { spec } = write.revision.object as Lease;
          if (write.revision.type === 'ADDED' && held && !saw.has(processOf(write.by))) spared = held;
          // Given back: nobody's, until somebody takes it.
          held = spec?.holderIdentity
            ? { process: processOf(write.by), until: later(write.at, spec.leaseDurationSeconds) }
            : undefined;
          return;
        }
        if (!election || isHousekeeping(write, subject)) return;
        const who = processOf(write.by);
        if (spared?.process === who && write.at <= spared.until) return;
        if (held?.process !== who) report(`${who} wrote, and ${held?.process ?? 'nobody'} holds the Lease`, write);
        else if (write.at > held.until) report(`${who} wrote after its Lease could have been taken`, write);
      },
    };
  },
};

const later = (at: MonotonicMs, seconds: number | null | undefined): MonotonicMs =>
  (at + (seconds ?? 0) * 1_000) as MonotonicMs;

/** The object that a write is about, its subresources included; of a create the collection and who asked: names may be made up. */
const objectPathOf = ({ request, seq }: Sent): string =>
  request.method === 'POST' ? `new ${seq}` : pathOf(request.url).replace(/\?.*/, '');
