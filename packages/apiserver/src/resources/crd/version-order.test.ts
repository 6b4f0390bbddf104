import { expect, it } from 'vitest';
import { compareVersions } from './version-order.ts';

it('prefers stable versions, then beta, then alpha, newer ones first, and others by name at last', () => {
  const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10', 'v0'];
  expect([...order].reverse().sort(compareVersions)).toEqual(order);
  expect([...order].sort(compareVersions)).toEqual(order);
});
