/**
 * Many replicas, each of which looks after some of the projects: a project's hash picks a shard, and each shard is a Lease.
 *
 * Every replica has a Lease of its own beside (a _member_), and follows all of them by one watch. Who lives is who renews it; each shard belongs
 * to the live member that rendezvous hashing puts first. That one takes it when it is free; the next one does when it does not. Whoever has held
 * a shard for a lease duration that belongs to another one, who has been there for a lease duration, gives it back in order.
 *
 * Guarantees
 * - No two replicas are certain of a shard at a time: see {@link LeaseClaim}. What is found out by the watch alone decides where work should go,
 *   never that a record may be taken: that takes a look at the record, and the very record that was seen.
 * - The shards of a replica that is lost are held again within a lease duration and 5 s, while others live and the server answers.
 * - Losing one stops its work, and nothing else.
 * - At rest: N shards and R replicas make (N + R) renewals in a fifth of the duration (10 % more or less), one request each, and nothing else but R
 *   watches. With the defaults, 64 shards and 3 replicas: about 17 requests a second, however many projects there are.
 *
 * Caveat: where no Lease was ever seen, a whole duration passes before the first shard is taken: it may have been deleted a moment ago.
 */
import { type DurationMs, Lease, type PolicyRule } from '@lifeline/core';
import type { FenceOf } from '../controller/fence.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import type { ShardChange } from './shard.ts';
import { ShardGroup, type ShardsEnv } from './shard-group.ts';

export interface ShardsOptions {
  /** The plane that holds the Leases: a provider of exactly one cluster. */
  readonly provider: ClusterProvider;
  readonly namespace: string;
  /** What the names of the Leases begin with. */
  readonly name: string;
  /** Default 64. All replicas must have the same: one that finds another count at work refuses to run. */
  readonly count?: number | undefined;
  /** A DNS label. Default: random. Never reused by the next start. */
  readonly identity?: string | undefined;
  /** Default 20 s. */
  readonly durationMs?: DurationMs | undefined;
}

/** Told of a shard in this order: `held`, perhaps `closing`, `gone`. */
export type ShardListener = (shard: number, change: ShardChange) => void;

export interface Shards {
  readonly provider: ClusterProvider;
  readonly identity: string;
  readonly count: number;
  /** The shard of a cluster, by its exact name. */
  shardOf(cluster: string): number;
  /** Of work for a cluster that begins now. Certain only while its shard is held without a break since. */
  readonly fence: FenceOf;
  /** Shards whose hold is certain now, and for how long. */
  certain(): ReadonlyMap<number, DurationMs>;
  /** Tells of every shard that is held, then of each change. */
  subscribe(listener: ShardListener): Disposable;
  /**
   * Takes part until the signal aborts; then gives back what it holds and resolves when nothing of it is left.
   *
   * @throws ShardCountError when an older replica works with another count
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The least rights that sharing out shards needs, in the namespace of the Leases. */
export const shardRules: readonly PolicyRule[] = [
  {
    apiGroups: [Lease.group],
    resources: [Lease.plural],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'],
  },
];

/** Takes no part before `run`. */
export function createShards(env: ShardsEnv, options: ShardsOptions): Shards {
  return new ShardGroup(env, options);
}
