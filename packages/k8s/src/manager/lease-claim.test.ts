import { type DurationMs, Lease } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client/http-client.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { LeaseClaim, type LeaseClaimOptions } from './lease-claim.ts';

const lease = { namespace: 'system', name: 'app' };
const durationMs = 15_000;

interface World {
  readonly clock: VirtualClock;
  readonly hub: ScriptedApi;
  readonly claim: LeaseClaim;
  readonly signal: AbortSignal;
  claimOf(identity: string, options?: Partial<LeaseClaimOptions>): LeaseClaim;
}

function setUp(options: Partial<LeaseClaimOptions> = {}): World {
  const clock = new VirtualClock();
  const hub = createScriptedApi({ clock, random: seeded('hub'), kinds: [Lease] });
  hub.put(Lease, { metadata: lease, spec: { holderIdentity: '' } });
  const { transport } = hub;
  const client = createClient({ transport, baseUrl: 'https://hub', clock, random: seeded('r'), userAgent: 'test' });
  const claimOf: World['claimOf'] = (identity, more) =>
    new LeaseClaim({ client, clock, lease, identity, durationMs, ...options, ...more });
  return { clock, hub, claim: claimOf('me'), claimOf, signal: new AbortController().signal };
}

type Seen = { readonly holder: string; readonly seconds?: number } | 'absent';

describe('LeaseClaim.freeIn', () => {
  it.each<{ name: string; seen: readonly Seen[]; want: DurationMs }>([
    { name: 'never looked', seen: [], want: Infinity },
    { name: 'never there', seen: ['absent'], want: durationMs },
    { name: 'given back', seen: [{ holder: '' }], want: 0 },
    { name: 'given back, then gone', seen: [{ holder: '', seconds: 1 }, 'absent'], want: durationMs },
    { name: 'held by another one', seen: [{ holder: 'other', seconds: 60 }], want: 60_000 },
    { name: 'held by another one that says nothing', seen: [{ holder: 'other' }], want: durationMs },
    { name: 'held by another one, then gone', seen: [{ holder: 'other', seconds: 60 }, 'absent'], want: 60_000 },
    { name: 'ours', seen: [{ holder: 'me', seconds: 60 }], want: 0 },
    { name: 'ours when last seen, long ago, then gone', seen: [{ holder: 'me', seconds: 60 }, 'absent'], want: 60_000 },
  ])('$name → $want ms', ({ seen, want }) => {
    const { claim, hub } = setUp();
    for (const one of seen) {
      const spec = one === 'absent' ? undefined : { holderIdentity: one.holder, leaseDurationSeconds: one.seconds };
      claim.observe(spec && hub.put(Lease, { metadata: lease, spec }));
    }
    expect(claim.freeIn()).toBe(want);
  });

  it('counts from when the record was last seen to change, and from when it was first seen gone', async () => {
    const { clock, claim, hub } = setUp();
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 15 };
    const first = hub.put(Lease, { metadata: lease, spec });
    claim.observe(first);
    await clock.advance(10_000);
    claim.observe(first);
    expect(claim.freeIn()).toBe(5_000);
    claim.observe(hub.put(Lease, { metadata: lease, spec }));
    expect(claim.freeIn()).toBe(15_000);
    await clock.advance(10_000);
    claim.observe(undefined);
    await clock.advance(4_000);
    claim.observe(undefined);
    expect(claim.freeIn()).toBe(11_000);
  });
});

describe('LeaseClaim', () => {
  it('makes what is not there only when it has seen that for a whole duration', async () => {
    const { clock, hub, claim, signal } = setUp();
    hub.remove(Lease, lease);
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(false);
    await clock.advance(durationMs - 1);
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(false);
    expect(hub.requests.every(({ method }) => method === 'GET')).toBe(true);
    await clock.advance(1);
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(true);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).toBe('me');
  });

  it('who lost the record unseen does not take it for its own when it is gone', async () => {
    const { clock, hub, claim, claimOf, signal } = setUp();
    const other = claimOf('other');
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(true);
    await clock.run(other.attempt(signal, { blind: false }));
    // It stands still: cut off, or asleep.
    await clock.advance(15_000);
    expect(await clock.run(other.attempt(signal, { blind: false }))).toBe(true);
    hub.remove(Lease, lease);
    expect(await clock.run(claim.attempt(signal, { blind: true }))).toBe(false);
    expect([claim.certainFor() > 0, other.certainFor() > 0]).toEqual([false, true]);
  });

  it('who is certain puts back what was deleted', async () => {
    const { clock, hub, claim, signal } = setUp();
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(true);
    hub.remove(Lease, lease);
    expect(await clock.run(claim.attempt(signal, { blind: true }))).toBe(true);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).toBe('me');
  });

  it('what has its own name it makes at once', async () => {
    const { clock, hub, claimOf, signal } = setUp();
    hub.remove(Lease, lease);
    expect(await clock.run(claimOf('me', { isOwn: true }).attempt(signal, { blind: false }))).toBe(true);
  });

  it('takes only what it is allowed to, and writes its marks', async () => {
    const { clock, hub, claimOf, signal } = setUp();
    const marks = { labels: { set: 'a' }, annotations: { count: '4' } };
    const claim = claimOf('me', { marks });
    const found: (Lease | undefined)[] = [];
    const mayTake = (record: Lease | undefined): boolean => found.push(record) > 1;
    expect(await clock.run(claim.attempt(signal, { blind: false, mayTake }))).toBe(false);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).toBe('');
    expect(await clock.run(claim.attempt(signal, { blind: false, mayTake }))).toBe(true);
    hub.put(Lease, { metadata: { ...lease, labels: {} }, spec: hub.get(Lease, lease)?.spec });
    expect(await clock.run(claim.attempt(signal, { blind: false }))).toBe(true);
    expect(hub.get(Lease, lease)?.metadata).toMatchObject(marks);
  });

  it('gives back only what is certainly its own', async () => {
    const { clock, hub, claim, signal } = setUp();
    await clock.run(claim.attempt(signal, { blind: false }));
    await clock.advance(10_000);
    expect(await clock.run(claim.release(signal))).toBe(false);
    expect(hub.get(Lease, lease)?.spec?.holderIdentity).toBe('me');
    await clock.run(claim.attempt(signal, { blind: false }));
    expect(await clock.run(claim.release(signal))).toBe(true);
    expect([hub.get(Lease, lease)?.spec?.holderIdentity, claim.certainFor()]).toEqual(['', 0]);
  });
});
