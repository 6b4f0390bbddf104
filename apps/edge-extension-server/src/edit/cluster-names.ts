/** The clusters of one request by name: for each route a look-up without decoding its name. */
import { equalSlices, type Slice } from '../wire/text.ts';
import { hashBytes } from './hash-bytes.ts';
import { SliceTable } from './slice-table.ts';

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

/** Used again for each answer. */
export class ClusterNames {
  readonly #names = new SliceTable({ hash: (name) => hashBytes(name), isEqual: equalSlices });
  readonly #states: ClusterState[] = [];

  clear(): void {
    this.#names.clear();
    this.#states.length = 0;
  }

  /** Of two clusters with one name the last counts, as in Envoy Gateway. */
  set(name: Slice, state: ClusterState): void {
    this.#states[this.#names.add(name)] = state;
  }

  has(name: Slice): boolean {
    return this.#names.find(name) >= 0;
  }

  /** Undefined: no cluster has this name. */
  state(name: Slice): ClusterState | undefined {
    return this.#states[this.#names.find(name)];
  }
}
