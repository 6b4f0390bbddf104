/** Ways between this machine and networks of their own. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Forward } from './forward.ts';
import { Network } from './inside.ts';
import { file } from './names.ts';
import type { ProcessTable } from './process-table.ts';
import { script } from './script.ts';

export interface Ways {
  /** Ports of this machine that the network has too. */
  readonly inward: readonly number[];
  /** Ports of the network that this machine reaches by {@link portOf}. */
  readonly outward: readonly number[];
}

/** The Unix socket at which this machine reaches a port of a network. */
export const portOf = (network: string, port: number): string => file(network, `${port}.sock`);

const local = (port: number): string => `127.0.0.1:${port}`;

export async function startNetwork(table: ProcessTable, name: string, { inward, outward }: Ways): Promise<Network> {
  await mkdir(file(name), { recursive: true });
  const network = await Network.start(name, table);
  const socket = (port: number): string => file(name, `in-${port}.sock`);
  const outside = inward.map((port): Forward => ({ from: socket(port), to: [local(port)] }));
  const inside = [
    ...inward.map((port): Forward => ({ from: local(port), to: [socket(port)] })),
    ...outward.map((port): Forward => ({ from: portOf(name, port), to: [local(port)] })),
  ];
  await table.start(`ways-into-${name}`, script('forward.ts', JSON.stringify(outside)));
  await table.start(`ways-out-of-${name}`, {
    ...script('forward.ts', JSON.stringify(inside)),
    inside: network.inside,
    ready: async () => outward.every((port) => existsSync(portOf(name, port))),
  });
  return network;
}
