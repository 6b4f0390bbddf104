import { absent, present } from '../pattern.ts';
import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';
import { inShort, type WatchEvent } from '../watch.ts';

const short = (events: readonly WatchEvent[]): string[] => events.map(inShort);
const versionOf = ({ object }: WatchEvent): string =>
  (object['metadata'] as { resourceVersion: string }).resourceVersion;
const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';

const labelled = (t: Test, name: string, x: string) => t.configMap(name, { metadata: { labels: { x } } });

/** Following what changes. */
export const watchCases = defineCases('watches', {
  'from a list on, each change comes once, in order': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('before')), 201);
    const { resourceVersion } = t.ok(await t.get(maps));
    using watch = await t.watch(maps, { query: { resourceVersion } });
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.ok(await t.merge(`${maps}/a`, { data: { x: '1' } }));
    t.ok(await t.create(maps, t.configMap('b')), 201);
    t.ok(await t.delete(`${maps}/a`));
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const events = await watch.take(5);
    t.equal(short(events), ['ADDED a', 'MODIFIED a', 'ADDED b', 'DELETED a', 'ADDED a'], 'events');
    const versions = events.map((event) => BigInt(versionOf(event)));
    t.is(
      versions.every((version, index) => index === 0 || version > (versions[index - 1] as bigint)),
      'resourceVersions rise',
    );
  },

  'a watch that starts in the past catches up': async (t) => {
    const maps = await t.configMaps();
    const { resourceVersion } = t.ok(await t.create(maps, t.configMap('a')), 201);
    t.ok(await t.merge(`${maps}/a`, { data: { x: '1' } }));
    t.ok(await t.merge(`${maps}/a`, { data: { x: '2' } }));
    using watch = await t.watch(maps, { query: { resourceVersion } });
    const events = await watch.take(2);
    t.equal(
      events.map(({ object }) => object['data'] as never),
      [{ x: '1' }, { x: '2' }],
      'the states between',
    );
  },

  'events carry whole objects, with kind and apiVersion': async (t) => {
    const maps = await t.configMaps();
    const created = t.ok(await t.create(maps, t.configMap('a')), 201);
    using watch = await t.watch(maps);
    const [event] = await watch.take(1);
    t.equal(event?.object ?? null, created.body, 'the object of the event');
    t.is((watch.headers['content-type'] ?? '').startsWith('application/json'), 'content type');
  },

  'the event of a deletion has the last state and the resourceVersion of the deletion': async (t) => {
    const widgets = await t.widgets();
    const created = t.ok(await t.create(widgets, t.widget('a', { spec: { size: 1 } })), 201);
    using watch = await t.watch(widgets, { query: { resourceVersion: created.resourceVersion } });
    t.ok(await t.delete(`${widgets}/a`));
    const [event] = await watch.take(1);
    t.equal(
      event?.object ?? null,
      { metadata: { uid: created.uid, deletionTimestamp: absent }, spec: { size: 1 } },
      'the object',
    );
    t.is(
      event !== undefined && BigInt(versionOf(event)) > BigInt(created.resourceVersion),
      'its resourceVersion is newer',
    );
  },

  'the write that removes the last finalizer is seen as a deletion of the state before': async (t) => {
    const widgets = await t.widgets();
    const created = t.ok(await t.create(widgets, t.widget('a', { metadata: { finalizers: ['x.dev/f'] } })), 201);
    using watch = await t.watch(widgets, { query: { resourceVersion: created.resourceVersion } });
    t.ok(await t.delete(`${widgets}/a`));
    t.ok(await t.merge(`${widgets}/a`, { spec: { size: 2 }, metadata: { finalizers: null } }));
    const events = await watch.take(2);
    t.equal(short(events), ['MODIFIED a', 'DELETED a'], 'events');
    t.equal(events[0]?.object ?? null, { metadata: { deletionTimestamp: present } }, 'the first');
    t.equal(
      events[1]?.object ?? null,
      { metadata: { deletionTimestamp: present, finalizers: ['x.dev/f'] }, spec: absent },
      'the second',
    );
  },

  'one object by name': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const { resourceVersion } = t.ok(await t.create(maps, t.configMap('b')), 201);
    using watch = await t.watch(maps, { query: { fieldSelector: 'metadata.name=b', resourceVersion } });
    t.ok(await t.merge(`${maps}/a`, { data: { x: '1' } }));
    t.ok(await t.merge(`${maps}/b`, { data: { x: '1' } }));
    t.equal(short(await watch.take(1)), ['MODIFIED b'], 'events');
    using old = await t.watch(`/api/v1/watch/namespaces/${await t.namespace()}/configmaps/b`, {
      query: { resourceVersion, watch: undefined },
    });
    t.equal(short(await old.take(1)), ['MODIFIED b'], 'events under the old path');
  },

  'a label selector turns changes into comings and goings': async (t) => {
    const maps = await t.configMaps();
    const { resourceVersion } = t.ok(await t.create(maps, labelled(t, 'a', '1')), 201);
    using watch = await t.watch(maps, { query: { labelSelector: 'x=1', resourceVersion } });
    const label = (name: string, x: string | null) => t.merge(`${maps}/${name}`, { metadata: { labels: { x } } });
    t.ok(await label('a', '2'));
    t.ok(await t.merge(`${maps}/a`, { data: { while: 'away' } }));
    t.ok(await label('a', '1'));
    t.ok(await t.merge(`${maps}/a`, { data: { while: 'here' } }));
    t.ok(await t.create(maps, labelled(t, 'b', '2')), 201);
    t.ok(await t.create(maps, labelled(t, 'c', '1')), 201);
    t.ok(await t.delete(`${maps}/b`));
    t.ok(await t.delete(`${maps}/a`));
    const events = await watch.take(5);
    t.equal(short(events), ['DELETED a', 'ADDED a', 'MODIFIED a', 'ADDED c', 'DELETED a'], 'events');
    t.equal(
      events[0]?.object ?? null,
      { metadata: { labels: { x: '1' } } },
      'what leaves the selection is shown as it was in it',
    );
  },

  'a field selector of a custom resource does so too': async (t) => {
    const all = await t.widgets();
    const { resourceVersion } = t.ok(await t.create(all, t.widget('a', { spec: { mode: 'slow' } })), 201);
    using watch = await t.watch(all, { query: { fieldSelector: 'spec.mode=slow', resourceVersion } });
    t.ok(await t.merge(`${all}/a`, { spec: { mode: 'fast' } }));
    t.ok(await t.create(all, t.widget('b')), 201);
    t.ok(await t.merge(`${all}/b`, { spec: { mode: 'slow' } }));
    t.equal(short(await watch.take(2)), ['DELETED a', 'ADDED b'], 'events');
  },

  'over all namespaces': async (t) => {
    const [one, two] = [await t.newNamespace(), await t.newNamespace()];
    using watch = await t.watch('/api/v1/configmaps', { query: { labelSelector: `case=${t.id}` } });
    for (const namespace of [one, two]) {
      t.ok(
        await t.create(
          `/api/v1/namespaces/${namespace}/configmaps`,
          t.configMap('a', { metadata: { labels: { case: t.id } } }),
        ),
        201,
      );
    }
    const events = await watch.take(2);
    t.equal(
      events.map(({ object }) => (object['metadata'] as { namespace: string }).namespace),
      [one, two],
      'namespaces',
    );
  },

  'status writes and marks of deletion are changes, writes that change nothing are not': async (t) => {
    const all = await t.widgets();
    const { resourceVersion } = t.ok(
      await t.create(all, t.widget('a', { metadata: { finalizers: ['x.dev/f'] } })),
      201,
    );
    using watch = await t.watch(all, { query: { resourceVersion } });
    t.ok(await t.merge(`${all}/a`, {}));
    t.ok(await t.merge(`${all}/a/status`, { status: { phase: 'x' } }));
    t.ok(await t.merge(`${all}/a/status`, { status: { phase: 'x' } }));
    t.ok(await t.delete(`${all}/a`));
    const events = await watch.take(2);
    t.equal(short(events), ['MODIFIED a', 'MODIFIED a'], 'events');
    t.equal(events[1]?.object ?? null, { metadata: { deletionTimestamp: present } }, 'the second');
  },

  'timeoutSeconds ends a watch cleanly': async (t) => {
    const maps = await t.configMaps();
    const { resourceVersion } = t.ok(await t.get(maps));
    // Before the watch: however long a busy machine takes for it, the watch begins with it.
    t.ok(await t.create(maps, t.configMap('a')), 201);
    using watch = await t.watch(maps, { query: { timeoutSeconds: 1, resourceVersion } });
    t.equal(short((await watch.rest()).filter((event) => !isBookmark(event))), ['ADDED a'], 'events before the end');
  },

  'a watch from before what is remembered gets a 410': [
    'compact',
    async (t) => {
      const widgets = await t.widgets();
      t.ok(await t.create(widgets, t.widget('a')), 201);
      await t.can.compact?.();
      using watch = await t.watch(widgets, { query: { resourceVersion: '1' } });
      const events = await watch.rest();
      t.equal(
        events.map(({ type }) => type),
        ['ERROR'],
        'events',
      );
      t.equal(
        events[0]?.object ?? null,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: /^too old resource version: 1 \(\d+\)$/,
          reason: 'Expired',
          code: 410,
        },
        'the Status',
      );
    },
  ],

  'a watch from the future hears nothing of the present': async (t) => {
    const maps = await t.configMaps();
    using watch = await t.watch(maps, { query: { resourceVersion: '999999999999', timeoutSeconds: 1 } });
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.equal(short(await watch.rest()), [], 'events');
  },

  'a watch that cannot be is refused before it starts': async (t) => {
    const maps = await t.configMaps();
    t.refused(await t.get(maps, { query: { watch: true, resourceVersion: 'x' } }), {
      code: 500,
      message: /^resourceVersion: Invalid value: "x"/,
    });
    t.refused(await t.get(maps, { query: { watch: true, labelSelector: 'x in' } }), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.get(maps, { query: { watch: true, fieldSelector: 'data.x=1' } }), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.get('/api/v1/nonsense', { query: { watch: true } }), { code: 404, reason: 'NotFound' });
  },

  'many watchers see the same': async (t) => {
    const maps = await t.configMaps();
    const { resourceVersion } = t.ok(await t.get(maps));
    const watches = await Promise.all(Array.from({ length: 20 }, () => t.watch(maps, { query: { resourceVersion } })));
    for (const name of ['a', 'b', 'c']) t.ok(await t.create(maps, t.configMap(name)), 201);
    const seen = await Promise.all(watches.map((watch) => watch.take(3)));
    t.is(
      seen.every((events) => JSON.stringify(events) === JSON.stringify(seen[0])),
      'the same events',
    );
    t.equal(short(seen[0] ?? []), ['ADDED a', 'ADDED b', 'ADDED c'], 'events');
    for (const watch of watches) watch[Symbol.dispose]();
  },
});
