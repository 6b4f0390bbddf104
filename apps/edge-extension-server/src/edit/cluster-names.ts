/** The clusters of one request by name, and what each is for the routes that name it. */
import type { NameMap } from './name-map.ts';

/** What a cluster is for the routes that name it. */
export const clusterStates = {
  /** Nothing of ours. */
  plain: 1,
  /** It leads to a connector, of which at least one is online. */
  online: 2,
  /** It leads to connectors of which none is online. */
  offline: 3,
} as const;
export type ClusterState = (typeof clusterStates)[keyof typeof clusterStates];

/** The clusters of one answer by name. Of two with one name the last counts, as in Envoy Gateway. Used again for each answer. */
export type ClusterNames = NameMap<ClusterState>;
