/**
 * Random schedules of agents, outages, restarts, deletions and meddling, against what may be said of a connector by when it was renewed.
 *
 * The model knows when each Lease was renewed, and when the controller may have been unable to see or hear of it. From that follows what
 * `Ready` must not say: it is no second implementation.
 */
import { type Condition, Connector, type DurationMs, findCondition, Lease, type Random, seeded } from '@lifeline/core';
import { seeds, seedsLimitMs } from '@lifeline/core/testing';
import { Refusal } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { namespace, type Plane, seconds, world, type World } from './plane.fixture.ts';

const names = ['a', 'b', 'c'];
const durationMs = seconds(30);
/** What requests, the pace of writes and the sampling of this test take together. */
const slackMs = seconds(2);
/** A watch that broke is opened again after the outage within the longest back-off. */
const reopensMs = seconds(36);
const tickMs = 500;

/** One connector, as the model sees it. Times in virtual ms. */
interface Seen {
  /** When its agent last renewed the Lease of now; undefined: never. */
  renewedAt: number | undefined;
  /** The same, of whichever Lease. */
  everRenewedAt: number;
  /** The renewal before it. */
  renewedBefore: number | undefined;
  /** When its Lease was last made anew. */
  leaseSince: number;
  leaseUid: string | undefined;
  ready: Condition | undefined;
  agent: Disposable | undefined;
}

/** When the controller may last have been blind, and when it surely saw again. */
interface Sight {
  blindUntil: number;
  seesAgainAt: number;
  /** The plane is away. */
  out: boolean;
}

async function run(seed: number): Promise<void> {
  const random = seeded(`readiness/${seed}`);
  const w = await world((plane) => names.forEach((name) => plane.connector(name)), { seed: `readiness/${seed}` });
  const { clock, plane } = w;
  const sight: Sight = { blindUntil: 0, seesAgainAt: 0, out: false };
  const start = clock.monotonic();
  const connectors = new Map<string, Seen>(
    names.map((name) => [
      name,
      {
        renewedAt: undefined,
        everRenewedAt: -Infinity,
        renewedBefore: undefined,
        leaseSince: start,
        leaseUid: plane.lease(name)?.metadata.uid,
        ready: plane.ready(name),
        agent: undefined,
      },
    ]),
  );
  const renew = (name: string, seen: Seen): void => {
    // While the plane is away nobody can renew.
    if (sight.out || !plane.lease(name)) return;
    plane.renew(name, random.int(200_000) - 100_000);
    seen.renewedBefore = seen.renewedAt;
    seen.renewedAt = seen.everRenewedAt = clock.monotonic();
  };
  const agent = (name: string, seen: Seen): Disposable => {
    const beat = (): Disposable => {
      renew(name, seen);
      return clock.timer(seconds(8 + random.int(5)), () => (timer = beat()));
    };
    let timer = beat();
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  };

  for (let tick = 0; tick < 1200; tick++) {
    if (random.int(40) === 0) act({ w, random, sight, connectors, agent });
    await clock.advance(tickMs);
    for (const [name, seen] of connectors) check({ at: `seed ${seed}, tick ${tick}, ${name}`, name, seen, sight, w });
  }
  for (const { agent } of connectors.values()) agent?.[Symbol.dispose]();
  expectTimesToMoveWithFlips(plane);
  await w.stop();
}

interface Stage {
  readonly w: World;
  readonly random: Random;
  readonly sight: Sight;
  readonly connectors: ReadonlyMap<string, Seen>;
  readonly agent: (name: string, seen: Seen) => Disposable;
}

