/**
 * What our apps were allowed to do is what they did, after all scenarios: no right is left over, and none was missing.
 *
 * By its name it comes last: the files of this tier run in the order of their paths.
 */
import {
  ClusterRole,
  ClusterRoleBinding,
  type Kind,
  type KubeObject,
  type PolicyRule,
  Role,
  RoleBinding,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { doneIn, grants } from './audit.fixture.ts';
import { adminClient } from './harness/admin-client.ts';
import { extensionServer, fullName, hubReplicator, namespace, type Release, retranslator } from './harness/deploy.ts';
import { kubeconfigOf, type PlaneName } from './harness/names.ts';

const { signal } = new AbortController();

type Binding = KubeObject & {
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
  readonly roleRef: { readonly name: string };
};

/** What the roles of a plane give to a release's service account. */
async function declaredIn(plane: PlaneName, release: Release): Promise<ReadonlySet<string>> {
  const client = await adminClient(kubeconfigOf(plane));
  const rules: PolicyRule[] = [];
  const pairs = [
    [ClusterRoleBinding, ClusterRole],
    [RoleBinding, Role],
  ] as unknown as readonly (readonly [Kind<Binding>, Kind<KubeObject & { readonly rules?: readonly PolicyRule[] }>])[];
  for (const [bindings, roles] of pairs) {
    for (const { metadata, subjects = [], roleRef } of (await client.list(bindings, { signal })).items) {
      if (!subjects.some((one) => one.name === fullName(release) && one.namespace === namespace)) continue;
      const name = { name: roleRef.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
      rules.push(...((await client.get(roles, name, { signal })).rules ?? []));
    }
  }
  return grants(rules);
}

describe.each<{ readonly plane: PlaneName; readonly release: Release }>([
  { plane: 'project-a', release: hubReplicator },
  { plane: 'hub', release: hubReplicator },
  { plane: 'edge-1', release: extensionServer },
  { plane: 'edge-2', release: extensionServer },
  { plane: 'edge-2', release: retranslator },
])('$release.chart in $plane', ({ plane, release }) => {
  it('uses what it declares, and nothing else', async () => {
    const declared = await declaredIn(plane, release);
    const { pairs, refused } = doneIn(plane, release);
    expect([...refused]).toEqual([]);
    expect([...pairs].sort()).toEqual([...declared].sort());
  });
});
