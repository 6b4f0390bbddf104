import { type DurationMs, Lease, type Transport } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../testing/refusal.ts';
import type { ScriptedApi } from '../testing/scripted-api.ts';
import { TransportError } from '../transport/transport-error.ts';
import { hubOf, overlaps, replica, type Replica, type ReplicaOptions, shares } from './replica.fixture.ts';
import { ShardCountError } from './shard-counts.ts';

const count = 16;
const durationMs = 20_000;
/** Cold start: a duration for records that were never seen, and what it takes to see and to write. */
const coldMs = durationMs + 3_000;

class World {
  readonly clock = new VirtualClock();
  readonly hub: ScriptedApi = hubOf(this.clock);
  readonly replicas: Replica[] = [];
  readonly #renewals: Disposable[] = [];

  start(identity: string, options: Partial<ReplicaOptions> = {}): Replica {
    const one = replica({ clock: this.clock, transport: this.hub.transport, identity, count, ...options });
    this.replicas.push(one);
    return one;
  }

  /** Advances in small steps; no shard may ever be certain twice. */
  async watch(ms: DurationMs, stepMs: DurationMs = 250): Promise<void> {
    for (const end = this.clock.monotonic() + ms; this.clock.monotonic() < end;) {
      await this.clock.advance(Math.min(stepMs, end - this.clock.monotonic()));
      expect(overlaps(this.replicas), `at ${this.clock.monotonic()}`).toEqual([]);
    }
  }

  /** How long it takes until all shards are held. */
  async untilHeld(limitMs: DurationMs): Promise<DurationMs> {
    const from = this.clock.monotonic();
    while (shares(this.replicas).reduce((sum, share) => sum + share, 0) < count) {
      if (this.clock.monotonic() - from > limitMs) throw new Error(`not held within ${limitMs} ms`);
      await this.watch(100);
    }
    return this.clock.monotonic() - from;
  }

  record(shard: number): Lease | undefined {
    return this.hub.get(Lease, { namespace: 'system', name: `app-shard-${shard}` });
  }

  /** Somebody who renews a member's Lease and does nothing else, from now on, for two minutes. */
  renew(identity: string, shards: number, everyMs: DurationMs = 2_000): void {
    const name = { namespace: 'system', name: `app-member-${identity}` };
    const labels = { 'lifeline.dev/shards': 'app' };
    const annotations = { 'lifeline.dev/shard-count': String(shards) };
    const spec = { holderIdentity: identity, leaseDurationSeconds: 20 };
    const put = (): unknown =>
      this.hub.put(Lease, { metadata: { ...this.hub.get(Lease, name)?.metadata, ...name, labels, annotations }, spec });
    put();
    for (let ms = everyMs; ms <= 120_000; ms += everyMs) this.#renewals.push(this.clock.timer(ms, put));
  }

