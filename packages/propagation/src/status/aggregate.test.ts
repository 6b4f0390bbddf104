import type { ResourceBinding, Work } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { recorded } from '../observed/observed.fixture.ts';
import { aggregate, fullyApplied } from './aggregate.ts';
import { reflect } from './reflect.ts';

interface WorkSketch {
  readonly applied?: 'True' | 'False';
  readonly message?: string;
  readonly manifest?: object;
  readonly deleting?: boolean;
}

const work = (cluster: string, { applied, message, manifest, deleting }: WorkSketch = {}): Work => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: {
    namespace: `karmada-es-${cluster}`,
    name: 'a-1',
    ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
  spec: {},
  status: {
    conditions: applied ? [{ type: 'Applied', status: applied, message: message ?? 'm', reason: 'r' }] : [],
    ...(manifest ? { manifestStatuses: [manifest as never] } : {}),
  },
});

const binding = (...clusters: readonly string[]): ResourceBinding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { namespace: 't1', name: 'a-thing' },
  spec: { resource: { apiVersion: 'v1', kind: 'Thing', name: 'a' }, clusters: clusters.map((name) => ({ name })) },
});

describe('rule 21: items', () => {
  it('managed-label-lost: not applied is no status, no word about health, and the message', () => {
    const recordedItems = recorded('managed-label-lost', 'after_hub_edit', 'aggregated') as {
      appliedMessage?: string;
    }[];
    const items = aggregate([
      work('m2', { applied: 'True', manifest: { health: 'Healthy' } }),
      work('m1', {
        applied: 'False',
        message: recordedItems[0]?.appliedMessage ?? '',
        manifest: { status: { ready: 1 }, health: 'Healthy' },
      }),
    ]);
    expect(items).toEqual(recordedItems);
  });

  it.each([
    ['nothing known yet', {}, { clusterName: 'm1', health: 'Unknown' }],
    ['applied, not seen yet', { applied: 'True' }, { clusterName: 'm1', applied: true, health: 'Unknown' }],
    [
      'seen',
      { applied: 'True', manifest: { status: { a: 1 }, health: 'Unhealthy' } },
      { clusterName: 'm1', applied: true, health: 'Unhealthy', status: { a: 1 } },
    ],
  ] as const)('%s', (_, sketch, item) => {
    expect(aggregate([work('m1', sketch)])).toEqual([item]);
  });

  it('a Work that is going away has none', () => {
    expect(aggregate([work('m1', { deleting: true })])).toEqual([]);
  });

  it.each([
    { name: 'all', targets: ['m1', 'm2'], applied: ['m1', 'm2'], want: 'True' },
    { name: 'one is missing', targets: ['m1', 'm2'], applied: ['m1'], want: 'False' },
    { name: 'one too many', targets: ['m1'], applied: ['m1', 'm2'], want: 'False' },
    { name: 'no target', targets: [], applied: [], want: 'False' },
  ])('fully applied: $name → $want', ({ targets, applied, want }) => {
    const items = aggregate(applied.map((cluster) => work(cluster, { applied: 'True' })));
    expect(fullyApplied(binding(...targets), items).status).toBe(want);
  });
});

describe('rule 20: reflection', () => {
  const object: Manifest = {
    apiVersion: 'networking.datumapis.com/v1alpha1',
    kind: 'Connector',
    metadata: { namespace: 't1', name: 'carried' },
  };

  it('carried-and-added: no status is none, and healthy', () => {
    const { status } = recorded('carried-and-added', 'work') as Work;
    expect([reflect(object, {})]).toEqual(status?.manifestStatuses);
  });

  it('the whole status without a hook, what the hook says with one', () => {
    const seen = { ...object, status: { a: 1, b: 2 } };
    expect(reflect(seen, {}).status).toEqual({ a: 1, b: 2 });
    expect(reflect(seen, { reflectStatus: () => ({ a: 1 }) }).status).toEqual({ a: 1 });
    expect(reflect(seen, { reflectStatus: () => undefined })).not.toHaveProperty('status');
  });

  const failing = (): boolean => {
    throw new Error('no');
  };
  it.each([
    { name: 'true', interpretHealth: () => true, want: 'Healthy' },
    { name: 'false', interpretHealth: () => false, want: 'Unhealthy' },
    { name: 'an error', interpretHealth: failing, want: 'Unknown' },
  ])('health: $name → $want', ({ interpretHealth, want }) => {
    expect(reflect(object, { interpretHealth }).health).toBe(want);
  });

  it('a core kind has no group', () => {
    expect(reflect({ ...object, apiVersion: 'v1' }, {}).identifier).not.toHaveProperty('group');
  });
});
