import { type Clock, describeError, type DurationMs } from '@lifeline/core';
import type { Files, Health, HealthState, Log } from '../../app/env.ts';
import { loadKubeconfig } from '../../transport/kubeconfig.ts';
import type { ClusterSource, FleetControl } from '../cluster.ts';

export interface KubeconfigFolderOptions {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly health: Health;
  /** Between two looks. Default 10 s. */
  readonly pollMs?: DurationMs | undefined;
}

/**
 * A cluster for each kubeconfig in a folder, named after the file without its last suffix. New files are engaged, changed ones move the
 * cluster to the new endpoint, removed ones disengage it.
 *
 * Guarantees: a folder that cannot be read, and a file that cannot be read or parsed (half written), change nothing; both are logged once
 * per state. Not ready while the folder cannot be read (perhaps it is mounted later), or a file whose cluster is not engaged. Hidden names (`..data` of a mounted Secret) are left out; the folder is polled, so symlink swaps are seen.
 */
export const kubeconfigFolderSource =
  (options: KubeconfigFolderOptions): ClusterSource =>
  async (fleet, signal) => {
    const folder = new Folder(options, fleet);
    using _check = options.health.ready(`kubeconfigs of ${options.path}`, () => folder.health());
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
  /** What is wrong with a file, by its name. */
  readonly #complaints = new Map<string, string>();
  /** What is wrong with the folder itself. */
  #unread: string | undefined = 'not read yet';

  constructor(options: KubeconfigFolderOptions, fleet: FleetControl) {
    this.#options = options;
    this.#fleet = fleet;
  }

  async look(signal: AbortSignal): Promise<void> {
    const names = await this.#list(signal);
    if (!names) return;
    const present = new Map<string, string>();
    for (const file of names) {
      const cluster = clusterOf(file);
      const first = present.get(cluster);
      await this.#tried(file, signal, async () => {
        if (first !== undefined) throw new Error(`${first} already describes cluster ${cluster}: rename ${file}`);
        present.set(cluster, file);
        await this.#engage(cluster, file, signal);
      });
    }
    for (const file of this.#complaints.keys()) if (!names.includes(file)) this.#complaints.delete(file);
    for (const cluster of [...this.#engaged.keys()]) {
      if (present.has(cluster)) continue;
      this.#engaged.delete(cluster);
      this.#fleet.disengage(cluster);
    }
  }

  health(): HealthState {
    const { path } = this.#options;
    if (this.#unread !== undefined) return { ok: false, reason: this.#unread };
    for (const [file, complaint] of this.#complaints) {
      if (!this.#engaged.has(clusterOf(file))) return { ok: false, reason: `${path}/${file}: ${complaint}` };
    }
    return { ok: true };
  }

  /** The files that may be kubeconfigs; undefined when the folder cannot be read. */
  async #list(signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { files, path, log } = this.#options;
    try {
      const names = await files.list(path, signal);
      this.#unread = undefined;
      return names.filter((name) => !name.startsWith('.'));
    } catch (error) {
      signal.throwIfAborted();
      const unread = describeError(error);
      if (this.#unread !== unread) {
        const fields = { path, err: error, engaged: this.#engaged.size };
        log.error(fields, 'cannot read the folder of kubeconfigs: nothing new is engaged, what was engaged stays');
      }
      this.#unread = unread;
      return undefined;
    }
  }

  async #engage(cluster: string, file: string, signal: AbortSignal): Promise<void> {
    const { files } = this.#options;
    const path = `${this.#options.path}/${file}`;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path, signal));
    if (this.#engaged.get(cluster) === text) return;
    const { endpoint } = await loadKubeconfig({ paths: [path], files, signal });
    this.#fleet.engage(cluster, { endpoint });
    this.#engaged.set(cluster, text);
  }

  async #tried(file: string, signal: AbortSignal, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#complaints.delete(file);
    } catch (error) {
      signal.throwIfAborted();
      const { path, log } = this.#options;
      const complaint = describeError(error);
      if (this.#complaints.get(file) !== complaint)
        log.warn({ path: `${path}/${file}`, err: error }, 'kubeconfig not used, what was engaged stays');
      this.#complaints.set(file, complaint);
    }
  }
}

const clusterOf = (file: string): string => file.replace(/\.[^.]+$/, '');