  async stop(): Promise<void> {
    for (const timer of this.#renewals) timer[Symbol.dispose]();
    for (const one of this.replicas) one.stop();
    await this.clock.run(Promise.all(this.replicas.map(({ done }) => done)), 60_000);
    expect([this.clock.pending, this.hub.openWatches()]).toEqual([0, 0]);
  }
}

/** A network that a test can take away. */
function link(world: World): { readonly transport: Transport; cut: boolean } {
  const state = { cut: false };
  const transport: Transport = (request, options) =>
    state.cut ? Promise.reject(new TransportError('connection-lost', 'cut')) : world.hub.transport(request, options);
  return Object.assign(state, { transport });
}

describe('createShards', () => {
  it('replicas that start at once share out all shards; the next ones take over at once when one stops in order', async () => {
    const world = new World();
    for (const identity of ['a', 'b', 'c']) world.start(identity);
    await world.watch(durationMs - 500);
    expect(shares(world.replicas)).toEqual([0, 0, 0]);
    await world.untilHeld(4_000);
    expect(Math.min(...shares(world.replicas))).toBeGreaterThan(0);
    const [a] = world.replicas as [Replica];
    a.stop();
    await world.watch(1_500);
    expect(shares(world.replicas).reduce((sum, share) => sum + share)).toBe(count);
    expect(await clockRun(world, a)).toBeUndefined();
    await world.stop();
    const left = world.hub.objects(Lease).map(({ metadata, spec }) => `${metadata.name} "${spec?.holderIdentity}"`);
    expect(left.sort()).toEqual(Array.from({ length: count }, (_, index) => `app-shard-${index} ""`).sort());
  });

  it('each Lease has one leader in all replicas’ metrics, as dashboards of leader election read them', async () => {
    const world = new World();
    for (const identity of ['a', 'b']) world.start(identity);
    const leaders = async (): Promise<Record<string, number>> => {
      const texts = await Promise.all(world.replicas.map((one) => one.metrics()));
      const rows = texts.flatMap((text) => [...text.matchAll(/^leader_election_master_status\{name="(.*)"\} (\d)$/gm)]);
      const of = Object.groupBy(rows, ([, lease = '']) => lease);
      return Object.fromEntries(
        Object.entries(of).map(([lease, all = []]) => [
          lease,
          all.reduce((sum, [, , value]) => sum + Number(value), 0),
        ]),
      );
    };
    const leases = Array.from({ length: count }, (_, index) => `app-shard-${index}`);
    await world.watch(5_000);
    expect(await leaders()).toEqual(Object.fromEntries(leases.map((lease) => [lease, 0])));
    await world.untilHeld(coldMs);
    expect(await leaders()).toEqual(Object.fromEntries(leases.map((lease) => [lease, 1])));
    await world.stop();
    expect(await leaders()).toEqual({});
  });

  it('one that starts where the last one stopped in order does not wait', async () => {
    const world = new World();
    world.start('a');
    await world.untilHeld(coldMs);
    await world.stop();
    world.start('b');
    expect(await world.untilHeld(durationMs)).toBeLessThan(2_000);
    await world.stop();
  });

  it('one that starts and dies, again and again, moves nothing', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    await world.watch(durationMs);
    for (let life = 0; life < 4; life++) {
      const network = link(world);
      const b = world.start(`b${life}`, { transport: network.transport });
      await world.watch(12_000);
      network.cut = true;
      b.stop();
      world.replicas.pop();
    }
    expect(a.lines.some((line) => line.includes('shard given back'))).toBe(false);
    expect(a.shards.certain().size).toBe(count);
    await world.clock.advance(30_000);
    await world.stop();
  });

  it('a rolling restart leaves no shard without a holder for longer than a moment', async () => {
    const world = new World();
    for (const identity of ['a', 'b', 'c']) world.start(identity);
    await world.untilHeld(coldMs);
    let gapMs = 0;
    let longestGapMs = 0;
    const see = async (ms: DurationMs): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 250) {
        await world.watch(250);
        const held = shares(world.replicas).reduce((sum, share) => sum + share, 0);
        gapMs = held < count ? gapMs + 250 : 0;
        longestGapMs = Math.max(longestGapMs, gapMs);
      }
    };
    for (const identity of ['a', 'b', 'c']) {
      world.start(`${identity}2`);
      await see(5_000);
      const [old] = world.replicas.splice(0, 1);
      old?.stop();
      await see(10_000);
    }
    await see(2 * durationMs);
    expect(longestGapMs).toBeLessThanOrEqual(2_000);
    expect(Math.min(...shares(world.replicas))).toBeGreaterThan(0);
    await world.stop();
  });

  it('a newcomer gets its share and nothing else moves', async () => {
    const world = new World();
    world.start('a');
    world.start('b');
    await world.untilHeld(coldMs);
    const holders = (): Map<number, number> =>
      new Map(
        world.replicas.flatMap(({ shards }, index) => [...shards.certain().keys()].map((shard) => [shard, index])),
      );
    const before = holders();
    world.start('c');
    await world.watch(durationMs + 5_000);
    const after = holders();
    expect(after.size).toBe(count);
    const moved = [...after].filter(([shard, index]) => before.get(shard) !== index);
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.every(([, index]) => index === 2)).toBe(true);
    await world.watch(60_000);
    expect(holders()).toEqual(after);
    await world.stop();
  });

  it('the shards of a replica that is lost are held again within a lease duration and 5 s', async () => {
    for (let moment = 0; moment < 3; moment++) {
      const world = new World();
      const network = link(world);
      world.start('a', { transport: network.transport });
      world.start('b');
      world.start('c');
      await world.untilHeld(coldMs);
      await world.watch(durationMs + moment * 1_330);
      network.cut = true;
      world.replicas.shift()?.stop();
      expect(shares(world.replicas).reduce((sum, share) => sum + share)).toBeLessThan(count);
      expect(await world.untilHeld(60_000)).toBeLessThanOrEqual(durationMs + 5_000);
      await world.clock.advance(30_000);
      for (const one of world.replicas) one.stop();
      await world.clock.advance(30_000);
      expect(world.clock.pending).toBe(0);
    }
  });

  it('a replica that was cut off for a while has lost its shards before others hold them, and gets its share again', async () => {
    const world = new World();
    const network = link(world);
    const a = world.start('a', { transport: network.transport });
    world.start('b');
    await world.untilHeld(coldMs);
    const share = a.shards.certain().size;
    network.cut = true;
    await world.watch(45_000);
    expect(shares(world.replicas)).toEqual([0, count]);
    network.cut = false;
    await world.watch(60_000);
    expect(shares(world.replicas)).toEqual([share, count - share]);
    expect(a.lines.some((line) => line.includes('shard lost: not renewed in time'))).toBe(true);
    await world.stop();
  });

  it('one shard that is lost stops nothing else, and comes back when its new holder is silent', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    const spec = { holderIdentity: 'thief', leaseDurationSeconds: 30 };
    world.hub.put(Lease, {
      metadata: { ...world.record(3)?.metadata, name: 'app-shard-3', namespace: 'system' },
      spec,
    });
    await world.watch(1_500);
    expect([a.shards.certain().size, a.shards.certain().has(3)]).toEqual([count - 1, false]);
    await world.watch(28_000);
    expect(a.shards.certain().has(3)).toBe(false);
    await world.watch(3_000);
    expect(a.shards.certain().size).toBe(count);
    await world.stop();
  });

  it('a Lease that was deleted is made anew by its holder, and no newcomer takes it meanwhile', async () => {
    for (let moment = 0; moment < 4; moment++) {
      const world = new World();
      const network = link(world);
      const a = world.start('a', { transport: network.transport });
      await world.untilHeld(coldMs);
      await world.watch(1_000 + moment * 910);
      // Cut off in the moment of the deletion: it is certain still, and cannot put its records back.
      network.cut = moment % 2 === 0;
      for (const { metadata } of world.hub.objects(Lease)) world.hub.remove(Lease, metadata);
      world.start('b');
      await world.watch(15_000);
      network.cut = false;
      await world.watch(45_000);
      expect(shares(world.replicas).reduce((sum, share) => sum + share)).toBe(count);
      expect(a.shards.certain().size).toBeGreaterThan(0);
      await world.stop();
    }
  });

  it('at rest each shard and each replica is renewed with one request in a fifth of the duration, and nothing else is asked', async () => {
    const world = new World();
    for (const identity of ['a', 'b', 'c']) world.start(identity, { count: 64 });
    await world.clock.advance(30_000);
    const from = world.hub.requests.length;
    await world.clock.advance(60_000);
    const asked = world.hub.requests.slice(from);
    const kinds = Map.groupBy(asked, ({ method, path }) => (path.includes('watch=true') ? 'watch' : method));
    const renewals = ((64 + 3) * 60_000) / (durationMs / 5);
    expect(kinds.get('PATCH')?.length).toBeLessThan(renewals * 1.1);
    expect(kinds.get('PATCH')?.length).toBeGreaterThan(renewals * 0.8);
    expect(kinds.get('watch')?.length ?? 0).toBeLessThanOrEqual(3);
    expect([...kinds.keys()].every((kind) => kind === 'PATCH' || kind === 'watch')).toBe(true);
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    await world.stop();
  });

  it('gives back in order: what runs may end, nothing new begins, and only then may another one take it', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    const fences = Array.from({ length: count }, (_, index) => a.shards.fence(clusterIn(a, index)));
    const work = fences.map((fence) => fence.enter?.());
    const changes: string[] = [];
    using _changes = a.shards.subscribe((shard, change) => changes.push(`${shard} ${change}`));
    expect(changes).toHaveLength(count);
    const b = world.start('b');
    await world.watch(durationMs + 3_000);
    const moving = changes.flatMap((line) => (line.endsWith('closing') ? [Number(line.split(' ')[0])] : []));
    expect(moving.length).toBeGreaterThan(0);
    expect(b.shards.certain().size).toBe(0);
    // Work that began before, and work that would begin now.
    expect(moving.every((shard) => fences[shard]?.certainFor() === 0)).toBe(true);
    expect(moving.every((shard) => a.shards.fence(clusterIn(a, shard)).certainFor() === 0)).toBe(true);
    for (const one of work) one?.[Symbol.dispose]();
    await world.watch(1_500);
    expect([...b.shards.certain().keys()].sort((x, y) => x - y)).toEqual(moving.sort((x, y) => x - y));
    expect(a.lines.filter((line) => line.includes('shard given back'))).toHaveLength(moving.length);
    await world.stop();
  });

  it('work that had to be cut off keeps others out until the Lease has run out', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    const work = Array.from({ length: count }, (_, index) => a.shards.fence(clusterIn(a, index)).enter?.());
    const b = world.start('b');
    // Until it is told to stop, and a little longer.
    const changes = a.shards.subscribe((shard, change) => {
      if (change === 'gone') world.clock.timer(2_000, () => work[shard]?.[Symbol.dispose]());
    });
    await world.watch(durationMs + 13_000);
    expect(b.shards.certain().size).toBe(0);
    expect(await world.untilHeld(durationMs + 5_000)).toBeGreaterThan(durationMs - 5_000);
    expect(b.shards.certain().size).toBeGreaterThan(0);
    changes[Symbol.dispose]();
    for (const one of work) one?.[Symbol.dispose]();
    await world.stop();
  });

  it('holds nothing before it takes part', () => {
    const world = new World();
    const { shards } = world.start('a');
    expect([shards.fence('some-project').certainFor(), shards.certain().size]).toEqual([0, 0]);
  });

  it('a fence that was had while the shard was held is not certain when it is held again', async () => {
    const world = new World();
    const network = link(world);
    const a = world.start('a', { transport: network.transport });
    await world.untilHeld(coldMs);
    const fence = a.shards.fence('some-project');
    expect(fence.certainFor()).toBeGreaterThan(0);
    network.cut = true;
    await world.watch(15_000);
    network.cut = false;
    await world.watch(15_000);
    expect(shares([a])).toEqual([count]);
    expect(fence.certainFor()).toBe(0);
    expect(a.shards.fence('some-project').certainFor()).toBeGreaterThan(0);
    await world.stop();
  });

  it('work that does not stop when its shard is lost is left behind: it can write nothing', async () => {
    const world = new World();
    const network = link(world);
    const a = world.start('a', { transport: network.transport });
    await world.untilHeld(coldMs);
    const fence = a.shards.fence('some-project');
    fence.enter?.();
    network.cut = true;
    await world.watch(15_000);
    network.cut = false;
    await world.watch(15_000);
    expect([a.shards.certain().size, fence.certainFor()]).toEqual([count, 0]);
    expect(a.lines.some((line) => line.includes('does not stop'))).toBe(true);
    await world.stop();
  });

  it('a listener that fails is logged, and stops neither the others nor the shard', async () => {
    const world = new World();
    const a = world.start('a');
    const heard: number[] = [];
    using _first = a.shards.subscribe(() => {
      throw new Error('odd');
    });
    using _second = a.shards.subscribe((shard) => heard.push(shard));
    await world.untilHeld(coldMs);
    expect(heard).toHaveLength(count);
    expect(a.lines.filter((line) => line.includes('odd'))).toHaveLength(count);
    await world.stop();
  });

  it('a member that lives and takes nothing holds nothing up', async () => {
    const world = new World();
    world.renew('idle', count);
    const a = world.start('a');
    await world.watch(durationMs);
    await world.untilHeld(5_000);
    expect(a.shards.certain().size).toBe(count);
    await world.stop();
  });

  it('what a member did not take when it was given back to it is held on to, longer each time', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    const givenBack = (): number => a.lines.filter((line) => line.includes('shard given back')).length;
    world.renew('b', count);
    await world.watch(60_000);
    const first = givenBack();
    expect(first).toBeGreaterThan(0);
    await world.watch(60_000);
    // A second time after four durations, and not again within the two minutes.
    expect(givenBack()).toBeLessThanOrEqual(2 * first);
    expect(a.shards.certain().size).toBe(count);
    await world.stop();
  });

  it('removes what replicas that died have left behind', async () => {
    const world = new World();
    world.hub.put(Lease, {
      metadata: { namespace: 'system', name: 'app-member-dead', labels: { 'lifeline.dev/shards': 'app' } },
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 20 },
    });
    world.hub.put(Lease, {
      metadata: { namespace: 'system', name: 'other-member-dead', labels: { 'lifeline.dev/shards': 'other' } },
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 20 },
    });
    world.start('a');
    world.start('b');
    await world.watch(55_000);
    const members = (): string[] =>
      world.hub.objects(Lease).flatMap(({ metadata: { name } }) => (name.includes('-member-') ? [name] : []));
    expect(members().sort()).toEqual(['app-member-a', 'app-member-b', 'app-member-dead', 'other-member-dead']);
    await world.watch(10_000);
    expect(members().sort()).toEqual(['app-member-a', 'app-member-b', 'other-member-dead']);
    await world.stop();
  });

  it('says which shards it holds, and is not ready while it cannot take part', async () => {
    const world = new World();
    world.hub.refuse = ({ verb }) =>
      verb === 'create' ? new Refusal({ code: 403, reason: 'Forbidden', message: 'no' }) : undefined;
    const a = world.start('a');
    await world.watch(1_000);
    expect(a.health.readyz()).toMatchObject({ ok: false });
    world.hub.refuse = () => undefined;
    await world.untilHeld(60_000);
    expect(a.health.readyz().ok).toBe(true);
    expect(await a.metrics()).toContain('lifeline_shard_held{shard="3"} 1');
    world.hub.put(Lease, {
      metadata: { ...world.record(3)?.metadata, name: 'app-shard-3', namespace: 'system' },
      spec: { holderIdentity: 'thief', leaseDurationSeconds: 30 },
    });
    await world.watch(1_000);
    expect(await a.metrics()).toContain('lifeline_shard_held{shard="3"} 0');
    await world.stop();
  });
});

