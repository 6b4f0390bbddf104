/**
 * Whether a connector's agent renews its Lease, judged by when *we* saw it renewed.
 *
 * Neither the agent's clock nor ours as wall time plays a part: an observation is a monotonic time of this process. Used by the
 * connector controller alone; everybody else reads the `Ready` condition that it writes.
 */
import { leaseDefaults } from '../contract/defaults.ts';
import type { Int64 } from '../json/value.ts';
import { type DurationMs, later, type MonotonicMs } from '../time.ts';

/** As much of a Lease as tells renewals apart. */
export interface LeaseLike {
  readonly metadata: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly spec?:
    | {
        readonly renewTime?: string | null | undefined;
        readonly leaseDurationSeconds?: Int64 | null | undefined;
      }
    | null
    | undefined;
}

interface Seen {
  /** When the state was entered. */
  readonly since: MonotonicMs;
  readonly durationMs: DurationMs;
  readonly mark: LeaseMark;
}

/** Two marks differ exactly when the Lease was written in between. */
interface LeaseMark {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly renewTime: string;
}

/**
 * What is known of one Lease. Kept by the controller, moved by {@link observeLease}.
 * - `unseen`: nothing, or nothing any more: the watch of its plane has a gap. Time does not run here
 * - `absent`: it does not exist
 * - `never-renewed`: it exists and has no renewTime
 * - `first-sight`: it was renewed at some time that we have not seen, which proves nothing
 * - `renewed`: we saw it change, at `since`
 */
export type LeaseObservation =
  | { readonly at: 'unseen' }
  | { readonly at: 'absent' }
  | { readonly at: 'never-renewed'; readonly durationMs: DurationMs; readonly uid: string | undefined }
  | ({ readonly at: 'first-sight' } & Seen)
  | ({ readonly at: 'renewed' } & Seen);

/** To start with, after a shard move, and whenever the plane's Lease watch has a gap: what was seen before it counts no more. */
export const unseenLease: LeaseObservation = { at: 'unseen' };

/**
 * What is known after looking at the Lease in a cache that is fresh, or by a live read. Undefined: it does not exist.
 *
 * A renewal is a change of renewTime or resourceVersion of the same Lease. The same observation is returned when nothing was renewed.
 */
export function observeLease(
  before: LeaseObservation,
  lease: LeaseLike | undefined,
  now: MonotonicMs,
): LeaseObservation {
  if (!lease) return before.at === 'absent' ? before : { at: 'absent' };
  const { uid, resourceVersion } = lease.metadata;
  const durationMs = clampDuration(lease.spec?.leaseDurationSeconds);
  const renewTime = lease.spec?.renewTime;
  if (!renewTime) {
    const same = before.at === 'never-renewed' && before.uid === uid && before.durationMs === durationMs;
    return same ? before : { at: 'never-renewed', durationMs, uid };
  }

  const seen = { since: now, durationMs, mark: { uid, resourceVersion, renewTime } };
  switch (before.at) {
    case 'unseen':
    case 'absent':
      return { at: 'first-sight', ...seen };
    case 'never-renewed':
      return { at: before.uid === uid ? 'renewed' : 'first-sight', ...seen };
    case 'first-sight':
    case 'renewed':
      if (before.mark.uid !== uid) return { at: 'first-sight', ...seen };
      return sameMark(before.mark, seen.mark) ? before : { at: 'renewed', ...seen };
  }
}

/**
 * What is known after a write of our own that left renewTime as it was, and the Lease as that write left it: it stands at another version,
 * and nobody renewed it. The period goes on.
 */
export function rewrittenLease(before: LeaseObservation, lease: LeaseLike): LeaseObservation {
  const { uid, resourceVersion } = lease.metadata;
  if ((before.at !== 'first-sight' && before.at !== 'renewed') || before.mark.uid !== uid) return before;
  const durationMs = clampDuration(lease.spec?.leaseDurationSeconds);
  return { ...before, durationMs, mark: { ...before.mark, resourceVersion } };
}

/**
 * - `fresh`: renewed within its duration
 * - `expired`: not renewed for its duration, since the last renewal or since it was first seen
 * - `unproven`: not seen for long enough to tell; `Ready` stays as it is
 * - `absent`, `never-renewed`: not ready at once
 *
 * `recheckAt`: when the answer changes by time alone, or, while not ready, when to look again; undefined where time does not run.
 */
export type LeaseFreshness =
  | { readonly state: 'unproven'; readonly recheckAt: MonotonicMs | undefined; readonly durationMs: DurationMs }
  | {
      readonly state: 'fresh' | 'expired' | 'absent' | 'never-renewed';
      readonly recheckAt: MonotonicMs;
      readonly durationMs: DurationMs;
    };

const defaultDurationMs: DurationMs = leaseDefaults.durationSeconds * 1000;

/** Exactly at expiry it is expired. */
export function leaseFreshness(observed: LeaseObservation, now: MonotonicMs): LeaseFreshness {
  switch (observed.at) {
    case 'unseen':
      return { state: 'unproven', recheckAt: undefined, durationMs: defaultDurationMs };
    case 'absent':
      return { state: 'absent', recheckAt: later(now, defaultDurationMs), durationMs: defaultDurationMs };
    case 'never-renewed': {
      const { durationMs } = observed;
      return { state: 'never-renewed', recheckAt: later(now, durationMs), durationMs };
    }
    case 'first-sight':
    case 'renewed': {
      const { durationMs } = observed;
      const expiry = later(observed.since, durationMs);
      if (now >= expiry) return { state: 'expired', recheckAt: later(now, durationMs), durationMs };
      return { state: observed.at === 'renewed' ? 'fresh' : 'unproven', recheckAt: expiry, durationMs };
    }
  }
}

/**
 * How long to wait before the re-check; undefined where time does not run. Late by up to a tenth of the duration, so that connectors
 * that went silent together are not all looked at in one instant.
 * @param chance in [0, 1)
 */
export function recheckDelayMs(freshness: LeaseFreshness, now: MonotonicMs, chance: number): DurationMs | undefined {
  if (freshness.recheckAt === undefined) return undefined;
  return Math.max(0, freshness.recheckAt - now) + chance * leaseDefaults.recheckJitter * freshness.durationMs;
}

/** Whatever the Lease says, between 5 s and 1 h; what says nothing (absent, 0) is the default. */
function clampDuration(seconds: Int64 | null | undefined): DurationMs {
  const ms = Number(seconds ?? 0) * 1000;
  if (ms === 0) return defaultDurationMs;
  return Math.min(Math.max(ms, leaseDefaults.minDurationMs), leaseDefaults.maxDurationMs);
}

const sameMark = (a: LeaseMark, b: LeaseMark): boolean =>
  a.resourceVersion === b.resourceVersion && a.renewTime === b.renewTime;
