import type { ObjectKey } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admission } from './admission.ts';
import { Index } from './indexer.ts';
import type { ObjectEvent } from './informer.ts';
import type { Delta } from './reflector.ts';
import { ObjectStore } from './store.ts';
import { Widget, widget } from './widget.fixture.ts';

const bySize = ({ spec }: Widget): string[] => (spec ? [`size-${spec.size}`, spec.color ?? 'none'] : []);

function newStore(): ObjectStore<Widget> {
  const store = new ObjectStore(admission(Widget), (error) => {
    throw error;
  });
  store.addIndexes({ bySize });
  return store;
}

/** `added b@3`, `updated a@1→2`: names and revisions. */
function brief(events: readonly ObjectEvent<Widget>[]): string[] {
  const rv = ({ metadata }: { metadata: { resourceVersion?: string | undefined } }): string =>
    metadata.resourceVersion ?? '';
  return events.map((event) => {
    const { name } = event.object.metadata;
    return event.type === 'updated'
      ? `updated ${name}@${rv(event.old)}→${rv(event.object)}`
      : `${event.type} ${name}@${rv(event.object)}`;
  });
}

const applied = (object: Widget): Delta<Widget> => ({ type: 'applied', object });
const deleted = (object: Widget): Delta<Widget> => ({ type: 'deleted', object });
const replaced = (...items: Widget[]): Delta<Widget> => ({ type: 'replaced', items });

