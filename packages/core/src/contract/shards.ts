/** Which replica looks after a project. */
import { sha256Hex } from './digest.ts';

/** The default of a setting; every replica must have the same. */
export const defaultShards = 64;

/** The shard of a cluster, in [0, shards): the first 32 bits of SHA-256 of its exact name, modulo. */
export const shardOf = (cluster: string, shards: number = defaultShards): number =>
  Number.parseInt(sha256Hex(cluster, 8), 16) % shards;

/** The share of a shard lease's duration within which its holder may still write. */
export const shardWriteShare = 2 / 3;
