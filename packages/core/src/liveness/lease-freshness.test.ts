import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import { monotonicMs } from '../time.ts';
import {
  leaseFreshness,
  type LeaseLike,
  type LeaseObservation,
  observeLease,
  recheckDelayMs,
  rewrittenLease,
  unseenLease,
} from './lease-freshness.ts';

const t = monotonicMs;
const lease = (
  renewTime: string | null | undefined,
  over: { uid?: string; rv?: string; seconds?: number | JsonNumber | null } = {},
): LeaseLike => ({
  metadata: { uid: over.uid ?? 'u1', resourceVersion: over.rv ?? String(renewTime) },
  spec: { renewTime, leaseDurationSeconds: 'seconds' in over ? over.seconds : 30 },
});
const first = '2026-01-01T00:00:00.000000Z';
const second = '2026-01-01T00:00:00.000400Z';

const firstSight = ({ at, seconds }: { at: number; seconds: number }) =>
  observeLease(unseenLease, lease(first, { seconds }), t(at));
const renewal = ({ seenAt, seconds }: { seenAt: number; seconds: number }) =>
  observeLease(firstSight({ at: seenAt - 1000, seconds }), lease(second, { seconds }), t(seenAt));

describe('leaseFreshness', () => {
  it.each([
    { name: 'never seen renewed', observed: firstSight({ at: 0, seconds: 30 }), now: 29_999, want: 'unproven' },
    {
      name: 'never seen renewed for a whole period',
      observed: firstSight({ at: 0, seconds: 30 }),
      now: 30_000,
      want: 'expired',
    },
    { name: 'just renewed', observed: renewal({ seenAt: 0, seconds: 30 }), now: 0, want: 'fresh' },
    { name: '1 ms before expiry', observed: renewal({ seenAt: 0, seconds: 30 }), now: 29_999, want: 'fresh' },
    { name: 'exactly at expiry', observed: renewal({ seenAt: 0, seconds: 30 }), now: 30_000, want: 'expired' },
    { name: 'long after', observed: renewal({ seenAt: 0, seconds: 30 }), now: 1e9, want: 'expired' },
    { name: 'no Lease', observed: observeLease(unseenLease, undefined, t(0)), now: 0, want: 'absent' },
    {
      name: 'no renewTime',
      observed: observeLease(unseenLease, lease(undefined), t(0)),
      now: 0,
      want: 'never-renewed',
    },
    { name: 'a null renewTime', observed: observeLease(unseenLease, lease(null), t(0)), now: 0, want: 'never-renewed' },
    { name: 'nothing seen, however long', observed: unseenLease, now: 1e9, want: 'unproven' },
    {
      name: '1 s counts as 5 s: fresh before',
      observed: renewal({ seenAt: 0, seconds: 1 }),
      now: 4_999,
      want: 'fresh',
    },
    {
      name: '1 s counts as 5 s: expired after',
      observed: renewal({ seenAt: 0, seconds: 1 }),
      now: 5_000,
      want: 'expired',
    },
    {
      name: '2 h count as 1 h: fresh before',
      observed: renewal({ seenAt: 0, seconds: 7200 }),
      now: 3_599_999,
      want: 'fresh',
    },
    {
      name: '2 h count as 1 h: expired after',
      observed: renewal({ seenAt: 0, seconds: 7200 }),
      now: 3_600_000,
      want: 'expired',
    },
  ])('$name → $want', ({ observed, now, want }) => {
    expect(leaseFreshness(observed, t(now)).state).toBe(want);
  });

  it.each([
    { seconds: null, ms: 30_000 },
    { seconds: 0, ms: 30_000 },
    { seconds: -5, ms: 5_000 },
    { seconds: 5, ms: 5_000 },
    { seconds: 3600, ms: 3_600_000 },
    { seconds: new JsonNumber('9223372036854775807'), ms: 3_600_000 },
  ])('a duration of $seconds s is $ms ms', ({ seconds, ms }) => {
    expect(leaseFreshness(observeLease(unseenLease, lease(first, { seconds }), t(0)), t(0)).durationMs).toBe(ms);
  });
});

