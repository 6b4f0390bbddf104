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
import { said } from './counts.fixture.ts';
import { rejectedUpdates } from './envoys.fixture.ts';
import { adminClient } from './harness/admin-client.ts';
import { act } from './harness/control.ts';
import { extensionServer, fullName, hubReplicator, namespace, type Release, retranslator } from './harness/deploy.ts';
import { hasNamespaces, kubeconfigOf, type PlaneName, servedEdges, serverName, servers } from './harness/names.ts';

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
  { planes: ['edge-1'], release: extensionServer },
  { planes: ['edge-2'], release: extensionServer },
  // Without an Envoy Gateway there is nothing to stamp.
  ...(hasNamespaces ? [{ planes: ['edge-2'] as const, release: retranslator }] : []),
])('$release.chart in $planes', ({ planes, release }) => {
  it('uses what it declares, and was refused nothing', async () => {
    const declared = await Promise.all(planes.map((plane) => declaredIn(plane, release)));
    const asked = planes.map((plane) => askedOf(plane, release));
    const refused = planes.flatMap((plane, at) => Array.from(asked[at]?.refused ?? [], (pair) => `${plane}: ${pair}`));
    expect(refused).toEqual([]);
    const all = (sets: readonly ReadonlySet<string>[]): readonly string[] =>
      [...new Set(sets.flatMap((set) => [...set]))].toSorted();
    expect(all(asked.map(({ granted }) => granted))).toEqual(all(declared));
  });
});

it('nothing has ended by itself', async () => {
  expect(await act('crashed')).toEqual([]);
});

it.each(servedEdges)('each extension server of %s was called, and failed no call', (edge) => {
  const calls = servers.map((server) => said(edge, 'PostTranslateModify').get(serverName(edge, server)) ?? []);
  for (const [at, lines] of calls.entries()) expect(lines.length, servers[at]).toBeGreaterThan(0);
  // Aborted: an Envoy Gateway was restarted.
  expect(calls.flat().filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});

it('no Envoy has refused anything', async () => {
  expect(await rejectedUpdates()).toEqual({});
});
