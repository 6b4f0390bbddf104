/** The clusters of one answer by name, and what each is for the routes that name it. */
import type { Slice } from '../wire/text.ts';
import { Cursor } from '../wire/cursor.ts';
import type { AnsweredCluster } from './draft.ts';
import { NameMap } from './name-map.ts';
import { receivedField, ResourceTable } from './resource-table.ts';

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

const nothing: Uint8Array = new Uint8Array();

/** Of two clusters with one name the last counts, as in Envoy Gateway. Used again for each answer. */
export class ClusterNames {
  readonly #numbers = new NameMap<number>();
  readonly #cursor = new Cursor(nothing);
  #clusters = new ResourceTable<AnsweredCluster>();
  #bytes = nothing;
  #isRead = false;
  #numbering = 0;
  #numberings = 0;

  /**
   * These are the clusters from now on. Their names are read once somebody asks for one.
   * @param bytes the request @param numbering of an answer that had the same clusters, in the same order; undefined for another one
   */
  hold(clusters: ResourceTable<AnsweredCluster>, bytes: Uint8Array, numbering: number | undefined): void {
    this.#clusters = clusters;
    this.#bytes = bytes;
    this.#isRead = false;
    this.#numbering = numbering ?? ++this.#numberings;
  }

  /** Within one numbering each cluster has the same number. */
  get numbering(): number {
    return this.#numbering;
  }

  /** Undefined for -1. */
  stateOf(number: number): ClusterState | undefined {
    return number < 0 ? undefined : this.#clusters.item(number).state;
  }

  /** The number of a cluster; -1 for none. */
  numberOf(name: Slice): number {
    if (!this.#isRead) this.#read();
    return this.#numbers.get(name) ?? -1;
  }

  has(name: Slice): boolean {
    return this.numberOf(name) >= 0;
  }

  /** Lets go of the request. */
  release(): void {
    this.#numbers.clear();
    this.#cursor.release();
    this.#bytes = nothing;
    this.#isRead = false;
  }

  #read(): void {
    this.#numbers.clear();
    for (let number = 0; number < this.#clusters.size; number++) {
      const part = { bytes: this.#bytes, ...receivedField(this.#clusters, number) };
      this.#numbers.set(this.#cursor.within(part, this.#clusters.item(number).name), number);
    }
    this.#isRead = true;
  }
}
