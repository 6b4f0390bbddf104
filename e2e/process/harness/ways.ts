/** Ways between this machine and networks of their own: a port on one side, a Unix socket on the way. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Forward } from './forward.ts';
import { type Inside, Network } from './inside.ts';
import { file } from './names.ts';
import type { ProcessTable } from './process-table.ts';
import { script } from './script.ts';

export interface Ways {
  /** Ports that the network gets: each leads to a Unix socket. */
  readonly inward: Readonly<Record<number, string>>;
  /** Ports of the network that others reach by {@link portOf}. */
  readonly outward: readonly number[];
}

/** Where a network's Unix sockets are. Their paths may have 107 bytes (unix(7)): most of the name of a Gateway's would be too much. */
const folderOf = (network: string): string =>
  file('ways', createHash('sha256').update(network).digest('hex').slice(0, 8));

/** The Unix socket at which others reach a port of a network. */
export const portOf = (network: string, port: number): string => `${folderOf(network)}/${port}.sock`;

/** Of this machine, for networks. */
const machine = 'machine';
export const portOfMachine = (port: number): string => portOf(machine, port);

const local = (port: number): string => `127.0.0.1:${port}`;

/** Networks reach these ports of this machine from now on, by {@link portOfMachine}. */
export async function openMachine(table: ProcessTable, name: string, ports: readonly number[]): Promise<void> {
  await mkdir(folderOf(machine), { recursive: true });
  const forwards = ports.map((port): Forward => ({ from: portOfMachine(port), to: [local(port)] }));
  await startForwards(table, { name: `ways-into-${name}`, forwards });
}

export async function startNetwork(table: ProcessTable, name: string, { inward, outward }: Ways): Promise<Network> {
  await mkdir(folderOf(name), { recursive: true });
  const network = await Network.start(name, table);
  const forwards = [
    ...Object.entries(inward).map(([port, socket]): Forward => ({ from: local(Number(port)), to: [socket] })),
    ...outward.map((port): Forward => ({ from: portOf(name, port), to: [local(port)] })),
  ];
  await startForwards(table, { name: `ways-of-${name}`, forwards, inside: network.inside });
  return network;
}

export interface ForwardOptions {
  /** Of the process. */
  readonly name: string;
  readonly forwards: readonly Forward[];
  readonly inside?: Inside | undefined;
}

export async function startForwards(table: ProcessTable, { name, forwards, inside }: ForwardOptions): Promise<void> {
  await table.start(name, { ...script('forward.ts', JSON.stringify(forwards)), inside });
}
