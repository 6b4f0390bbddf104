import { abortable } from '@lifeline/core';
import type { Cluster, ClusterProvider } from './cluster.ts';

/** The cluster of a provider that has exactly one, as soon as it is engaged. Rejects when the signal aborts first. */
export async function onlyCluster(provider: ClusterProvider, signal: AbortSignal): Promise<Cluster> {
  const { promise, resolve } = Promise.withResolvers<Cluster>();
  using _subscription = provider.subscribe(resolve);
  return await abortable(promise, signal);
}
