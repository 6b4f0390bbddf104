/** Which connectors claim which node, and who of several projects is refused it. Kept as claims come and go: O(claims on one node). */
import { type NodeIdClaim, type ObjectKey, refusedConnectors, sharedNodeIds } from '@lifeline/core';

/** `refuse`: of the projects that claim a node, all but the eldest connector's are offline. `allow`: they are counted, no more. */
export type SharedNodeIds = 'allow' | 'refuse';

export class NodeClaims {
  readonly #policy: SharedNodeIds;
  readonly #byNode = new Map<string, Map<ObjectKey, NodeIdClaim>>();
  readonly #refused = new Set<ObjectKey>();
  readonly #shared = new Set<string>();

  constructor(policy: SharedNodeIds) {
    this.#policy = policy;
  }

  /** Node ids that connectors of different projects claim. */
  get shared(): number {
    return this.#shared.size;
  }

  isRefused(connector: ObjectKey): boolean {
    return this.#refused.has(connector);
  }

  /** Replaces the claim of one connector. Returns the connectors that are refused now and were not, or the other way round. */
  replace(old: NodeIdClaim | undefined, next: NodeIdClaim | undefined): readonly ObjectKey[] {
    if (old) this.#remove(old);
    if (next) this.#add(next);
    const nodes = new Set([old, next].flatMap((claim) => claim?.nodeIdKey ?? []));
    const unclaimed = old && old.connector !== next?.connector ? this.#mark(old.connector, false) : [];
    return [...unclaimed, ...[...nodes].flatMap((node) => this.#judge(node))];
  }

  #add(claim: NodeIdClaim): void {
    const claims = this.#byNode.get(claim.nodeIdKey) ?? new Map<ObjectKey, NodeIdClaim>();
    this.#byNode.set(claim.nodeIdKey, claims.set(claim.connector, claim));
  }

  #remove({ nodeIdKey, connector }: NodeIdClaim): void {
    const claims = this.#byNode.get(nodeIdKey);
    claims?.delete(connector);
    if (claims?.size === 0) this.#byNode.delete(nodeIdKey);
  }

  #judge(node: string): readonly ObjectKey[] {
    const claims = [...(this.#byNode.get(node)?.values() ?? [])];
    if (sharedNodeIds(claims).size > 0) this.#shared.add(node);
    else this.#shared.delete(node);
    if (this.#policy === 'allow') return [];
    const refused = refusedConnectors(claims);
    return claims.flatMap(({ connector }) => this.#mark(connector, refused.has(connector)));
  }

  #mark(connector: ObjectKey, refused: boolean): readonly ObjectKey[] {
    if (this.#refused.has(connector) === refused) return [];
    if (refused) this.#refused.add(connector);
    else this.#refused.delete(connector);
    return [connector];
  }
}
