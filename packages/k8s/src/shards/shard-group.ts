/** One replica among those that share out the shards: follows all Leases, and decides for each shard what is due. */
import {
  defaultShards,
  describeError,
  type DurationMs,
  Lease,
  linkAbort,
  metricDefinitions,
  shardOf,
} from '@lifeline/core';
import type { Env, HealthState } from '../app/env.ts';
import type { EventOrigin, ObjectEvent } from '../cache/informer.ts';
import type { Client } from '../client/client.ts';
import type { Fence } from '../controller/fence.ts';
import type { Cluster, ClusterProvider } from '../fleet/cluster.ts';
import { onlyCluster } from '../fleet/only-cluster.ts';
import { LeaseClaim } from '../manager/lease-claim.ts';
import { Member } from './member.ts';
import { Ranking } from './ranking.ts';
import { marksOf, recordOf, selectorOf, shardLease, type ShardSet } from './records.ts';
import { Roster } from './roster.ts';
import { Shard, type ShardChange } from './shard.ts';
import { ShardCounts } from './shard-counts.ts';
import type { ShardListener, Shards, ShardsOptions } from './shards.ts';
import { notHeld } from './tenure.ts';

export type ShardsEnv = Pick<Env, 'clock' | 'random' | 'log' | 'metrics' | 'health'>;

const defaultDurationMs: DurationMs = 20_000;
/** Renewals in the time of a lease. Three of them fall into the time that a renewal makes certain. */
const renewalsPerDuration = 5;
/** How often it is looked whether something is due. */
const longestTickMs: DurationMs = 500;
/** Leases of the dead that are deleted at a time. */
const longestBurial = 4;

export class ShardGroup implements Shards {
  readonly provider: ClusterProvider;
  readonly identity: string;
  readonly count: number;
  readonly #env: ShardsEnv;
  readonly #set: ShardSet;
  readonly #times: { readonly durationMs: DurationMs; readonly renewMs: DurationMs };
  readonly #ranking = new Ranking();
  readonly #roster: Roster;
  readonly #counts: ShardCounts;
  readonly #listeners = new Set<ShardListener>();
  #shards: readonly Shard[] = [];
  #member: Member | undefined;
  /** Leases of the dead that are being deleted. */
  readonly #deleting = new Set<string>();
  #ring: () => void = () => undefined;

  constructor(env: ShardsEnv, options: ShardsOptions) {
    const { provider, namespace, name, count = defaultShards, durationMs = defaultDurationMs } = options;
    const { clock } = env;
    this.provider = provider;
    this.identity = options.identity ?? env.random.uuid();
    this.count = count;
    this.#env = env;
    this.#set = { namespace, name, count };
    this.#times = { durationMs, renewMs: durationMs / renewalsPerDuration };
    this.#roster = new Roster({ clock, identity: this.identity, ...this.#times });
    this.#counts = new ShardCounts({ clock, count, durationMs });
  }

  shardOf(cluster: string): number {
    return shardOf(cluster, this.count);
  }

  readonly fence = (cluster: string): Fence => this.#shards[this.shardOf(cluster)]?.fence ?? notHeld;

  certain(): ReadonlyMap<number, DurationMs> {
    const all = this.#shards.map(({ index, fence }) => [index, fence.certainFor()] as const);
    return new Map(all.filter(([, certainMs]) => certainMs > 0));
  }

