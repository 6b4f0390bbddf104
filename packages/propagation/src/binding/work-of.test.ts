import type { KarmadaCluster, ResourceBinding, Work } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { recorded } from '../observed/observed.fixture.ts';
import { annotations, labels } from '../words.ts';
import type { Overrides } from './overrides.ts';
import { manifestIn, type WorkInputs, workOf } from './work-of.ts';

const cluster = (name: string, own: Readonly<Record<string, string>> = {}): KarmadaCluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, labels: { ...own } },
  spec: { syncMode: 'Push' },
});

const noOverrides: Overrides = { ofCluster: [], ofNamespace: [] };

const template = (extra: Partial<Manifest> = {}): Manifest => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { namespace: 't1', name: 'a', uid: 'u1', resourceVersion: '7', generation: 3, ...extra.metadata },
  spec: { size: 1 },
  ...Object.fromEntries(Object.entries(extra).filter(([key]) => key !== 'metadata')),
});

function build(object: Manifest, inputs: Partial<WorkInputs> = {}): { work: Work; member: Manifest } {
  const work = workOf({
    template: object,
    cluster: cluster('m1'),
    origin: { labels: {}, annotations: {}, conflictResolution: 'Abort' },
    overrides: noOverrides,
    dispatch: { suspended: false, preserve: false },
    workId: 'w1',
    ...inputs,
  }) as Work;
  const member = manifestIn(work);
  if (!member) throw new TypeError('a Work without an object');
  return { work, member };
}

