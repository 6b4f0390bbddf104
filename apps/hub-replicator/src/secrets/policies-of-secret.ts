/** From a Secret on the hub to the policies that wait for it, or must not outlive it. */
import { keyOf, type KubeObject, Secret, SecurityPolicy } from '@lifeline/core';
import type { IndexFunction, Mapper, ReconcileRequest } from '@lifeline/k8s';
import { type EngagedProjects, requestOfCopy } from '../mirror/engaged.ts';
import { secretKeys } from './secret-refs.ts';

const secretIndex = 'secret';

/** What every watch of SecurityPolicies in project planes has among its indexes. One function: the caches are shared. */
export const secretIndexes = { [secretIndex]: secretKeys } as const satisfies Readonly<
  Record<string, IndexFunction<KubeObject>>
>;

/** The policies in a cache that name a Secret of their namespace. */
export const policiesNaming = <T extends KubeObject>(
  store: { byIndex(index: string, value: string): readonly T[] },
  key: string,
): readonly T[] => store.byIndex(secretIndex, key);

/**
 * Maps copies of Secrets to requests for the upstream policies that name them.
 *
 * Looks into the project's cache of policies whether or not the project may be used just now, so that no event is lost with a project that is
 * suspended; the reconcile is what waits for it. A project that is not engaged, or whose policies are not listed yet, brings all of its
 * policies when it is. Nothing here can fail.
 */
export const policiesOfSecret =
  (engaged: EngagedProjects): Mapper<KubeObject> =>
  (secret) => {
    const mapped = requestOfCopy(Secret, secret, engaged);
    return mapped.at === 'request' ? requestsNaming(engaged, mapped.request) : [];
  };

/** The same for Secrets in a project: before one goes, so does what names it. */
export const policiesOfSource =
  (engaged: EngagedProjects): Mapper<KubeObject> =>
  (secret, cluster) =>
    requestsNaming(engaged, { cluster, key: keyOf(secret) });

function requestsNaming(engaged: EngagedProjects, { cluster, key }: ReconcileRequest): readonly ReconcileRequest[] {
  const project = engaged.get(cluster);
  if (!project || project.signal.aborted) return [];
  const { store } = project.informer<KubeObject>(SecurityPolicy, { indexes: secretIndexes });
  return policiesNaming(store, key).map((policy) => ({ cluster, key: keyOf(policy) }));
}