  subscribe(listener: ShardListener): Disposable {
    this.#listeners.add(listener);
    for (const { index, at } of this.#shards) if (at === 'held') listener(index, 'held');
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async run(signal: AbortSignal): Promise<void> {
    const cluster = await onlyCluster(this.provider, signal);
    using life = linkAbort(signal, cluster.signal);
    using _check = this.#env.health.ready('shards', () => this.#health());
    using _held = this.#env.metrics.collect(metricDefinitions.shardHeld, () => this.#held());
    using _leader = this.#env.metrics.collect(metricDefinitions.leader, () => this.#leads());
    const member = this.#join(cluster);
    const informer = cluster.informer(Lease, {
      namespace: this.#set.namespace,
      labelSelector: selectorOf(this.#set),
    });
    using _events = informer.subscribe((event, origin) => this.#hear(event, origin));
    try {
      while (!life.signal.aborted) {
        this.#tick(member);
        this.#bury(cluster.client, life.signal);
        await this.#pause(life.signal);
      }
    } finally {
      await Promise.all(this.#shards.map((shard) => shard.stop()));
      await member.leave();
    }
    if (!signal.aborted) throw cluster.signal.reason as Error;
  }

  #join({ client }: Cluster): Member {
    const { clock, random } = this.#env;
    const log = this.#env.log.child({ shards: this.#set.name, identity: this.identity });
    const common = { client, clock, random, log, identity: this.identity, ...this.#times };
    this.#member = new Member({ ...common, set: this.#set });
    const marks = marksOf(this.#set);
    this.#shards = Array.from({ length: this.count }, (_, index) => {
      const lease = shardLease(this.#set, index);
      const claim = new LeaseClaim({ ...common, lease, marks });
      return new Shard({
        ...common,
        index,
        claim,
        isTakeable: (found) => this.#isTakeable(found),
        changed: (shard, change) => this.#changed(shard, change),
      });
    });
    return this.#member;
  }

  #tick(member: Member): void {
    member.tick();
    const followed = member.isUpToDate();
    if (followed && member.lease) this.#counts.ensureSole(member.lease);
    const alive = this.#roster.alive();
    this.#ranking.keep(alive);
    const mayTake = followed && !this.#counts.anyAlive();
    for (const shard of this.#shards) {
      const order = this.#ranking.of(shard.index, alive);
      const [first = this.identity] = order;
      const moves = followed && first !== this.identity && this.#roster.isSettled(first);
      shard.tick({ rank: order.indexOf(this.identity), moves, mayTake, knowsAll: followed });
    }
  }

  /** Until the next tick is due, or something was heard. */
  async #pause(signal: AbortSignal): Promise<void> {
    using wake = linkAbort(signal);
    this.#ring = () => wake.abort();
    await this.#env.clock.sleep(Math.min(longestTickMs, this.#times.renewMs / 4), wake.signal).catch(() => undefined);
  }

  #hear(event: ObjectEvent<Lease>, origin: EventOrigin): void {
    if (event.type === 'malformed') return;
    const { object } = event;
    const record = recordOf(this.#set, object);
    if (!record) return;
    if (event.type === 'deleted') this.#counts.gone(object.metadata.name);
    else this.#counts.saw(object, record, origin);
    const lease = event.type === 'deleted' ? undefined : object;
    switch (record.of) {
      case 'shard':
        this.#shards[record.index]?.saw(lease);
        if (!lease?.spec?.holderIdentity) this.#ring();
        return;
      case 'member':
        if (record.identity === this.identity) this.#member?.saw(lease);
        else if (!lease || this.#counts.isOther(record)) this.#roster.gone(record.identity);
        else if (!this.#roster.saw(record.identity, lease, origin)) return;
        return this.#ring();
    }
  }

  /** A record of another count is only taken when the watch has shown it, and nobody works with that count any more. */
  #isTakeable(found: Lease | undefined): boolean {
    const record = found && recordOf(this.#set, found);
    if (!record || !this.#counts.isOther(record)) return true;
    return this.#counts.knows(found) && !this.#counts.anyAlive();
  }

  #changed(shard: number, change: ShardChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(shard, change);
      } catch (error) {
        this.#env.log.error({ shard, change, error: describeError(error) }, 'a change of a shard was not followed');
      }
    }
  }

  /** Deletes what the dead left behind. One replica does it. */
  #bury(client: Client, signal: AbortSignal): void {
    if (!this.#member?.isUpToDate() || this.#roster.alive()[0] !== this.identity) return;
    for (const { metadata } of [...this.#roster.dead(), ...this.#counts.dead()]) {
      const { name, namespace, uid = '', resourceVersion } = metadata;
      if (this.#deleting.has(name) || this.#deleting.size >= longestBurial) continue;
      this.#deleting.add(name);
      void client
        .delete({ kind: Lease, name: { namespace, name } }, { uid, resourceVersion, signal })
        .catch((error: unknown) => this.#env.log.debug({ name, error: describeError(error) }, 'lease not deleted'))
        .finally(() => this.#deleting.delete(name));
    }
  }

  #health(): HealthState {
    return this.#member?.health() ?? { ok: false, reason: 'the shard leases are not known yet' };
  }

  *#held(): Iterable<{ labels: { shard: string }; value: number }> {
    for (const { index, at } of this.#shards) yield { labels: { shard: String(index) }, value: at === 'held' ? 1 : 0 };
  }

  /** What leader election says of its Lease, of each of ours. */
  *#leads(): Iterable<{ labels: { name: string }; value: number }> {
    for (const { index, fence } of this.#shards) {
      yield { labels: { name: shardLease(this.#set, index).name }, value: fence.certainFor() > 0 ? 1 : 0 };
    }
  }
}
