/**
 * What our apps were allowed to do is what they did, after all scenarios: no right is left over, and none was missing.
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
import { grants } from '../rights.fixture.ts';
import { askedOf } from './audit.fixture.ts';
import { tableOfCounts } from './counts.fixture.ts';
import { rejectedUpdates } from './envoys.fixture.ts';
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

describe.each<{ readonly planes: readonly PlaneName[]; readonly release: Release }>([
  { planes: ['project-a', 'project-b'], release: hubReplicator },
  { planes: ['hub'], release: hubReplicator },
  { planes: ['edge-1', 'edge-2'], release: extensionServer },
  { planes: ['edge-2'], release: retranslator },
])('$release.chart in $planes', ({ planes, release }) => {
  it('uses what it declares, and was refused nothing', async () => {
    const declared = await Promise.all(planes.map((plane) => declaredIn(plane, release)));
    const asked = askedOf(planes, release);
    const granted = [...asked].filter(([, isGranted]) => isGranted).map(([pair]) => pair);
    const refused = [...asked].filter(([, isGranted]) => !isGranted).map(([pair]) => pair);
    expect(refused).toEqual([]);
    expect(granted.toSorted()).toEqual([...new Set(declared.flatMap((pairs) => [...pairs]))].toSorted());
  });
});

it('no Envoy has refused anything', async () => {
  console.log(tableOfCounts());
  expect(await rejectedUpdates()).toEqual({});
});
