import { linkAbort } from '@lifeline/core';
import type { Cluster, ClusterProvider } from './cluster.ts';

/** The cluster of a provider that has exactly one, as soon as it is engaged. Rejects when the signal aborts first. */
export function onlyCluster(provider: ClusterProvider, signal: AbortSignal): Promise<Cluster> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const waiting = linkAbort(signal);
    const subscription: { current?: Disposable } = {};
    const done = (): void => {
      waiting[Symbol.dispose]();
      subscription.current?.[Symbol.dispose]();
    };
    waiting.signal.addEventListener('abort', () => (done(), reject(signal.reason as Error)), { once: true });
    subscription.current = provider.subscribe((cluster) => {
      resolve(cluster);
      // The subscription may still be under construction: it replays what is engaged.
      queueMicrotask(done);
    });
  });
}
