/** The order of endings: the copy of a policy goes before those of the Secrets that it names. */
import { type KubeObject, labelSelectors, SecurityPolicy } from '@lifeline/core';
import { isKubeError, type ReadRight, type ScopedCluster } from '@lifeline/k8s';
import { secretRefs } from './secret-refs.ts';

/** What a controller that ends Secrets declares to read. */
export const policiesFirstReads = (...planes: readonly string[]): readonly ReadRight[] =>
  planes.map((plane) => ({ plane, kind: SecurityPolicy }));

export interface EndingSecret {
  /** What is to be deleted on the hub. */
  readonly copies: readonly KubeObject[];
  /** Of the Secret in its project. */
  readonly namespace: string;
  readonly project: ScopedCluster;
  readonly hub: ScopedCluster;
}

/**
 * Whether copies of a Secret are still named by copies of policies that the guard is about to withdraw. Read live. A copy whose policy is gone from
 * the project is waited for by nobody: it may be there for long.
 */
export async function policiesGoFirst(
  { copies, namespace, project, hub }: EndingSecret,
  signal: AbortSignal,
): Promise<boolean> {
  const named: string[] = [];
  for (const { metadata } of copies) {
    const there = { namespace: metadata.namespace, labelSelector: labelSelectors.copies };
    for (const policy of await policiesIn(hub, there, signal)) {
      const names = secretRefs(policy).flatMap((ref) => (ref.namespace === undefined ? [ref.name] : []));
      if (names.includes(metadata.name)) named.push(policy.metadata.name);
    }
  }
  if (named.length === 0) return false;
  const policies = await policiesIn(project, { namespace }, signal);
  return policies.some(({ metadata }) => named.includes(metadata.name));
}

async function policiesIn(
  cluster: ScopedCluster,
  selection: { readonly namespace: string | undefined; readonly labelSelector?: string },
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    const { items } = await cluster.live.list(SecurityPolicy, { ...selection, signal });
    return items;
  } catch (error) {
    if (isKubeError(error, 'kind-missing')) return [];
    throw error;
  }
}
