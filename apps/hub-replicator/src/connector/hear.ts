/** A watch whose events are not simply mapped to requests. */
import type { Kind, KubeObject } from '@lifeline/core';
import { type Cluster, type ClusterProvider, type Enqueue, type Watch, watch } from '@lifeline/k8s';

/**
 * Watches a kind in every cluster of a plane and leaves it to `listen` what follows from its events. The floor does not visit its
 * objects: another watch of the controller must stand for every request.
 *
 * @param listen called for each cluster that is engaged; what it returns is disposed at the cluster's end
 */
export function hear<T extends KubeObject>(
  provider: ClusterProvider,
  kind: Kind<T>,
  listen: (cluster: Cluster, enqueue: Enqueue) => Disposable,
): Watch {
  return { ...watch(provider, kind, { mapper: () => [] }), subscribe: listen, requests: () => [] };
}
