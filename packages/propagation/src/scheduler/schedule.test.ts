import type { KarmadaCluster, ResourceBinding } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recorded } from '../observed/observed.fixture.ts';
import { annotations, taints } from '../words.ts';
import { needsSchedule, placementText, schedule, type Schedule } from './schedule.ts';

interface ClusterSketch {
  readonly labels?: Readonly<Record<string, string>>;
  readonly serves?: boolean;
  readonly tainted?: boolean;
  readonly deleting?: boolean;
  readonly spec?: Partial<KarmadaCluster['spec']>;
}

const cluster = (
  name: string,
  { labels, serves = true, tainted, deleting, spec }: ClusterSketch = {},
): KarmadaCluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, labels: { ...labels }, ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: { syncMode: 'Push', ...(tainted ? { taints: [{ key: taints.notReady, effect: 'NoSchedule' }] } : {}), ...spec },
  status: {
    apiEnablements: serves ? [{ groupVersion: 'example.com/v1', resources: [{ name: 'things', kind: 'Thing' }] }] : [],
  },
});

const binding = (spec: Partial<ResourceBinding['spec']> = {}): ResourceBinding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { namespace: 't1', name: 'a-thing' },
  spec: { resource: { apiVersion: 'example.com/v1', kind: 'Thing', namespace: 't1', name: 'a' }, ...spec },
});

const run = (
  bound: ResourceBinding,
  clusters: readonly KarmadaCluster[],
  { emptyWorkloads = false, seed = 1 } = {},
): Schedule => schedule(bound, clusters, { random: seeded(seed), emptyWorkloads });

const names = (result: Schedule): readonly string[] =>
  result.at === 'fits' ? result.clusters.map(({ name }) => name) : [];

describe('rule 7: candidates', () => {
  const edge = { clusterAffinity: { labelSelector: { matchLabels: { edge: 'true' } } } };

  it.each([
    { name: 'no placement: every cluster', spec: {}, clusters: [cluster('m2'), cluster('m1')], want: ['m1', 'm2'] },
    {
      name: 'by label',
      spec: { placement: edge },
      clusters: [cluster('m1', { labels: { edge: 'true' } }), cluster('m2')],
      want: ['m1'],
    },
    {
      name: 'by name',
      spec: { placement: { clusterAffinity: { clusterNames: ['m2'] } } },
      clusters: [cluster('m1'), cluster('m2')],
      want: ['m2'],
    },
    {
      name: 'excluded',
      spec: { placement: { clusterAffinity: { exclude: ['m1'] } } },
      clusters: [cluster('m1'), cluster('m2')],
      want: ['m2'],
    },
    {
      name: 'by region',
      spec: {
        placement: {
          clusterAffinity: { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] } },
        },
      },
      clusters: [cluster('m1', { spec: { region: 'eu' } }), cluster('m2', { spec: { region: 'us' } })],
      want: ['m1'],
    },
    {
      name: 'not in a zone',
      spec: {
        placement: {
          clusterAffinity: {
            fieldSelector: { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['z1'] }] },
          },
        },
      },
      clusters: [cluster('m1', { spec: { zones: ['z1', 'z2'] } }), cluster('m2', { spec: { zones: ['z2'] } })],
      want: ['m2'],
    },
    {
      name: 'one that is being deleted',
      spec: {},
      clusters: [cluster('m1', { deleting: true }), cluster('m2')],
      want: ['m2'],
    },
    {
      name: 'a new object avoids a taint',
      spec: {},
      clusters: [cluster('m1', { tainted: true }), cluster('m2')],
      want: ['m2'],
    },
    {
      name: 'a toleration',
      spec: { placement: { clusterTolerations: [{ key: taints.notReady, operator: 'Exists' }] } },
      clusters: [cluster('m1', { tainted: true })],
      want: ['m1'],
    },
    {
      name: 'an object that is there stays, tainted or not',
      spec: { clusters: [{ name: 'm1' }] },
      clusters: [cluster('m1', { tainted: true })],
      want: ['m1'],
    },
    {
      name: 'an object that is there stays, served or not',
      spec: { clusters: [{ name: 'm1' }] },
      clusters: [cluster('m1', { serves: false })],
      want: ['m1'],
    },
    {
      name: 'an object that is there does not stay where the affinity ends',
      spec: { placement: edge, clusters: [{ name: 'm1' }] },
      clusters: [cluster('m1'), cluster('m2', { labels: { edge: 'true' } })],
      want: ['m2'],
    },
    {
      name: 'the first group in which something fits',
      spec: {
        placement: {
          clusterAffinities: [
            { affinityName: 'a', clusterNames: ['m9'] },
            { affinityName: 'b', clusterNames: ['m1'] },
          ],
        },
      },
      clusters: [cluster('m1'), cluster('m2')],
      want: ['m1'],
    },
  ])('$name → $want', ({ spec, clusters, want }) => {
    expect(names(run(binding(spec), clusters))).toEqual(want);
  });

  it('no-cluster-fit: in the words of Karmada', () => {
    const placement = { clusterAffinity: { labelSelector: { matchLabels: { zone: 'none' } } } };
    expect(run(binding({ placement }), [cluster('m1'), cluster('m2')])).toEqual({
      at: 'no-fit',
      message: recorded('no-cluster-fit', 'condition', 'message'),
    });
    expect(run(binding(), [cluster('m1', { serves: false }), cluster('m2', { serves: false })])).toEqual({
      at: 'no-fit',
      message: recorded('policy-before-crd-no-member', 'first', 'scheduled', 'message'),
    });
    expect(run(binding(), [cluster('m1', { serves: false }), cluster('m2', { tainted: true })])).toMatchObject({
      message:
        '0/2 clusters are available: 1 cluster(s) did not have the API resource, ' +
        '1 cluster(s) had untolerated taint {cluster.karmada.io/not-ready:NoSchedule}.',
    });
  });
});

