import { describe, expect, it } from 'vitest';
import { referenceKey, referenceUp } from './references.ts';

const scrub = (text: string): string => text.replaceAll('ns-u', 'default');

describe('referenceUp', () => {
  it.each([
    { name: 'a Gateway', hub: { name: 'web', namespace: 'ns-u' }, want: { name: 'web', namespace: 'default' } },
    { name: 'no namespace', hub: { kind: 'Gateway', name: 'web' }, want: { kind: 'Gateway', name: 'web' } },
    {
      name: 'cluster-scoped: no namespace is made up, one that is there goes',
      hub: { group: 'gateway.networking.k8s.io', kind: 'GatewayClass', name: 'c', namespace: 'ns-u' },
      want: { group: 'gateway.networking.k8s.io', kind: 'GatewayClass', name: 'c' },
    },
    {
      name: 'a kind we do not know counts as namespaced',
      hub: { group: 'x.example', kind: 'X', name: 'x', namespace: 'ns-u', extra: 1 },
      want: { group: 'x.example', kind: 'X', name: 'x', namespace: 'default', extra: 1 },
    },
    { name: 'null is absent', hub: { name: 'web', namespace: null }, want: { name: 'web' } },
  ])('$name', ({ hub, want }) => {
    expect(referenceUp(hub, scrub)).toEqual(want);
  });
});

describe('referenceKey', () => {
  const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'default', name: 'web' };
  it.each([
    { other: { name: 'web' }, same: true },
    { other: { ...gateway, kind: null, group: null }, same: true },
    { other: { ...gateway, sectionName: 'https' }, same: false },
    { other: { ...gateway, port: 443 }, same: false },
    { other: { ...gateway, namespace: 'other' }, same: false },
    { other: { ...gateway, kind: 'HTTPRoute' }, same: false },
    { other: { ...gateway, group: '' }, same: false },
    { other: { ...gateway, name: 'api' }, same: false },
    { other: undefined, same: false },
  ])('$other is the same thing: $same', ({ other, same }) => {
    expect(referenceKey(other, 'default') === referenceKey(gateway, 'default')).toBe(same);
  });

  it('a namespace does not tell cluster-scoped things apart', () => {
    const aClass = { kind: 'GatewayClass', name: 'c' };
    expect(referenceKey({ ...aClass, namespace: 'a' }, 'x')).toBe(referenceKey(aClass, 'y'));
  });
});