/** Something happens. */
function act({ w, random, sight, connectors, agent }: Stage): void {
  const { clock, plane } = w;
  const { api } = plane;
  const name = names[random.int(names.length)] as string;
  const seen = connectors.get(name) as Seen;
  const blindFor = (ms: DurationMs, until: DurationMs): void => {
    if (ms > 0) sight.blindUntil = Math.max(sight.blindUntil, clock.monotonic() + ms);
    sight.seesAgainAt = Math.max(sight.seesAgainAt, clock.monotonic() + until);
  };
  switch (random.int(8)) {
    case 0:
    case 1:
    case 2:
      if (seen.agent) seen.agent[Symbol.dispose]();
      seen.agent = seen.agent ? undefined : agent(name, seen);
      return;
    case 3: {
      if (sight.out) return;
      const ms = seconds(1 + random.int(100));
      const isCut = random.int(2) === 0;
      // An outage over which the watch stays open, and in which nothing was read, cannot be known of.
      blindFor(isCut && ms > seconds(6) ? ms : 0, ms + reopensMs);
      sight.out = true;
      api.refuse = () => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'away' });
      if (isCut) api.endWatches({ error: new Error('connection reset') });
      clock.timer(ms, () => {
        api.refuse = () => undefined;
        sight.out = false;
      });
      return;
    }
    case 4:
      w.restart();
      return blindFor(tickMs, seconds(3));
    case 5:
      if (sight.out) return;
      return api.remove(Lease, { namespace, name });
    case 6: {
      // Somebody strips the Lease: what we repair is not the agent's doing. Whoever writes a Lease shows life, by contract.
      const lease = plane.lease(name);
      if (!lease || sight.out) return;
      api.put(Lease, { ...lease, metadata: { ...lease.metadata, ownerReferences: [] } });
      if (!lease.spec?.renewTime) return;
      seen.renewedBefore = seen.renewedAt;
      seen.renewedAt = seen.everRenewedAt = clock.monotonic();
      return;
    }
    case 7:
      // A watch that ends is no gap, unless so many ended that the next one is waited for.
      blindFor(0, reopensMs);
      return api.endWatches();
  }
}

/** No write moves the time of a condition whose status it leaves as it is. */
function expectTimesToMoveWithFlips({ writes }: Plane): void {
  const conditionsOf = (object: unknown): readonly Condition[] => (object as Connector).status?.conditions ?? [];
  for (const { kind, rv, old, object } of writes.filter(({ kind }) => kind.id === Connector.id)) {
    for (const { type, status, lastTransitionTime } of conditionsOf(object)) {
      const before = findCondition(conditionsOf(old), type);
      if (before?.status !== status) continue;
      expect(lastTransitionTime, `${kind.kind} at ${rv}: ${type}`).toBe(before?.lastTransitionTime);
    }
  }
}

/** When it says that it flipped, on the virtual clock. */
const elapsed = (condition: Condition | undefined): number =>
  Date.parse(condition?.lastTransitionTime ?? '') - Date.parse('2026-01-01T00:00:00Z');

/** What `Ready` must not say. */
function check({ at, name, seen, sight, w }: { at: string; name: string; seen: Seen; sight: Sight; w: World }): void {
  const { clock, plane } = w;
  const now = clock.monotonic();
  const lease = plane.lease(name);
  if (lease?.metadata.uid !== seen.leaseUid) {
    Object.assign(seen, {
      leaseUid: lease?.metadata.uid,
      leaseSince: now,
      renewedAt: undefined,
      renewedBefore: undefined,
    });
  }
  const before = seen.ready;
  const ready = plane.ready(name);
  seen.ready = ready;
  const flipped = before?.status !== ready?.status;
  if (flipped) expect(now - elapsed(ready), `${at}: not the time of the flip`).toBeLessThan(1000 + slackMs);

  const age = now - (seen.renewedAt ?? -Infinity);
  const sinceGap = now - sight.seesAgainAt;
  const sinceLease = now - seen.leaseSince;
  if (flipped && ready?.status === 'True' && sinceGap > slackMs) {
    expect(now - seen.everRenewedAt, `${at}: became ready without a renewal`).toBeLessThan(slackMs);
  }
  if (flipped && ready?.status === 'False' && sinceLease > slackMs + reopensMs) {
    // A renewal that comes while the verdict is on its way is answered by the next one.
    const silence = age < slackMs ? now - (seen.renewedBefore ?? -Infinity) : age;
    expect(silence, `${at}: ended, though renewed`).toBeGreaterThan(durationMs - tickMs);
    expect(now - sight.blindUntil, `${at}: ended too soon after a gap`).toBeGreaterThan(durationMs - tickMs);
  }
  if (sinceGap > slackMs && sinceLease > slackMs) {
    const settled = Math.min(age, sinceLease, sinceGap);
    if (settled > durationMs * 1.1 + slackMs) expect(ready?.status, `${at}: dead and ready`).toBe('False');
    const seenBefore = now - (seen.renewedBefore ?? -Infinity);
    const isFollowed = seenBefore < sinceGap - slackMs && seenBefore < sinceLease;
    if (isFollowed && age > slackMs && age < durationMs) {
      expect(ready?.status, `${at}: renewed and not ready`).toBe('True');
    }
  }
}

it.each(seeds(12, 1_000))(
  'Ready moves by renewals that began or stopped, and by nothing else: seed %i',
  async (seed) => run(seed),
  seedsLimitMs(60_000),
);
