/** Where a process runs: in a network of its own, and with files of its own at fixed paths. */
import { hasNamespaces } from './names.ts';
import type { ProcessTable } from './process-table.ts';

/** What a process is run inside of: see `ProcessSpec.inside`. */
export type Inside = readonly string[];

/** With these files or folders in place of what is at the paths, for this process and its children only; where that is not allowed, without. */
export function withMounts(mounts: Readonly<Record<string, string>>): Inside {
  if (!hasNamespaces) return [];
  const lines = Object.entries(mounts).map(([path, source]) => `mount --bind '${source}' '${path}'`);
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', [...lines, 'exec "$@"'].join(' && '), 'sh'];
}

/** A network with nothing but a loopback interface: equal ports do not meet. */
export class Network {
  readonly name: string;
  readonly #table: ProcessTable;

  private constructor(name: string, table: ProcessTable) {
    this.name = name;
    this.#table = table;
  }

  static async start(name: string, table: ProcessTable): Promise<Network> {
    const network = new Network(name, table);
    await table.start(network.#holder, {
      command: 'unshare',
      args: ['--net', 'sh', '-c', 'ip link set lo up && touch "$READY_FILE" && exec sleep infinity'],
      ready: 'told',
    });
    return network;
  }

  get inside(): Inside {
    return ['nsenter', `--net=/proc/${this.#table.pid(this.#holder)}/ns/net`, '--'];
  }

  get #holder(): string {
    return `namespace-${this.name}`;
  }
}
