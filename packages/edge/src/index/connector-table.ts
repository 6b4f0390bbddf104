/** The liveness of every connector of the edge. */
import {
  annotations,
  classifyStatus,
  deepEqual,
  labels,
  type Liveness,
  livenessReasons,
  type NodeIdClaim,
  nodeIdKey,
  type ObjectKey,
  type ObjectMeta,
  truthOf,
  writtenNodeId,
} from '@lifeline/core';
import { NodeClaims, type SharedNodeIds } from './node-claims.ts';

/** As much of a Connector as counts. Of one that its schema refuses the metadata is left: its mirrored status is there. */
export interface SeenConnector {
  readonly metadata: Pick<ObjectMeta, 'annotations' | 'labels' | 'creationTimestamp'>;
  readonly status?: unknown;
}

interface Entry {
  /** The mirrored status while that is the truth: equal text is equal liveness, and need not be read. */
  readonly text: string | undefined;
  readonly liveness: Liveness;
  readonly claim: NodeIdClaim | undefined;
}

const absent: Liveness = { state: 'unknown', reason: livenessReasons.connectorNotFound };
const taken: Liveness = { state: 'offline', reason: livenessReasons.nodeIdTaken };

export class ConnectorTable {
  readonly #entries = new Map<ObjectKey, Entry>();
  readonly #claims: NodeClaims;

  constructor(sharedNodeIds: SharedNodeIds) {
    this.#claims = new NodeClaims(sharedNodeIds);
  }

  /** `unknown` for a connector that is not there. */
  livenessOf(key: ObjectKey): Liveness {
    const own = this.#entries.get(key)?.liveness ?? absent;
    return own.state === 'online' && this.#claims.isRefused(key) ? taken : own;
  }

  has(key: ObjectKey): boolean {
    return this.#entries.has(key);
  }

  keys(): Iterable<ObjectKey> {
    return this.#entries.keys();
  }

  /** Node ids that connectors of different projects claim. */
  get sharedNodeIds(): number {
    return this.#claims.shared;
  }

  /** Takes a connector over; undefined: it is gone. Returns those whose liveness is another one now. */
  set(key: ObjectKey, connector: SeenConnector | undefined): readonly ObjectKey[] {
    const old = this.#entries.get(key);
    const next = connector && entryOf(key, connector, old);
    const before = this.livenessOf(key);
    const rejudged = isSameClaim(old?.claim, next?.claim) ? [] : this.#claims.replace(old?.claim, next?.claim);
    if (next) this.#entries.set(key, next);
    else this.#entries.delete(key);
    const rivals = rejudged.filter((rival) => rival !== key && this.#entries.get(rival)?.liveness.state === 'online');
    return deepEqual(before, this.livenessOf(key)) ? rivals : [key, ...rivals];
  }
}

function entryOf(key: ObjectKey, connector: SeenConnector, old: Entry | undefined): Entry {
  const { metadata } = connector;
  const text = metadata.annotations?.[annotations.upstreamStatus];
  if (old?.text !== undefined && old.text === text) {
    const claim = old.claim && claimOf(key, connector, old.claim.nodeIdKey);
    return { ...old, claim };
  }
  const { from, status } = truthOf(connector);
  const written = writtenNodeId(status);
  const node = typeof written === 'string' ? nodeIdKey(written) : undefined;
  return {
    text: from === 'annotation' ? text : undefined,
    liveness: classifyStatus(status),
    claim: node === undefined ? undefined : claimOf(key, connector, node),
  };
}

const claimOf = (connector: ObjectKey, { metadata }: SeenConnector, node: string): NodeIdClaim => ({
  connector,
  // Equal exactly for connectors of one project; which one need not be known.
  project: metadata.labels?.[labels.upstreamCluster] ?? '',
  nodeIdKey: node,
  createdAt: metadata.creationTimestamp,
});

const isSameClaim = (a: NodeIdClaim | undefined, b: NodeIdClaim | undefined): boolean =>
  a?.nodeIdKey === b?.nodeIdKey && a?.project === b?.project && a?.createdAt === b?.createdAt;
