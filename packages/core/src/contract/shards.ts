/** Which replica looks after a project. */
import { sha256Hex } from './digest.ts';

/** The default of a setting; every replica must have the same. */
export const defaultShards = 64;

/** The shard of a cluster, in [0, shards): the first 32 bits of SHA-256 of its exact name, modulo. */
export const shardOf = (cluster: string, shards: number = defaultShards): number => hashOf(cluster) % shards;

/** Every write of every app asks, and always for the same few hundred names. */
const hashes = new Map<string, number>();
const hashesKept = 10_000;

function hashOf(cluster: string): number {
  const known = hashes.get(cluster);
  if (known !== undefined) return known;
  const hash = Number.parseInt(sha256Hex(cluster, 8), 16);
  if (hashes.size >= hashesKept) hashes.clear();
  hashes.set(cluster, hash);
  return hash;
}

/** The share of a shard lease's duration within which its holder may still write. */
export const shardWriteShare = 2 / 3;
