/** The clusters that are engaged now, by name, by label and by key. */
import { type ClusterLookup, encodeCluster, projectKey } from './cluster-label.ts';
import { ContractError } from './errors.ts';

/** Invariant: no two names share a project key or a label. */
export class EngagedClusters implements ClusterLookup {
  readonly #byKey = new Map<string, string>();
  readonly #byLabel = new Map<string | undefined, string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  /** Adding a name twice is harmless. @throws ContractError `duplicate-project-key`, naming both clusters; nothing is added then */
  add(name: string): void {
    const key = projectKey(name);
    const label = encodeCluster(name)?.label;
    const other = [this.#byKey.get(key), this.#byLabel.get(label)].find(
      (taken) => taken !== undefined && taken !== name,
    );
    if (other !== undefined) {
      throw new ContractError(
        'duplicate-project-key',
        `clusters ${JSON.stringify(other)} and ${JSON.stringify(name)} have the same project key or label`,
      );
    }
    this.#byKey.set(key, name);
    this.#byLabel.set(label, name);
  }

  remove(name: string): void {
    if (!this.has(name)) return;
    this.#byKey.delete(projectKey(name));
    this.#byLabel.delete(encodeCluster(name)?.label);
  }

  has(name: string): boolean {
    return this.#byKey.get(projectKey(name)) === name;
  }

  /** The cluster whose encoding is this label; without a label, the cluster without a name. */
  byLabel(label: string | undefined): string | undefined {
    return this.#byLabel.get(label);
  }

  byKey(key: string): string | undefined {
    return this.#byKey.get(key);
  }

  get size(): number {
    return this.#byKey.size;
  }

  names(): IterableIterator<string> {
    return this.#byKey.values();
  }
}
