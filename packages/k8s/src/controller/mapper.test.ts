import { ConfigMap, Connector, Namespace } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { configMap } from './fleet.fixture.ts';
import { byLabel, owner, self, toRequests } from './mapper.ts';

const owned = configMap(
  'a',
  {},
  {
    ownerReferences: [
      { apiVersion: 'networking.datumapis.com/v1alpha1', kind: 'Connector', name: 'c1', uid: 'u1' },
      { apiVersion: 'networking.datumapis.com/v9', kind: 'Connector', name: 'c2', uid: 'u2', controller: true },
      { apiVersion: 'other.dev/v1', kind: 'Connector', name: 'c3', uid: 'u3' },
      { apiVersion: 'v1', kind: 'Namespace', name: 'n1', uid: 'u4' },
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'm1', uid: 'u5' },
    ],
  },
);

describe('mappers', () => {
  it('self: the object in its cluster', () => {
    expect(self(configMap('a'), 'p1')).toEqual([{ cluster: 'p1', key: 'default/a' }]);
  });

  it.each([
    { name: 'a group, in whatever version', kind: Connector, keys: ['default/c1', 'default/c2'] },
    { name: 'a cluster-scoped kind', kind: Namespace, keys: ['n1'] },
    { name: 'the core group', kind: ConfigMap, keys: ['default/m1'] },
  ])('owner: $name', ({ kind, keys }) => {
    expect(owner(kind)(owned, 'p1')).toEqual(keys.map((key) => ({ cluster: 'p1', key })));
    expect(owner(kind)(configMap('a'), 'p1')).toEqual([]);
  });

  it('byLabel: the object that labels name, or none when one is missing', () => {
    const mapper = byLabel({ cluster: 'up/cluster', namespace: 'up/namespace', name: 'up/name' });
    const labels = { 'up/cluster': 'p7', 'up/namespace': 'web', 'up/name': 'a' };
    expect(mapper(configMap('copy', {}, { labels }), 'hub')).toEqual([{ cluster: 'p7', key: 'web/a' }]);
    for (const missing of Object.keys(labels)) {
      expect(mapper(configMap('copy', {}, { labels: { ...labels, [missing]: '' } }), 'hub')).toEqual([]);
    }
    expect(mapper(configMap('copy'), 'hub')).toEqual([]);
    expect(byLabel({ name: 'up/name' })(configMap('copy', {}, { labels }), 'hub')).toEqual([
      { cluster: 'hub', key: 'a' },
    ]);
  });

  it('toRequests: names in the object’s cluster', () => {
    const mapper = toRequests<ConfigMap>(({ metadata, data }) =>
      Object.keys(data ?? {}).map((name) => ({ namespace: metadata.namespace, name })),
    );
    expect(mapper(configMap('a', { x: '', y: '' }), 'p1')).toEqual([
      { cluster: 'p1', key: 'default/x' },
      { cluster: 'p1', key: 'default/y' },
    ]);
  });
});