describe('another shard count', () => {
  it('is refused while a replica works with the old one, which goes on', async () => {
    const world = new World();
    const a = world.start('a');
    await world.untilHeld(coldMs);
    const b = world.start('b', { count: 8 });
    const error = await world.clock.run(b.done, 20_000);
    expect(error).toBeInstanceOf(ShardCountError);
    expect(String(error)).toContain(
      'lease system/app-member-a: a replica works with 16 shards and this one is set to 8',
    );
    expect(shares([a, b])).toEqual([count, 0]);
    expect(world.hub.get(Lease, { namespace: 'system', name: 'app-member-b' })).toBeUndefined();
    await world.watch(60_000);
    expect(shares([a])).toEqual([count]);
    await world.stop();
  });

  it('comes in when the old replicas have stopped, or have been silent for long enough; their records go', async () => {
    for (const inOrder of [true, false]) {
      const world = new World();
      const network = link(world);
      const a = world.start('a', { transport: network.transport });
      await world.untilHeld(coldMs);
      network.cut = !inOrder;
      a.stop();
      const b = world.start('b', { count: 8 });
      await world.clock.advance(inOrder ? 3_000 : durationMs - 1_000);
      expect(b.shards.certain().size).toBe(inOrder ? 8 : 0);
      await world.clock.advance(6_000);
      expect(b.shards.certain().size).toBe(8);
      expect(world.record(0)?.metadata.annotations).toEqual({ 'lifeline.dev/shard-count': '8' });
      await world.clock.advance(60_000);
      expect(world.record(12)).toBeUndefined();
      await world.stop();
    }
  });

  it('takes nothing while it is not known whether somebody works with the old one', async () => {
    const world = new World();
    world.start('a', { count: 8 });
    await world.clock.advance(coldMs);
    await world.stop();
    world.replicas.length = 0;
    // All shards are free, and a replica with the old count lives.
    world.renew('old', count, 4_000);
    await world.clock.advance(2_000);
    const b = world.start('b', { count: 8 });
    for (let i = 0; i < 6; i++) {
      await world.watch(250);
      expect(b.shards.certain().size).toBe(0);
    }
    expect(await world.clock.run(b.done, 20_000)).toBeInstanceOf(ShardCountError);
  });

  it('of two that start at once one gives way', async () => {
    const world = new World();
    const a = world.start('a', { count: 16 });
    await world.clock.advance(50);
    const b = world.start('b', { count: 8 });
    await world.clock.advance(60_000);
    const sizes = shares([a, b]).sort((x, y) => x - y);
    expect(sizes[0]).toBe(0);
    expect([8, 16]).toContain(sizes[1]);
    await world.stop();
  });
});

const clockRun = (world: World, one: Replica): Promise<unknown> => world.clock.run(one.done, 60_000);

/** A cluster whose shard this is. */
function clusterIn({ shards }: Replica, shard: number): string {
  for (let i = 0; ; i++) if (shards.shardOf(`project-${i}`) === shard) return `project-${i}`;
}
