import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../resources/resource.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Revision, Store } from './store.ts';

const object = (name: string, namespace = 'ns', value = 0): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Note',
  metadata: { name, namespace },
  value,
});

const set = (store: Store, next: StoredObject, resource = 'notes'): StoredObject =>
  store.put(resource, next, store.get(resource, next.metadata));

const names = (objects: readonly StoredObject[]): readonly string[] =>
  objects.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);

describe('the store', () => {
  it('gives each write the next revision, over all resources', () => {
    const store = createMemoryStore(100);
    expect(store.revision).toBe(1);
    expect(set(store, object('a')).metadata.resourceVersion).toBe('2');
    expect(set(store, object('b'), 'others').metadata.resourceVersion).toBe('3');
    expect(set(store, object('a', 'ns', 1)).metadata.resourceVersion).toBe('4');
    const a = store.get('notes', { namespace: 'ns', name: 'a' }) as StoredObject;
    expect(store.remove('notes', a)).toMatchObject({ metadata: { resourceVersion: '5' }, value: 1 });
    expect(store.revision).toBe(5);
    expect(store.get('notes', { namespace: 'ns', name: 'a' })).toBeUndefined();
  });

  it('freezes what it holds, all the way down', () => {
    const store = createMemoryStore(100);
    const given = { ...object('a'), list: [{ deep: {} }] } as unknown as StoredObject;
    const stored = set(store, given) as unknown as { metadata: { name: string }; list: [{ deep: object }] };
    expect(() => (stored.metadata.name = 'b')).toThrow(TypeError);
    expect(Object.isFrozen(stored.list[0].deep)).toBe(true);
  });

  it('refuses a write whose writer saw something else', () => {
    const store = createMemoryStore(100);
    const first = set(store, object('a'));
    set(store, object('a', 'ns', 1));
    expect(() => store.put('notes', object('a'), first)).toThrow(TypeError);
    expect(() => store.put('notes', object('a'), undefined)).toThrow(TypeError);
    expect(() => store.remove('notes', first)).toThrow(TypeError);
    expect(store.revision).toBe(3);
  });

  it('lists in the order of etcd, where a namespace ends before a longer one begins with a dash', () => {
    const store = createMemoryStore(100);
    for (const [name, namespace] of [
      ['x', 'a'],
      ['c', 'a-b'],
      ['b', 'a'],
      ['a.b', 'a'],
      ['a-b', 'a'],
      ['a', 'a'],
      ['a', 'aa'],
    ] as const) {
      set(store, object(name, namespace));
    }
    expect(names(store.list('notes'))).toEqual(['a-b/c', 'a/a', 'a/a-b', 'a/a.b', 'a/b', 'a/x', 'aa/a']);
    expect(names(store.list('notes', 'a'))).toEqual(['a/a', 'a/a-b', 'a/a.b', 'a/b', 'a/x']);
    expect(store.list('notes', 'b')).toEqual([]);
    expect(store.list('nothing')).toEqual([]);
  });

  it('never changes a list that it handed out', () => {
    const store = createMemoryStore(100);
    set(store, object('a'));
    const before = store.list('notes');
    set(store, object('b'));
    set(store, object('a', 'ns', 1));
    expect(before).toMatchObject([{ metadata: { name: 'a', resourceVersion: '2' } }]);
  });

  it('tells its subscribers of each write when it is in place, and of a restored snapshot', () => {
    const store = createMemoryStore(100);
    const told: string[] = [];
    const subscription = store.subscribe(
      ({ revision, type, previous, object: { metadata } }) =>
        told.push(
          `${revision} ${type} ${previous?.metadata.resourceVersion} ${store.get('notes', metadata) !== undefined}`,
        ),
      () => told.push('restored'),
    );
    const snapshot = store.snapshot();
    set(store, object('a'));
    store.remove('notes', set(store, object('a', 'ns', 1)));
    store.restore(snapshot);
    subscription[Symbol.dispose]();
    set(store, object('b'));
    expect(told).toEqual(['2 ADDED undefined true', '3 MODIFIED 2 true', '4 DELETED 3 false', 'restored']);
  });

  it('forgets the older half when there is more than it remembers', () => {
    const store = createMemoryStore(10);
    for (let i = 0; i < 10; i++) set(store, object('a', 'ns', i));
    expect(store.compactedTo).toBe(1);
    set(store, object('a', 'ns', 10));
    expect([store.revision, store.compactedTo]).toEqual([12, 7]);
    expect(store.since(7, 'notes').map(({ revision }) => revision)).toEqual([8, 9, 10, 11, 12]);
    store.compact();
    expect([store.compactedTo, store.since(1, 'notes')]).toEqual([12, []]);
    expect(store.listAt(12, 'notes')).toEqual(store.list('notes'));
  });

  it('goes back to a snapshot, revision and all, and remembers nothing from before', () => {
    const store = createMemoryStore(100);
    set(store, object('a'));
    set(store, object('b'));
    const snapshot = store.snapshot();
    set(store, object('c'));
    store.remove('notes', store.get('notes', { namespace: 'ns', name: 'a' }) as StoredObject);
    store.restore(snapshot);
    expect([store.revision, store.compactedTo]).toEqual([3, 3]);
    expect(names(store.list('notes'))).toEqual(['ns/a', 'ns/b']);
    expect(set(store, object('d')).metadata.resourceVersion).toBe('4');
    expect(snapshot.objects.get('notes')?.size).toBe(2);
  });

  /**
   * 1. The list is what a plain map would hold, sorted. 2. A list of any remembered revision is the list that there was then.
   * 3. Replaying the revisions after a list gives the list of now.
   */
  it('remembers every revision as it was', () => {
    const write = fc.record({
      resource: fc.constantFrom('notes', 'others'),
      namespace: fc.constantFrom('a', 'a-b', 'b'),
      name: fc.constantFrom('x', 'y', 'z'),
      remove: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 60, size: 'max' }), fc.nat(), (writes, compaction) => {
        const store = createMemoryStore(1000);
        const lists = new Map<number, readonly StoredObject[]>([[1, []]]);
        const model = new Map<string, StoredObject>();
        for (const [value, { resource, namespace, name, remove }] of writes.entries()) {
          const previous = store.get(resource, { namespace, name });
          if (remove && !previous) continue;
          const stored =
            remove && previous
              ? store.remove(resource, previous)
              : set(store, object(name, namespace, value), resource);
          if (resource === 'notes') {
            if (remove) model.delete(`${namespace}/${name}`);
            else model.set(`${namespace}/${name}`, stored);
          }
          const sorted = [...model.keys()].sort().map((key) => model.get(key) as StoredObject);
          expect(store.list('notes')).toEqual(sorted);
          lists.set(store.revision, sorted);
        }
        store.compact(1 + (compaction % store.revision));
        for (const [revision, list] of lists) {
          if (revision < store.compactedTo) continue;
          expect(store.listAt(revision, 'notes')).toEqual(list);
          expect(store.listAt(revision, 'notes', 'a')).toEqual(
            list.filter(({ metadata }) => metadata.namespace === 'a'),
          );
          expect(replay(list, store.since(revision, 'notes'))).toEqual(store.list('notes'));
        }
      }),
      { seed: 4, numRuns: 150 },
    );
  });
});

function replay(list: readonly StoredObject[], revisions: readonly Revision[]): readonly StoredObject[] {
  const key = ({ metadata }: StoredObject): string => `${metadata.namespace}/${metadata.name}`;
  const state = new Map(list.map((each) => [key(each), each]));
  for (const { type, object: each } of revisions) {
    if (type === 'DELETED') state.delete(key(each));
    else state.set(key(each), each);
  }
  return [...state.keys()].sort().map((each) => state.get(each) as StoredObject);
}
