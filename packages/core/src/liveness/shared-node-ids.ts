/** Node ids that connectors of different projects use: legitimate, or stolen. Counted always, refused where a setting says so. */
import { parseTime } from '../meta/time.ts';

/** One connector that names a node, whether or not it is online. */
export interface NodeIdClaim {
  /** Unique among the claims: the connector's key. */
  readonly connector: string;
  readonly project: string;
  /** From `nodeIdKey`. */
  readonly nodeIdKey: string;
  /** Its creationTimestamp. */
  readonly createdAt: string | null | undefined;
}

/** The claims on each node id that connectors of more than one project use, eldest first. */
export function sharedNodeIds(claims: Iterable<NodeIdClaim>): ReadonlyMap<string, readonly NodeIdClaim[]> {
  const byNode = Map.groupBy(claims, ({ nodeIdKey }) => nodeIdKey);
  const shared = [...byNode].filter(([, group]) => new Set(group.map(({ project }) => project)).size > 1);
  return new Map(shared.map(([key, group]) => [key, group.toSorted(byAge)]));
}

/**
 * The connectors that are refused their node id when sharing is: those of every project but the eldest claim's. They are offline,
 * `NodeIdTaken`, for as long as the elder exists.
 */
export const refusedConnectors = (claims: Iterable<NodeIdClaim>): ReadonlySet<string> =>
  new Set(
    [...sharedNodeIds(claims).values()].flatMap(([eldest, ...others]) =>
      others.filter(({ project }) => project !== eldest?.project).map(({ connector }) => connector),
    ),
  );

/** By creation, then by key; a claim whose age is not known counts as the youngest. */
function byAge(a: NodeIdClaim, b: NodeIdClaim): number {
  const [left, right] = [parseTime(a.createdAt), parseTime(b.createdAt)];
  if (left !== right) return right === undefined || (left !== undefined && left < right) ? -1 : 1;
  return a.connector < b.connector ? -1 : 1;
}
