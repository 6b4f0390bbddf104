import { fieldManagers, Gateway } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { defaultPolicies } from './kinds.ts';
import { policyOf } from './mirror.fixture.ts';
import { mirrorRights } from './rights.ts';

const planes = { project: 'project', hub: 'hub' };

describe('the rights of a mirror', () => {
  it.each(defaultPolicies.map((policy) => [policy.kind.id, policy] as const))(
    '%s: no status on the hub',
    (_, policy) => {
      const rights = mirrorRights(policy, planes);
      const onHub = rights.filter(({ plane }) => plane === 'hub').flatMap(({ fields }) => fields);
      expect(onHub.filter((field) => field === '*' || field.startsWith('status'))).toEqual([]);
      expect(new Set(rights.map(({ owner }) => owner))).toEqual(new Set([fieldManagers.hubReplicator]));
      const upstream = rights.filter(({ plane }) => plane === 'project').flatMap(({ fields }) => fields);
      const speaksUp = policy.enabled && policy.kind.statusSubresource && policy.status.direction === 'up';
      expect(upstream).toEqual(['metadata.finalizers', ...(speaksUp ? ['status'] : [])]);
    },
  );

  it('of a retired kind are to delete and to let go', () => {
    const rights = mirrorRights(policyOf(Gateway), planes);
    expect(rights.map(({ plane, kind, verbs }) => [plane, kind.id, ...verbs])).toEqual([
      ['project', Gateway.id, 'patch'],
      ['hub', Gateway.id, 'delete'],
      ['hub', 'ConfigMap', 'delete'],
    ]);
  });
});