describe('observeLease', () => {
  const seen = firstSight({ at: 0, seconds: 30 });
  const renewed = renewal({ seenAt: 10_000, seconds: 30 });
  const at = (observation: LeaseObservation) => observation.at;

  it.each([
    { name: 'first sight proves nothing', before: unseenLease, now: lease(first), want: 'first-sight' },
    {
      name: 'a Lease that appears with a renewTime proves nothing',
      before: observeLease(unseenLease, undefined, t(0)),
      now: lease(first),
      want: 'first-sight',
    },
    {
      name: 'the first renewal of a Lease seen without one',
      before: observeLease(unseenLease, lease(null), t(0)),
      now: lease(first),
      want: 'renewed',
    },
    { name: 'renewTime changed, by 400 µs', before: seen, now: lease(second), want: 'renewed' },
    { name: 'renewTime went back', before: renewed, now: lease(first), want: 'renewed' },
    { name: 'only the resourceVersion changed', before: seen, now: lease(first, { rv: '8' }), want: 'renewed' },
    {
      name: 'a Lease made anew proves nothing',
      before: renewed,
      now: lease('2026-01-01T00:01:00.000000Z', { uid: 'u2' }),
      want: 'first-sight',
    },
    {
      name: 'made anew between two looks, first without renewTime',
      before: observeLease(unseenLease, lease(null), t(0)),
      now: lease(first, { uid: 'u2' }),
      want: 'first-sight',
    },
    { name: 'deleted', before: renewed, now: undefined, want: 'absent' },
    { name: 'recreated by us', before: renewed, now: lease(undefined, { uid: 'u2' }), want: 'never-renewed' },
  ])('$name → $want', ({ before, now, want }) => {
    expect(at(observeLease(before, now, t(20_000)))).toBe(want);
  });

  it.each([
    { name: 'first sight', before: seen, now: lease(first) },
    { name: 'renewed', before: renewed, now: lease(second) },
    { name: 'absent', before: observeLease(unseenLease, undefined, t(0)), now: undefined },
    { name: 'never renewed', before: observeLease(unseenLease, lease(null), t(0)), now: lease(null) },
  ])('a relist that shows the same Lease moves nothing: $name', ({ before, now }) => {
    expect(observeLease(before, now, t(25_000))).toBe(before);
  });

  it('a gap in the watch: time stands still, and the period starts again at the relist', () => {
    const fresh = leaseFreshness(renewed, t(39_999)).state;
    expect(fresh).toBe('fresh');
    const inTheGap = leaseFreshness(unseenLease, t(500_000));
    expect(inTheGap).toMatchObject({ state: 'unproven', recheckAt: undefined });
    const relisted = observeLease(unseenLease, lease(second), t(500_000));
    expect(leaseFreshness(relisted, t(529_999)).state).toBe('unproven');
    expect(leaseFreshness(relisted, t(530_000)).state).toBe('expired');
  });

  it('the agent’s clock plays no part: any renewTime, any skew', () => {
    const skewed = observeLease(seen, lease('1999-12-31T23:59:59.000000Z'), t(10_000));
    expect(leaseFreshness(skewed, t(10_000)).state).toBe('fresh');
  });

  it('renewed within every period, a lease never expires; silent for one, it has', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 29_999 }), { minLength: 1, maxLength: 20, size: 'max' }),
        (gaps) => {
          let observed = firstSight({ at: 0, seconds: 30 });
          let now = 0;
          for (const [index, gap] of gaps.entries()) {
            now += gap;
            expect(leaseFreshness(observed, t(now)).state).not.toBe('expired');
            observed = observeLease(observed, lease(`renewal-${index}`), t(now));
            expect(leaseFreshness(observed, t(now)).state).toBe('fresh');
          }
          expect(leaseFreshness(observed, t(now + 30_000)).state).toBe('expired');
        },
      ),
      { seed: 46, numRuns: 200 },
    );
  });
});

describe('rewrittenLease', () => {
  const renewed = renewal({ seenAt: 10_000, seconds: 30 });

  it.each([
    { name: 'first sight', before: firstSight({ at: 5_000, seconds: 30 }), renewTime: first },
    { name: 'renewed', before: renewed, renewTime: second },
  ])('a write of our own proves nothing: $name', ({ before, renewTime }) => {
    const written = lease(renewTime, { rv: '99', seconds: 60 });
    const after = rewrittenLease(before, written);
    expect(after).toEqual({ ...before, durationMs: 60_000, mark: { uid: 'u1', resourceVersion: '99', renewTime } });
    expect(observeLease(after, written, t(20_000))).toBe(after);
    expect(observeLease(after, lease(renewTime, { rv: '100' }), t(20_000)).at).toBe('renewed');
  });

  it.each([
    { name: 'unseen', before: unseenLease },
    { name: 'absent', before: observeLease(unseenLease, undefined, t(0)) },
    { name: 'never renewed', before: observeLease(unseenLease, lease(null), t(0)) },
    { name: 'another Lease', before: renewed, uid: 'u2' },
  ])('changes nothing where there is nothing to go on: $name', ({ before, uid = 'u1' }) => {
    expect(rewrittenLease(before, lease(second, { rv: '99', uid }))).toBe(before);
  });
});

describe('re-checks', () => {
  const renewed = renewal({ seenAt: 0, seconds: 30 });
  it.each([
    { name: 'fresh: at expiry', observed: renewed, now: 10_000, chance: 0, want: 20_000 },
    { name: 'fresh: up to a tenth later', observed: renewed, now: 10_000, chance: 0.5, want: 21_500 },
    { name: 'expired: once a period', observed: renewed, now: 40_000, chance: 0, want: 30_000 },
    {
      name: 'first sight: when the period ends',
      observed: firstSight({ at: 0, seconds: 60 }),
      now: 10_000,
      chance: 0,
      want: 50_000,
    },
    {
      name: 'absent: once a default period',
      observed: observeLease(unseenLease, undefined, t(0)),
      now: 99,
      chance: 0,
      want: 30_000,
    },
    {
      name: 'never renewed: once a period',
      observed: observeLease(unseenLease, lease(null, { seconds: 60 }), t(0)),
      now: 99,
      chance: 0,
      want: 60_000,
    },
    { name: 'unseen: not by time', observed: unseenLease, now: 0, chance: 0.5, want: undefined },
  ])('$name', ({ observed, now, chance, want }) => {
    expect(recheckDelayMs(leaseFreshness(observed, t(now)), t(now), chance)).toBe(want);
  });
});
