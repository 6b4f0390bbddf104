import type { ClusterProvider } from '../fleet/cluster.ts';
import type { HealthState } from '../app/env.ts';

/**
 * Ready while every cache of these planes has synced and its server is heard. For the planes an app cannot do without (its hub, its edge);
 * one tenant's plane among hundreds shows in metrics instead, so that it stops nobody else.
 */
export function cacheHealth(providers: readonly ClusterProvider[]): HealthState {
  for (const provider of providers) {
    const clusters = provider.list();
    if (clusters.length === 0) return { ok: false, reason: `no ${provider.plane} is engaged` };
    for (const cluster of clusters) {
      for (const { kind, status } of cluster.informers()) {
        if (status.at !== 'synced')
          return { ok: false, reason: `${kind.id} of ${cluster.plane} ${cluster.name} is ${status.at}` };
      }
    }
  }
  return { ok: true };
}