describe('ObjectStore', () => {
  it.each<{ name: string; before: Delta<Widget>[]; delta: Delta<Widget>; events: string[] }>([
    {
      name: 'a first list adds all',
      before: [],
      delta: replaced(widget('a', 1), widget('b', 2)),
      events: ['added a@1', 'added b@2'],
    },
    {
      name: 'a revision given a second time, by a restored server',
      before: [replaced(widget('a', 1), widget('b', 2))],
      delta: replaced(widget('a', 1, { size: 2 }), widget('b', 2)),
      events: ['updated a@1→1'],
    },
    {
      name: 'the same, and what was malformed is sound',
      before: [replaced(widget('a', 1, { size: 'x' }))],
      delta: replaced(widget('a', 1)),
      events: ['added a@1'],
    },
    {
      name: 'an equal list changes nothing',
      before: [replaced(widget('a', 1))],
      delta: replaced(widget('a', 1)),
      events: [],
    },
    {
      name: 'a list tells what differs, deletions included',
      before: [replaced(widget('a', 1), widget('b', 2), widget('c', 3))],
      delta: replaced(widget('d', 9), widget('a', 1), widget('b', 8)),
      events: ['added d@9', 'updated b@2→8', 'deleted c@3'],
    },
    {
      name: 'a list replaces even what looks newer: the server was restored',
      before: [replaced(widget('a', 100))],
      delta: replaced(widget('a', 50)),
      events: ['updated a@100→50'],
    },
    {
      name: 'another uid is a deletion and an addition',
      before: [replaced(widget('a', 1))],
      delta: replaced(widget('a', 5, { uid: 'second' })),
      events: ['deleted a@1', 'added a@5'],
    },
    {
      name: 'also when it came as one change on the watch',
      before: [replaced(widget('a', 1))],
      delta: applied(widget('a', 5, { uid: 'second' })),
      events: ['deleted a@1', 'added a@5'],
    },
    { name: 'a repeat is nothing', before: [applied(widget('a', 2))], delta: applied(widget('a', 2)), events: [] },
    {
      name: 'an older state is nothing',
      before: [applied(widget('a', 10))],
      delta: applied(widget('a', 9)),
      events: [],
    },
    {
      name: 'nor is one of an earlier uid',
      before: [applied(widget('a', 10))],
      delta: applied(widget('a', 9, { uid: 'first' })),
      events: [],
    },
    {
      name: 'revisions that are no numbers are all news',
      before: [applied(widget('a', 'x9'))],
      delta: applied(widget('a', 'x8')),
      events: ['updated a@x9→x8'],
    },
    {
      name: 'a deletion gives the last known state',
      before: [applied(widget('a', 2))],
      delta: deleted(widget('a', 7)),
      events: ['deleted a@2'],
    },
    {
      name: 'a deletion without a revision of its own counts',
      before: [applied(widget('a', 2))],
      delta: deleted(widget('a', 2)),
      events: ['deleted a@2'],
    },
    {
      name: 'a deletion told twice is one',
      before: [applied(widget('a', 2)), deleted(widget('a', 7))],
      delta: deleted(widget('a', 7)),
      events: [],
    },
    {
      name: 'a deletion of an earlier life is nothing',
      before: [applied(widget('a', 9, { uid: 'second' }))],
      delta: deleted(widget('a', 7)),
      events: [],
    },
    {
      name: 'a malformed newcomer',
      before: [],
      delta: applied(widget('a', 1, { size: 'x' })),
      events: ['malformed a@1'],
    },
    {
      name: 'a sound object that turns malformed',
      before: [applied(widget('a', 1))],
      delta: applied(widget('a', 2, { size: 'x' })),
      events: ['malformed a@2'],
    },
    {
      name: 'a malformed one that turns sound',
      before: [applied(widget('a', 1, { size: 'x' }))],
      delta: applied(widget('a', 2)),
      events: ['added a@2'],
    },
    {
      name: 'a malformed one that goes',
      before: [applied(widget('a', 1, { size: 'x' }))],
      delta: deleted(widget('a', 2)),
      events: ['malformed a@1'],
    },
    {
      name: 'a malformed one that is listed again as it was',
      before: [replaced(widget('a', 1, { size: 'x' }))],
      delta: replaced(widget('a', 1, { size: 'x' })),
      events: [],
    },
    {
      name: 'a sound one recreated malformed',
      before: [applied(widget('a', 1))],
      delta: applied(widget('a', 2, { uid: 'second', size: 'x' })),
      events: ['deleted a@1', 'malformed a@2'],
    },
  ])('$name', ({ before, delta, events }) => {
    const store = newStore();
    for (const each of before) store.apply(each);
    expect(brief(store.apply(delta))).toEqual(events);
  });

  it('keeps the object it holds when a list brings an equal one', () => {
    const store = newStore();
    const first = widget('a', 1);
    store.apply(replaced(first));
    store.apply(replaced(widget('a', 1)));
    expect(store.get('default/a')).toBe(first);
  });

  it('holds a malformed object as present and unusable', () => {
    const store = newStore();
    store.apply(replaced(widget('a', 1, { color: 'red' }), widget('b', 2, { size: 'x', color: 'red' })));
    expect(() => store.get('default/b')).toThrow(
      expect.objectContaining({ code: 'malformed-object', message: expect.stringContaining('spec.size') }),
    );
    expect(store.has('default/b')).toBe(true);
    expect(store.size).toBe(2);
    expect([...store.keys()]).toEqual(['default/a', 'default/b']);
    expect([...store.list()].map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(store.byIndex('bySize', 'red')).toHaveLength(1);
    expect([...store.malformed().keys()]).toEqual(['default/b']);
    expect(store.get('default/c')).toBeUndefined();
  });

  it('tells of the last sound state when an object turns malformed', () => {
    const store = newStore();
    const sound = widget('a', 1);
    store.apply(applied(sound));
    expect(store.apply(applied(widget('a', 2, { size: 'x' })))).toMatchObject([{ type: 'malformed', old: sound }]);
  });

  it('knows an index by its function, and builds one that comes late from what it holds', () => {
    const store = newStore();
    store.apply(replaced(widget('a', 1), widget('b', 2, { color: 'red' })));
    const byColor = ({ spec }: Widget): string[] => (spec?.color ? [spec.color] : []);
    store.addIndexes({ bySize, byColor });
    expect(store.byIndex('byColor', 'red').map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(() => store.addIndexes({ byColor: () => [] })).toThrow('declared twice');
    expect(() => store.byIndex('byShape', 'round')).toThrow('no index "byShape"');
  });

  it('files an object under nothing when its index function throws, and says so', () => {
    const errors: unknown[] = [];
    const store = new ObjectStore(admission(Widget), (error) => errors.push(error));
    const shout = ({ spec }: Widget): string[] => [(spec?.color as string).toUpperCase()];
    store.addIndexes({ shout });
    store.apply(replaced(widget('a', 1), widget('b', 2, { color: 'red' })));
    expect(store.byIndex('shout', 'RED')).toHaveLength(1);
    expect(errors).toHaveLength(1);
    expect(store.size).toBe(2);
  });
});

/** A server's history as deltas, some repeated, out of date or found out by a list. */
const deltaArb = fc.record({
  op: fc.constantFrom('put', 'put', 'put', 'delete', 'recreate', 'repeat', 'list', 'restore'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  size: fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, fc.constant('broken')),
  color: fc.constantFrom('red', 'green'),
  seen: fc.boolean(),
});

it('events replay to what is listed, indexes equal a rebuild, and nothing is told twice', () => {
  fc.assert(
    fc.property(fc.array(deltaArb, { maxLength: 60, size: 'max' }), (ops) => {
      const store = newStore();
      const server = new Map<string, Widget>();
      const replay = new Map<ObjectKey, Widget>();
      const malformed = new Set<ObjectKey>();
      const told: Delta<Widget>[] = [];
      let rv = 100;
      let lives = 0;

      const tell = (delta: Delta<Widget>): void => {
        told.push(delta);
        for (const event of store.apply(delta)) {
          const key = `default/${event.object.metadata.name}`;
          const before = replay.get(key);
          malformed.delete(key);
          switch (event.type) {
            case 'added':
              expect(before).toBeUndefined();
              replay.set(key, event.object);
              break;
            case 'updated':
              expect(event.old).toBe(before);
              expect(event.old.metadata.uid).toBe(event.object.metadata.uid);
              expect(event.old).not.toEqual(event.object);
              replay.set(key, event.object);
              break;
            case 'deleted':
              expect(event.object).toBe(before);
              replay.delete(key);
              break;
            case 'malformed':
              expect(event.old).toBe(before);
              replay.delete(key);
              if (store.has(key)) malformed.add(key);
              break;
          }
        }
      };

      for (const { op, name, size, color, seen } of ops) {
        const held = server.get(name);
        const uid = op === 'recreate' || !held ? `uid-${name}-${lives++}` : (held.metadata.uid as string);
        const next = widget(name, ++rv, { uid, size, color });
        switch (op) {
          case 'put':
          case 'recreate':
            server.set(name, next);
            if (seen) tell({ type: 'applied', object: next });
            break;
          case 'delete':
            if (server.delete(name) && seen) tell({ type: 'deleted', object: next });
            break;
          case 'repeat': {
            const old = told.filter(({ type }) => type !== 'replaced').at(-3);
            if (old && 'object' in old && store.has(`default/${old.object.metadata.name}`)) tell(old);
            break;
          }
          case 'list':
            tell({ type: 'replaced', items: [...server.values()] });
            break;
          case 'restore':
            rv -= 20;
            tell({ type: 'replaced', items: [...server.values()] });
            break;
        }
        expect([...replay].sort()).toEqual(
          [...store.list()].map((object) => [`default/${object.metadata.name}`, object]).sort(),
        );
        expect([...malformed].sort()).toEqual([...store.malformed().keys()].sort());
        const rebuilt = new Index(bySize, () => undefined);
        for (const object of store.list()) rebuilt.set(`default/${object.metadata.name}`, object);
        for (const value of ['size-0', 'size-1', 'size-2', 'red', 'green']) {
          expect(new Set(store.byIndex('bySize', value))).toEqual(new Set(rebuilt.get(value)));
        }
      }
      tell({ type: 'replaced', items: [...server.values()] });
      expect(new Set(store.keys())).toEqual(new Set([...server.keys()].map((name) => `default/${name}`)));
      expect(
        [...store.list()].every(
          (object) => object.metadata.resourceVersion === server.get(object.metadata.name)?.metadata.resourceVersion,
        ),
      ).toBe(true);
    }),
    { seed: 7, numRuns: 300 },
  );
});
