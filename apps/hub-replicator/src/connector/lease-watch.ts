/** The Lease tables of all engaged planes, and the watch that feeds them. */
import { Lease } from '@lifeline/core';
import type { ClusterProvider, Env, Watch } from '@lifeline/k8s';
import { hear } from './hear.ts';
import { LeaseTable } from './lease-table.ts';

export interface LeaseWatch {
  readonly watch: Watch;
  /** The table of an engaged plane. */
  tableOf(cluster: string): LeaseTable | undefined;
}

/** A plane's table lives as long as the plane is engaged and the controller runs: what was seen before counts no more. */
export function leaseWatch(projects: ClusterProvider, { clock, random }: Pick<Env, 'clock' | 'random'>): LeaseWatch {
  const tables = new Map<string, LeaseTable>();
  return {
    tableOf: (cluster) => tables.get(cluster),
    watch: hear(projects, Lease, (cluster, enqueue) => {
      const informer = cluster.informer(Lease);
      const ask = (key: string): void => enqueue({ cluster: cluster.name, key }, 'fresh');
      const table = new LeaseTable({ informer, clock, random, enqueue: ask });
      tables.set(cluster.name, table);
      return {
        [Symbol.dispose]: () => {
          table[Symbol.dispose]();
          if (tables.get(cluster.name) === table) tables.delete(cluster.name);
        },
      };
    }),
  };
}
