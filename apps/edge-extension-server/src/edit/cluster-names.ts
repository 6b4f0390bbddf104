/** The clusters of one request by name: for each route a look-up without decoding its name. */
import { equalSlices, type Slice } from '../wire/text.ts';
import { hashBytes } from './hash-bytes.ts';

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

/** A hash table with open addressing, at most half full, that is used again for each answer. */
export class ClusterNames {
  /** 1 + the place in {@link #names}, 0 for none. */
  #slots = new Int32Array(64);
  readonly #names: Slice[] = [];
  readonly #hashes: number[] = [];
  readonly #states: ClusterState[] = [];

  clear(): void {
    this.#slots.fill(0);
    this.#names.length = this.#hashes.length = this.#states.length = 0;
  }

  /** Of two clusters with one name the last counts, as in Envoy Gateway. */
  set(name: Slice, state: ClusterState): void {
    const hash = hashBytes(name);
    const held = this.#find(name, hash);
    if (held >= 0) {
      this.#states[held] = state;
      return;
    }
    this.#names.push(name);
    this.#hashes.push(hash);
    this.#states.push(state);
    if (2 * this.#names.length > this.#slots.length) this.#grow();
    else this.#place(this.#names.length - 1);
  }

  /** Undefined: no cluster has this name. */
  state(name: Slice): ClusterState | undefined {
    return this.#states[this.#find(name, hashBytes(name))];
  }

  /** Its place among the names, or -1. */
  #find(name: Slice, hash: number): number {
    const last = this.#slots.length - 1;
    for (let at = hash & last; ; at = (at + 1) & last) {
      const held = (this.#slots[at] as number) - 1;
      if (held < 0 || (this.#hashes[held] === hash && equalSlices(this.#names[held] as Slice, name))) return held;
    }
  }

  #place(index: number): void {
    const last = this.#slots.length - 1;
    let at = (this.#hashes[index] as number) & last;
    while (this.#slots[at]) at = (at + 1) & last;
    this.#slots[at] = index + 1;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let index = 0; index < this.#names.length; index++) this.#place(index);
  }
}