describe('rule 9: what is carried', () => {
  it('carried-and-added: every key of 1.3, and nothing of the hub', () => {
    interface Recorded {
      readonly hub: Manifest;
      readonly member: Manifest;
      readonly work: Work & { readonly spec_without_manifest: Work['spec'] };
      readonly binding: ResourceBinding;
    }
    const { hub, member, work, binding } = recorded('carried-and-added') as Recorded;
    const { labels: ownLabels, annotations: ownAnnotations } = work.metadata;
    const { apiVersion, kind } = binding.spec.resource;
    const built = build(
      { ...hub, apiVersion, kind },
      {
        origin: {
          labels: { [labels.bindingId]: binding.metadata.labels?.[labels.bindingId] ?? '' },
          annotations: {
            [annotations.bindingNamespace]: binding.metadata.namespace ?? '',
            [annotations.bindingName]: binding.metadata.name,
          },
          conflictResolution: binding.spec.conflictResolution,
        },
        workId: '<uid>',
      },
    );
    expect(built.member.metadata).toEqual({
      namespace: 't1',
      name: 'carried',
      labels: member.metadata.labels,
      annotations: member.metadata.annotations,
    });
    expect(built.member.spec).toEqual(member.spec);
    expect(built.member).not.toHaveProperty('status');
    const { name, namespace, finalizers } = work.metadata;
    expect(built.work.metadata).toEqual({
      name,
      namespace,
      finalizers,
      labels: ownLabels,
      annotations: ownAnnotations,
    });
    const { workload: _, ...rest } = built.work.spec;
    expect(rest).toEqual(work.spec_without_manifest);
  });

  it('overrides cannot bring back what is pruned, and have the last word on the rest', () => {
    const policy = (name: string, overriders: object, extra: object = {}): Overrides['ofCluster'][number] => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterOverridePolicy',
      metadata: { name },
      spec: { overrideRules: [{ overriders, ...extra }] },
    });
    const plaintext = (path: string, value: unknown, operator = 'add'): object => ({
      plaintext: [{ path, operator, value }],
    });
    const overrides: Overrides = {
      ofCluster: [
        policy('b', plaintext('/spec/size', 2)),
        policy('a', plaintext('/spec/size', 3)),
        policy('c', plaintext('/metadata/finalizers', ['example.com/smuggled'])),
        policy('elsewhere', plaintext('/spec/size', 9), { targetCluster: { clusterNames: ['m2'] } }),
        policy('keys', {
          labelsOverrider: [
            { operator: 'add', value: { added: '1' } },
            { operator: 'replace', value: { own: '2', absent: '2' } },
          ],
          annotationsOverrider: [{ operator: 'remove', value: { gone: '' } }],
        }),
      ],
      ofNamespace: [policy('n', plaintext('/spec/color', 'red'))],
    };
    const { work, member } = build(
      template({ metadata: { name: 'a', labels: { own: '1' }, annotations: { gone: '1' } } }),
      { overrides },
    );
    expect(member.spec).toEqual({ size: 2, color: 'red' });
    expect(member.metadata).not.toHaveProperty('finalizers');
    expect(member.metadata.labels).toMatchObject({ own: '2', added: '1' });
    expect(member.metadata.labels).not.toHaveProperty('absent');
    expect(member.metadata.annotations).not.toHaveProperty('gone');
    expect(member.metadata.annotations?.[annotations.managedLabels]).toContain('added');
    expect(Object.keys(work.metadata.annotations ?? {})).toEqual(
      expect.arrayContaining([annotations.appliedClusterOverrides, annotations.appliedOverrides]),
    );
  });

  it.each([
    { own: undefined, policy: 'Abort', want: 'abort' },
    { own: undefined, policy: 'Overwrite', want: 'overwrite' },
    { own: 'overwrite', policy: 'Abort', want: 'overwrite' },
    { own: 'abort', policy: 'Overwrite', want: 'abort' },
    { own: 'nonsense', policy: 'Abort', want: 'abort' },
    { own: undefined, policy: undefined, want: undefined },
  ])('conflict resolution: template $own, policy $policy → $want', ({ own, policy, want }) => {
    const object = template({
      metadata: { name: 'a', ...(own ? { annotations: { [annotations.conflictResolution]: own } } : {}) },
    });
    const { work, member } = build(object, { origin: { labels: {}, annotations: {}, conflictResolution: policy } });
    expect(member.metadata.annotations?.[annotations.conflictResolution]).toBe(want);
    expect(work.metadata.annotations?.[annotations.conflictResolution]).toBe(want);
  });

  it('no generation, no annotation of it', () => {
    const { generation: _, ...metadata } = template().metadata;
    expect(build(template()).member.metadata.annotations).toHaveProperty([annotations.templateGeneration], '3');
    const without = build({ ...template(), metadata }).member;
    expect(without.metadata.annotations).not.toHaveProperty([annotations.templateGeneration]);
  });

  it.each([
    {
      name: 'a Service loses its address',
      object: {
        apiVersion: 'v1',
        kind: 'Service',
        spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], type: 'ClusterIP' },
      },
      want: { spec: { type: 'ClusterIP' } },
    },
    {
      name: 'a headless Service stays headless',
      object: { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: 'None', clusterIPs: ['None'] } },
      want: { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
    },
    {
      name: 'a ServiceAccount loses generated secrets',
      object: { apiVersion: 'v1', kind: 'ServiceAccount', secrets: [{ name: 'a-token-x' }, { name: 'mine' }] },
      want: { secrets: [{ name: 'mine' }] },
    },
    {
      name: 'a token loses its data',
      object: { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/service-account-token', data: { token: 'x' } },
      want: { type: 'kubernetes.io/service-account-token' },
    },
    {
      name: 'a Job loses what is made from its uid',
      object: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        spec: {
          ttlSecondsAfterFinished: 5,
          selector: { matchLabels: { 'controller-uid': 'x', own: 'y' } },
          template: { metadata: { labels: { 'batch.kubernetes.io/job-name': 'a', own: 'y' } } },
        },
      },
      want: { spec: { selector: { matchLabels: { own: 'y' } }, template: { metadata: { labels: { own: 'y' } } } } },
    },
  ])('$name', ({ object, want }) => {
    const { member } = build({ ...object, metadata: { namespace: 't1', name: 'a', uid: 'u' } });
    const { apiVersion: _a, kind: _k, metadata: _m, ...rest } = member;
    expect(rest).toEqual(want);
  });
});
