import type { ResourceBinding } from '@lifeline/core';
import { expect, describe, it } from 'vitest';
import { isSpread, secretBinding } from './spread.ts';

const applied = (clusterName: string, isApplied?: boolean): { clusterName: string; applied?: boolean } => ({
  clusterName,
  ...(isApplied === undefined ? {} : { applied: isApplied }),
});

const binding = (
  clusters: readonly string[],
  aggregatedStatus: { clusterName: string; applied?: boolean }[],
  { generation = 2, observed = 2, uid = 'u1' }: { generation?: number; observed?: number | null; uid?: string } = {},
): ResourceBinding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { name: 'a-secret', generation },
  spec: {
    resource: { apiVersion: 'v1', kind: 'Secret', name: 'a', uid },
    clusters: clusters.map((name) => ({ name })),
  },
  status: { aggregatedStatus, schedulerObservedGeneration: observed },
});

describe('isSpread', () => {
  const everywhere = [applied('e1', true), applied('e2', true)];
  it.each<{ name: string; binding: ResourceBinding | undefined; want: boolean }>([
    { name: 'no binding yet', binding: undefined, want: false },
    { name: 'applied everywhere', binding: binding(['e1', 'e2'], everywhere), want: true },
    { name: 'one says nothing', binding: binding(['e1', 'e2'], [applied('e1', true)]), want: false },
    {
      name: 'one has an item without a word',
      binding: binding(['e1', 'e2'], [applied('e1', true), applied('e2')]),
      want: false,
    },
    { name: 'one failed', binding: binding(['e1', 'e2'], [applied('e1', true), applied('e2', false)]), want: false },
    { name: 'more say so than it goes to', binding: binding(['e1'], everywhere), want: true },
    { name: 'it goes nowhere', binding: binding([], []), want: false },
    { name: 'not scheduled since it changed', binding: binding(['e1'], everywhere, { observed: 1 }), want: false },
    { name: 'never scheduled', binding: binding(['e1'], everywhere, { observed: null }), want: false },
    { name: 'of another Secret of that name', binding: binding(['e1'], everywhere, { uid: 'u0' }), want: false },
    { name: 'nothing is known', binding: { ...binding(['e1'], []), status: null }, want: false },
  ])('$name: $want', ({ binding: found, want }) => {
    expect(isSpread(found, 'u1')).toBe(want);
  });

  it('a Secret without a uid was never on the hub', () => {
    const { uid: _uid, ...resource } = binding(['e1'], everywhere).spec.resource;
    expect(
      isSpread({ ...binding(['e1'], everywhere), spec: { resource, clusters: [{ name: 'e1' }] } }, undefined),
    ).toBe(false);
  });
});

it('a binding has a name of its own for each Secret', () => {
  expect(secretBinding({ namespace: 'ns-u', name: 'oidc.key' })).toEqual({
    namespace: 'ns-u',
    name: 'oidc.key-secret',
  });
});
