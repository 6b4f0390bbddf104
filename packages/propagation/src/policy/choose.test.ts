import type { KubeObject, PropagationPolicy } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labels } from '../words.ts';
import { choose, type Policies } from './choose.ts';
import { withClaim, claimBy, type Policy } from './claim.ts';

const template = (extra: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 't1', name: 'a', labels: { pick: 'yes' }, ...extra },
});

interface PolicySketch {
  readonly by?: 'all' | 'labels' | 'name' | 'another-name' | 'another-kind';
  readonly priority?: number;
  readonly id?: string | undefined;
  readonly deleting?: boolean;
}

const selectors = {
  all: {},
  labels: { labelSelector: { matchLabels: { pick: 'yes' } } },
  name: { name: 'a' },
  'another-name': { name: 'b', labelSelector: { matchLabels: { pick: 'yes' } } },
  'another-kind': { kind: 'Secret' },
};

function policy(scope: Policy['scope'], name: string, sketch: PolicySketch = {}): Policy {
  const { by = 'all', priority, id = `id-${name}`, deleting = false } = sketch;
  const object: PropagationPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: scope === 'Cluster' ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    metadata: {
      name,
      ...(scope === 'Namespaced' ? { namespace: 't1' } : {}),
      labels:
        'id' in sketch && !sketch.id ? {} : { [scope === 'Cluster' ? labels.clusterPolicyId : labels.policyId]: id },
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', ...selectors[by] }],
      ...(priority === undefined ? {} : { priority }),
    },
  };
  return { scope, object };
}

const policiesOf = (...all: readonly Policy[]): Policies => ({
  inNamespace: (namespace) => all.filter(({ object }) => object.metadata.namespace === namespace),
  ofCluster: all.filter(({ scope }) => scope === 'Cluster'),
});

const pp = (name: string, sketch?: PolicySketch): Policy => policy('Namespaced', name, sketch);
const cpp = (name: string, sketch?: PolicySketch): Policy => policy('Cluster', name, sketch);

describe('rule 3: the choice', () => {
  it.each([
    { name: 'nothing there', policies: [], want: undefined },
    { name: 'a policy of the cluster', policies: [cpp('c')], want: 'c' },
    { name: 'its namespace comes before the cluster', policies: [cpp('c', { priority: 9 }), pp('p')], want: 'p' },
    { name: 'priority', policies: [pp('a'), pp('z', { priority: 10 })], want: 'z' },
    { name: 'a name before all', policies: [pp('a'), pp('z', { by: 'name' })], want: 'z' },
    { name: 'labels before all', policies: [pp('a'), pp('z', { by: 'labels' })], want: 'z' },
    { name: 'a name before labels', policies: [pp('a', { by: 'labels' }), pp('z', { by: 'name' })], want: 'z' },
    { name: 'priority before a name', policies: [pp('a', { by: 'name' }), pp('z', { priority: 1 })], want: 'z' },
    { name: 'the alphabet last', policies: [pp('b'), pp('a')], want: 'a' },
    { name: 'with a name the labels do not count', policies: [pp('a', { by: 'another-name' })], want: undefined },
    { name: 'another kind', policies: [pp('a', { by: 'another-kind' }), cpp('c')], want: 'c' },
    { name: 'one that is being deleted', policies: [pp('a', { deleting: true }), pp('b')], want: 'b' },
    { name: 'one without an id', policies: [pp('a', { id: undefined }), pp('b')], want: 'b' },
  ])('$name → $want', ({ policies, want }) => {
    const choice = choose(template(), policiesOf(...policies));
    expect(choice.at === 'apply' ? choice.policy.object.metadata.name : undefined).toBe(want);
    expect(choice.at).toBe(want === undefined ? 'park' : 'apply');
  });

  it('does not depend on the order of policies', () => {
    const sketches = fc.record({
      by: fc.constantFrom('all' as const, 'labels' as const, 'name' as const),
      priority: fc.integer({ min: 0, max: 1 }),
    });
    const arbitrary = fc.array(fc.tuple(fc.boolean(), sketches), { minLength: 1, maxLength: 6 }).chain((all) => {
      const policies = all.map(([cluster, sketch], index) => (cluster ? cpp : pp)(`p${index}`, sketch));
      return fc.tuple(fc.constant(policies), fc.shuffledSubarray(policies, { minLength: policies.length }));
    });
    fc.assert(
      fc.property(arbitrary, ([policies, shuffled]) => {
        expect(choose(template(), policiesOf(...shuffled))).toEqual(choose(template(), policiesOf(...policies)));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

describe('rules 4 and 5: claimed', () => {
  const claimed = (by: Policy, object: KubeObject = template()): KubeObject => {
    const claim = claimBy(by);
    if (!claim) throw new TypeError('a policy without an id');
    return withClaim(object, claim);
  };

  it.each([
    { name: 'stays with its policy', by: cpp('c'), policies: [cpp('c'), pp('p', { priority: 9 })], want: 'apply' },
    {
      name: 'frozen once not selected',
      by: pp('a', { by: 'labels' }),
      policies: [pp('a', { by: 'another-name' })],
      want: 'freeze',
    },
    {
      name: 'frozen while its policy is being deleted',
      by: pp('a'),
      policies: [pp('a', { deleting: true })],
      want: 'freeze',
    },
    { name: 'released once its policy is gone', by: pp('a'), policies: [pp('b')], want: 'release' },
  ])('$name', ({ by, policies, want }) => {
    expect(choose(claimed(by), policiesOf(...policies)).at).toBe(want);
  });

  it('a claim of the namespace counts before one of the cluster', () => {
    const both = claimed(cpp('c'), claimed(pp('p')));
    expect(choose(both, policiesOf(cpp('c'), pp('p')))).toMatchObject({ at: 'apply', claim: { scope: 'Namespaced' } });
  });
});
