/** From a Secret on the hub to the policies that wait for it, or must not outlive it. */
import { type ClusterLookup, type KubeObject, objectKey, Secret, SecurityPolicy, upstreamOf } from '@lifeline/core';
import type { ClusterProvider, IndexFunction, Mapper } from '@lifeline/k8s';
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

export interface PoliciesOfSecretOptions {
  readonly projects: ClusterProvider;
  /** The project clusters that are engaged. */
  readonly engaged: ClusterLookup;
}

/**
 * Maps copies of Secrets to requests for the upstream policies that name them.
 *
 * Looks into the project's cache of policies whether or not the project may be used just now, so that no event is lost with a project that is
 * suspended; the reconcile is what waits for it. A project that is not engaged, or whose policies are not listed yet, brings all of its
 * policies when it is. Nothing here can fail.
 */
export const policiesOfSecret =
  ({ projects, engaged }: PoliciesOfSecretOptions): Mapper<KubeObject> =>
  (secret) => {
    const decoded = upstreamOf(secret, engaged);
    if (decoded.state !== 'decoded') return [];
    const { cluster, group, kind, namespace, name } = decoded.upstream;
    if (group !== Secret.group || kind !== Secret.kind) return [];
    const project = projects.list().find((each) => each.name === cluster);
    if (!project || project.signal.aborted) return [];
    const { store } = project.informer<KubeObject>(SecurityPolicy, { indexes: secretIndexes });
    return policiesNaming(store, objectKey({ namespace, name })).map(({ metadata }) => ({
      cluster,
      key: objectKey({ namespace: metadata.namespace, name: metadata.name }),
    }));
  };
