import { type DurationMs, isDeleting, keyOf } from '@lifeline/core';
import type { Write } from '../world/record.ts';
import type { OwnWrite, Oracle } from './oracle.ts';
import { uidPrecondition } from './request.ts';
import { isHousekeeping } from './s3-own-lane.ts';
import { type CopyRules, placeOf, type Upstream } from './subject.ts';
import { isLive, type Truth } from './truth.ts';

/**
 * What can be taken back (a label that says "copy this") may change while the delete is on its way: it counts as it was at any moment since
 * the request could have left. A client gives a write 30 s.
 */
const flightMs: DurationMs = 35_000;
/** How long a project must have been gone. */
const tombstoneMs: DurationMs = 300_000;

/** The write asked for the end of an object: it is gone, or deleting from now on. */
export const isDeletion = ({ revision: { type, object, previous } }: Write): boolean =>
  type === 'DELETED' || (isDeleting(object) && previous !== undefined && !isDeleting(previous));

export const noWrongDelete: Oracle = {
  id: 'S1',
  has: ({ copies }) => copies !== undefined,
  attach: ({ subject, subject: { copies }, truth, report }) => ({
    ownWrite: (write) => {
      if (isHousekeeping(write, subject)) return;
      const fault = copies && isDeletion(write) ? faultOf(write, copies, truth) : undefined;
      if (fault) report(`deleted ${placeOf(write.plane, keyOf(write.revision.object))}: ${fault}`, write);
    },
  }),
};

function faultOf(write: OwnWrite, copies: CopyRules, truth: Truth): string | undefined {
  const { method } = write.by.request;
  // An object that goes because a finalizer left was deleted by somebody else before.
  if (method !== 'DELETE') return undefined;
  const object = write.revision.previous ?? write.revision.object;
  const uid = uidPrecondition(write.by);
  if (uid === undefined) return 'without a UID precondition';
  const placed = { plane: write.plane, object };
  if (!copies.isOurs(placed)) return 'it does not carry our mark';
  const upstream = copies.upstreamOf(placed);
  if (!upstream) return 'it names no upstream';
  return whyAlive(upstream, copies, truth);
}

/** Why an upstream object counts as there; undefined when there is a reason to let go of its copy. */
function whyAlive(upstream: Upstream, copies: CopyRules, truth: Truth): string | undefined {
  const { plane, kind, name } = upstream;
  const goneSince = copies.goneSince?.(plane);
  if (!truth.has(plane) || (goneSince !== undefined && truth.now - goneSince >= tombstoneMs)) return undefined;
  const now = truth.get(plane, kind, name);
  if (now?.metadata.uid !== upstream.uid) return undefined;
  // Before it had this uid it had no copy either.
  for (const state of truth.lately(plane, kind, { name, withinMs: flightMs }))
    if (state?.metadata.uid === upstream.uid && !(isLive(state) && copies.isSelected({ plane, object: state })))
      return undefined;
  return `its upstream in ${plane} is there, with the same uid, and is selected`;
}
