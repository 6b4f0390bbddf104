/** What becomes of a route. */
import type { Cursor } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import { type ClusterState, clusterStates } from './cluster-names.ts';
import { clusterWeight, route, routeAction, weightedCluster, wrapper } from './envoy-fields.ts';

export type RouteDecision =
  /** It leads to no connector: also redirects, direct responses, and what names its cluster by a header. */
  | 'plain'
  /** It leads to connectors, and none of them is offline. */
  | 'online'
  /** Of its weighted clusters those that are offline get no weight. */
  | 'weighted'
  /** Nothing is left that it could lead to. */
  | 'offline';

/** What a cluster is to this route; undefined when there is none of this name. */
export type StateOf = (clusterName: Slice) => ClusterState | undefined;

/** Of a `Route`. */
export function decideRoute(message: Cursor, stateOf: StateOf): RouteDecision {
  return message.seek(route.route) ? decideAction(message.enter(), stateOf) : 'plain';
}

function decideAction(action: Cursor, stateOf: StateOf): RouteDecision {
  while (action.next()) {
    if (action.isBytes(routeAction.cluster)) return decideCluster(stateOf(action));
    if (action.isBytes(routeAction.weightedClusters)) return decideWeighted(action.enter(), stateOf);
  }
  return 'plain';
}

const decideCluster = (state: ClusterState | undefined): RouteDecision => {
  switch (state) {
    case clusterStates.online:
      return 'online';
    case clusterStates.offline:
      return 'offline';
    case clusterStates.plain:
    case undefined:
      return 'plain';
  }
};

function decideWeighted(weighted: Cursor, stateOf: StateOf): RouteDecision {
  const states = new Set<ClusterState | undefined>();
  let rest = 0;
  while (weighted.next()) {
    if (!weighted.isBytes(weightedCluster.clusters)) continue;
    const state = entryState(weighted, stateOf);
    states.add(state);
    if (state !== clusterStates.offline) rest += entryWeight(weighted);
  }
  if (!states.has(clusterStates.offline)) return states.has(clusterStates.online) ? 'online' : 'plain';
  return rest > 0 ? 'weighted' : 'offline';
}

/** What an entry of weighted clusters leads to; one that names its cluster by a header, nobody knows where. */
export function entryState(at: Cursor, stateOf: StateOf): ClusterState | undefined {
  const entry = at.enter();
  return entry.seek(clusterWeight.name) ? stateOf(entry) : undefined;
}

function entryWeight(at: Cursor): number {
  const entry = at.enter();
  if (!entry.seek(clusterWeight.weight)) return 0;
  const weight = entry.enter();
  let value = 0;
  while (weight.next()) if (weight.isVarint(wrapper.value)) value = weight.uint32();
  return value;
}