describe('rule 8: replicas', () => {
  const members = [cluster('m1'), cluster('m2')];
  const halves = {
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: {
        staticWeightList: [
          { targetCluster: { clusterNames: ['m1'] }, weight: 1 },
          { targetCluster: { clusterNames: ['m2'] }, weight: 1 },
        ],
      },
    },
  };
  const shares = (result: Schedule): Record<string, number> =>
    result.at === 'fits' ? Object.fromEntries(result.clusters.map(({ name, replicas }) => [name, replicas ?? 0])) : {};
  const workload = (replicas: number, clusters: ResourceBinding['spec']['clusters'] = []): ResourceBinding =>
    binding({ replicas, replicaRequirements: {}, placement: halves, clusters });

  it('zero-replicas: 5, then 1, then 0, then 4', () => {
    const five = run(workload(5), members);
    expect(Object.values(shares(five)).toSorted()).toEqual([2, 3]);
    const before = [
      { name: 'm1', replicas: 2 },
      { name: 'm2', replicas: 3 },
    ];
    expect(recorded('zero-replicas', 'one', 'rb')).toEqual([{ name: 'm2', replicas: 1 }]);
    expect(shares(run(workload(1, before), members))).toEqual({ m2: 1 });
    expect(shares(run(workload(0, [{ name: 'm2', replicas: 1 }]), members))).toEqual({});
    expect(shares(run(workload(0), members, { emptyWorkloads: true }))).toEqual({ m1: 0, m2: 0 });
    expect(shares(run(workload(4), members))).toEqual({ m1: 2, m2: 2 });
  });

  it('not divided: all of them to each', () => {
    expect(shares(run(binding({ replicas: 3, replicaRequirements: {} }), members))).toEqual({ m1: 3, m2: 3 });
  });

  it('no requirements and no replicas is no workload: to each, whole', () => {
    expect(run(binding({ placement: halves }), members)).toMatchObject({ clusters: [{ name: 'm1' }, { name: 'm2' }] });
  });

  it('aggregated: where most of them are', () => {
    const placement = {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    };
    const spec = { replicas: 3, placement };
    expect(shares(run(binding(spec), members))).toEqual({ m1: 3 });
    expect(shares(run(binding({ ...spec, clusters: [{ name: 'm2', replicas: 2 }] }), members))).toEqual({ m2: 3 });
  });

  it('shares by weight add up, and none is off by more than one', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(weights, fc.nat(50), fc.nat(1000), (given, replicas, seed) => {
        const clusters = given.map((_, index) => cluster(`m${index}`));
        const staticWeightList = given.map((weight, index) => ({
          targetCluster: { clusterNames: [`m${index}`] },
          weight,
        }));
        const placement = {
          replicaScheduling: { ...halves.replicaScheduling, weightPreference: { staticWeightList } },
        };
        const spec = { replicas, replicaRequirements: {}, placement };
        const result = shares(run(binding(spec), clusters, { seed, emptyWorkloads: true }));
        const even = given.every((weight) => weight === 0);
        const sum = even ? given.length : given.reduce((a, b) => a + b, 0);
        expect(Object.values(result).reduce((a, b) => a + b, 0)).toBe(replicas);
        given.forEach((weight, index) => {
          const exact = (replicas * (even ? 1 : weight)) / sum;
          expect(Math.abs((result[`m${index}`] ?? 0) - exact)).toBeLessThanOrEqual(1);
        });
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  it('is decided again only for what may have changed it', () => {
    const settled = (bound: ResourceBinding): ResourceBinding => ({
      ...bound,
      metadata: { ...bound.metadata, annotations: { [annotations.appliedPlacement]: placementText(bound) } },
    });
    const before = [
      { name: 'm1', replicas: 2 },
      { name: 'm2', replicas: 3 },
    ];
    expect(needsSchedule(workload(5, before), members)).toBe(true);
    expect(needsSchedule(settled(workload(5, before)), members)).toBe(false);
    expect(needsSchedule(settled(workload(6, before)), members)).toBe(true);
    expect(needsSchedule(settled(workload(5, before)), [cluster('m1')])).toBe(true);
    expect(needsSchedule(settled(binding()), members)).toBe(true);
  });
});
