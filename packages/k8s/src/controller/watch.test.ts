import { ConfigMap, Lease } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { configMap, FakeCluster, FakeProvider } from './fleet.fixture.ts';
import { type Mapper, self, toRequests } from './mapper.ts';
import { changed, type SoundEvent } from './predicate.ts';
import { type Watch, watch } from './watch.ts';

const hub = new FakeProvider('hub');
const byData = toRequests<ConfigMap>(({ data }) => Object.keys(data ?? {}).map((name) => ({ name })));

function listen(watched: Watch, cluster: FakeCluster): { seen: string[]; listening: Disposable } {
  const seen: string[] = [];
  return { seen, listening: watched.subscribe(cluster, ({ key }, lane) => seen.push(`${key} ${lane}`)) };
}

describe('watch', () => {
  it('watches of different kinds stand in one list', () => {
    const list: readonly Watch[] = [
      watch(hub, ConfigMap, { mapper: byData }),
      watch(hub, Lease, { mapper: self, predicate: changed(({ spec }) => spec?.renewTime) }),
    ];
    expect(list.map(({ kind }) => kind.plural)).toEqual(['configmaps', 'leases']);
  });

  it('maps the old and the new object of an update: what an object left is looked at too', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const { seen, listening } = listen(watch(hub, ConfigMap, { mapper: byData }), cluster);
    const informer = cluster.of(ConfigMap);
    informer.put(configMap('a', { x: '' }));
    informer.put(configMap('a', { y: '' }));
    informer.remove('default/a', 'list');
    expect(seen).toEqual(['x fresh', 'y fresh', 'x fresh', 'y resync']);
    listening[Symbol.dispose]();
    informer.put(configMap('b', { z: '' }));
    expect(seen).toHaveLength(4);
  });

  it('tells of what is already cached, as found by listing', () => {
    const cluster = new FakeCluster('hub', 'hub');
    cluster.of(ConfigMap).put(configMap('a'));
    expect(listen(watch(hub, ConfigMap, { mapper: self }), cluster).seen).toEqual(['default/a resync']);
  });

  it('a predicate keeps events away, and nothing else', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const watched = watch(hub, ConfigMap, { mapper: self, predicate: changed(({ data }) => data) });
    const { seen } = listen(watched, cluster);
    const informer = cluster.of(ConfigMap);
    informer.put(configMap('a', { x: '1' }));
    informer.put(configMap('a', { x: '1' }, { labels: { l: '' } }));
    informer.put(configMap('a', { x: '2' }));
    expect(seen).toHaveLength(2);
    expect([...watched.requests(cluster, () => true)]).toHaveLength(1);
  });

  it('what is urgent goes before all, found by a watch or by a list; what a predicate keeps away is not', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const isUrgent = ({ type, object }: SoundEvent<ConfigMap>): boolean =>
      type === 'updated' && object.data?.x === 'now';
    const predicate = changed<ConfigMap>(({ data }) => data);
    const { seen } = listen(watch(hub, ConfigMap, { mapper: self, predicate, urgent: isUrgent }), cluster);
    const informer = cluster.of(ConfigMap);
    informer.put(configMap('a', { x: 'now' }));
    informer.put(configMap('a', { x: 'later' }));
    informer.put(configMap('a', { x: 'now' }));
    informer.put(configMap('a', { x: 'now' }, { labels: { l: '' } }));
    informer.put(configMap('a', { x: 'later' }));
    informer.put(configMap('a', { x: 'now' }), 'list');
    expect(seen).toEqual(['fresh', 'fresh', 'urgent', 'fresh', 'urgent'].map((lane) => `default/a ${lane}`));
  });

  it('an object that its schema refuses is mapped by its old state and by its metadata, never filtered, never fatal', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const needsSpec = watch(hub, ConfigMap, {
      mapper: ({ data, metadata }, name) => [
        { cluster: name, key: `${Object.keys(data as object)[0]}-${metadata.name}` },
      ],
      predicate: () => false,
    });
    const { seen } = listen(needsSpec, cluster);
    const informer = cluster.of(ConfigMap);
    informer.put(configMap('a', { x: '' }));
    const { apiVersion, kind, metadata } = configMap('a');
    informer.spoil({ apiVersion, kind, metadata });
    expect(seen).toEqual(['x-a fresh']);
    const byName = listen(watch(hub, ConfigMap, { mapper: self }), cluster);
    informer.spoil({ apiVersion, kind, metadata });
    expect(byName.seen).toEqual(['default/a fresh']);
  });

  it('an update that leaves its requests as they are gives each of them once', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const { seen } = listen(watch(hub, ConfigMap, { mapper: byData }), cluster);
    const informer = cluster.of(ConfigMap);
    informer.put(configMap('a', { x: '', y: '' }));
    informer.put(configMap('a', { z: '', y: '' }));
    expect(seen.slice(2)).toEqual(['z fresh', 'y fresh', 'x fresh']);
  });

  it('gives the requests of the cached objects that are wanted, without those that nobody can read', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const informer = cluster.of(ConfigMap);
    for (const name of ['a', 'b', 'c']) informer.put(configMap(name));
    const { apiVersion, kind, metadata } = configMap('c');
    informer.spoil({ apiVersion, kind, metadata });
    informer.putUnseen(configMap('c'));
    const watched = watch(hub, ConfigMap, { mapper: self });
    expect([...watched.requests(cluster, (key) => key !== 'default/a')]).toEqual([
      { cluster: 'hub', key: 'default/b' },
    ]);
  });

  it('an object on which the mapper throws takes no other one’s turn', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const informer = cluster.of(ConfigMap);
    for (const name of ['a', 'b', 'c']) informer.put(configMap(name));
    const mapper: Mapper<ConfigMap> = (object, name) => {
      if (object.metadata.name === 'b') throw new TypeError('no spec');
      return self(object, name);
    };
    const keys = [...watch(hub, ConfigMap, { mapper }).requests(cluster, () => true)].map(({ key }) => key);
    expect(keys).toEqual(['default/a', 'default/c']);
  });

  it('opens the informer with its selection and indexes, and nothing else of its own', () => {
    const cluster = new FakeCluster('hub', 'hub');
    const indexes = { byName: ({ metadata }: ConfigMap): string[] => [metadata.name] };
    const watched = watch(hub, ConfigMap, { mapper: self, labelSelector: 'a=b', namespace: 'ns', indexes });
    watched.informer(cluster);
    expect(cluster.of(ConfigMap).options).toEqual({ labelSelector: 'a=b', namespace: 'ns', indexes });
    expect(watched.selection).toEqual({ labelSelector: 'a=b', namespace: 'ns', fieldSelector: undefined });
    expect(watched.store(cluster).byIndex('byName', 'x')).toEqual([]);
  });
});
