/** The Leases by which replicas share out the shards: what they are called and what they say. */
import { type Lease, ownValue } from '@lifeline/core';
import type { LeaseMarks } from '../manager/lease-claim.ts';

/** Replicas that share out one set of shards have all three in common. */
export interface ShardSet {
  readonly namespace: string;
  /** What the names of all its Leases begin with. */
  readonly name: string;
  readonly count: number;
}

/** What a Lease of the set stands for. `count`: the shards that its holder works with; undefined when it does not say. */
export type ShardRecord =
  | { readonly of: 'shard'; readonly index: number; readonly count: number | undefined }
  | { readonly of: 'member'; readonly identity: string; readonly count: number | undefined };

const setLabel = 'lifeline.dev/shards';
const countAnnotation = 'lifeline.dev/shard-count';

export const selectorOf = ({ name }: ShardSet): string => `${setLabel}=${name}`;

export const marksOf = ({ name, count }: ShardSet): LeaseMarks => ({
  labels: { [setLabel]: name },
  annotations: { [countAnnotation]: String(count) },
});

export const shardLease = ({ namespace, name }: ShardSet, index: number): { namespace: string; name: string } => ({
  namespace,
  name: `${name}-shard-${index}`,
});

export const memberLease = ({ namespace, name }: ShardSet, identity: string): { namespace: string; name: string } => ({
  namespace,
  name: `${name}-member-${identity}`,
});

/** Undefined for a Lease that only looks as if it were one of the set's. */
export function recordOf({ name }: ShardSet, { metadata }: Lease): ShardRecord | undefined {
  const count = numberOf(ownValue(metadata.annotations ?? {}, countAnnotation));
  const index = numberOf(after(metadata.name, `${name}-shard-`));
  if (index !== undefined) return { of: 'shard', index, count };
  const identity = after(metadata.name, `${name}-member-`);
  return identity ? { of: 'member', identity, count } : undefined;
}

const after = (text: string, start: string): string | undefined =>
  text.startsWith(start) ? text.slice(start.length) : undefined;

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^(0|[1-9]\d{0,5})$/.test(text) ? Number(text) : undefined;
