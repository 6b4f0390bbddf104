/** Who is to hold a shard: rendezvous hashing over the replicas that live. */
import { sha256Hex } from '@lifeline/core';

/**
 * Ranks members for each shard. Guarantees: all who see the same members rank alike; a member that comes or goes changes nobody else's order,
 * so only its own shards move; each has about the same share.
 */
export class Ranking {
  /** By member, for each shard it was asked about. */
  readonly #weights = new Map<string, Map<number, string>>();

  /** The members, the one that is to hold the shard first. */
  of(shard: number, members: readonly string[]): readonly string[] {
    return members.toSorted((a, b) => (this.#weight(shard, a) > this.#weight(shard, b) ? -1 : 1));
  }

  /** Forgets all members but these. */
  keep(members: readonly string[]): void {
    for (const member of [...this.#weights.keys()]) if (!members.includes(member)) this.#weights.delete(member);
  }

  #weight(shard: number, member: string): string {
    const weights = this.#weights.get(member) ?? new Map<number, string>();
    this.#weights.set(member, weights);
    const weight = weights.get(shard) ?? sha256Hex(`${shard} ${member}`, 16);
    weights.set(shard, weight);
    return weight;
  }
}
