import { type Clock, describeError, type DurationMs } from '@lifeline/core';
import type { Files, Log } from '../../app/env.ts';
import { loadKubeconfig } from '../../transport/kubeconfig.ts';
import type { ClusterSource, FleetControl } from '../cluster.ts';

export interface KubeconfigFolderOptions {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  /** Between two looks. Default 10 s. */
  readonly pollMs?: DurationMs | undefined;
}

/**
 * A cluster for each kubeconfig in a folder, named after the file without its last suffix. New files are engaged, changed ones move the
 * cluster to the new endpoint, removed ones disengage it.
 *
 * Guarantees: a folder that cannot be read, and a file that cannot be read or parsed (half written), change nothing; both are logged once
 * per state. Hidden names (`..data` of a mounted Secret) are left out; the folder is polled, so symlink swaps are seen.
 */
export const kubeconfigFolderSource =
  (options: KubeconfigFolderOptions): ClusterSource =>
  async (fleet, signal) => {
    const folder = new Folder(options, fleet);
    while (!signal.aborted) {
      await folder.look(signal);
      await options.clock.sleep(options.pollMs ?? 10_000, signal);
    }
  };

class Folder {
  readonly #options: KubeconfigFolderOptions;
  readonly #fleet: FleetControl;
  /** Text by cluster, as engaged. */
  readonly #engaged = new Map<string, string>();
  readonly #complaints = new Map<string, string>();

  constructor(options: KubeconfigFolderOptions, fleet: FleetControl) {
    this.#options = options;
    this.#fleet = fleet;
  }

  async look(signal: AbortSignal): Promise<void> {
    const { files, path } = this.#options;
    const names = await this.#tried(path, signal, () => files.list(path, signal));
    if (!names) return;
    const present = new Map<string, string>();
    for (const file of names.filter((name) => !name.startsWith('.'))) {
      const cluster = file.replace(/\.[^.]+$/, '');
      const first = present.get(cluster);
      await this.#tried(`${path}/${file}`, signal, async () => {
        if (first !== undefined) throw new Error(`${first} already describes cluster ${cluster}: rename ${file}`);
        present.set(cluster, file);
        await this.#engage(cluster, `${path}/${file}`, signal);
      });
    }
    for (const cluster of [...this.#engaged.keys()]) {
      if (present.has(cluster)) continue;
      this.#engaged.delete(cluster);
      this.#fleet.disengage(cluster);
    }
  }

  async #engage(cluster: string, path: string, signal: AbortSignal): Promise<void> {
    const { files } = this.#options;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path, signal));
    if (this.#engaged.get(cluster) === text) return;
    const { endpoint } = await loadKubeconfig({ paths: [path], files, signal });
    this.#fleet.engage(cluster, { endpoint });
    this.#engaged.set(cluster, text);
  }

  async #tried<T>(path: string, signal: AbortSignal, attempt: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await attempt();
      this.#complaints.delete(path);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const complaint = describeError(error);
      if (this.#complaints.get(path) !== complaint)
        this.#options.log.warn({ path, err: error }, 'kubeconfig not used, what was engaged stays');
      this.#complaints.set(path, complaint);
      return undefined;
    }
  }
}
