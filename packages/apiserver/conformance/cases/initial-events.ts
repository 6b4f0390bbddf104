import { defineCases } from '../test-case.ts';
import { inShort, type WatchEvent } from '../watch.ts';

const short = (events: readonly WatchEvent[]): string[] => events.map(inShort);
const versionOf = ({ object }: WatchEvent): string =>
  (object['metadata'] as { resourceVersion: string }).resourceVersion;
const isBookmark = ({ type }: WatchEvent): boolean => type === 'BOOKMARK';

const initialEnd = (event: WatchEvent): boolean =>
  isBookmark(event) &&
  (event.object['metadata'] as { annotations?: Record<string, string> }).annotations?.['k8s.io/initial-events-end'] ===
    'true';

/** Watches that begin with what is there. */
export const initialEventCases = defineCases('initial events', {
  'without a resourceVersion, what is there comes first': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    t.ok(await t.create(maps, t.configMap('b')), 201);
    for (const resourceVersion of [undefined, '0']) {
      using watch = await t.watch(maps, { query: { resourceVersion } });
      t.equal(short(await watch.take(2)), ['ADDED a', 'ADDED b'], `from resourceVersion ${resourceVersion ?? 'none'}`);
    }
  },

  'sendInitialEvents: what is there, then a bookmark that says so': async (t) => {
    const maps = await t.configMaps();
    t.ok(await t.create(maps, t.configMap('a')), 201);
    const last = t.ok(await t.create(maps, t.configMap('b')), 201);
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    using watch = await t.watch(maps, { query });
    const events: WatchEvent[] = [];
    await watch.until((event) => events.push(event) > 0 && initialEnd(event));
    t.equal(short(events), ['ADDED a', 'ADDED b', 'BOOKMARK '], 'events');
    const bookmark = events.at(-1);
    t.equal(
      bookmark?.object ?? null,
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: /^\d+$/, annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
      'the bookmark',
    );
    t.is(
      bookmark !== undefined && BigInt(versionOf(bookmark)) >= BigInt(last.resourceVersion),
      'the bookmark is as new as the last object',
    );
    t.ok(await t.create(maps, t.configMap('c')), 201);
    t.equal(short(await watch.take(1)), ['ADDED c'], 'what follows');
  },

  'sendInitialEvents of a selection, of custom resources, and of nothing': async (t) => {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const all = await t.widgets();
    t.ok(await t.create(all, t.widget('a', { spec: { mode: 'slow' } })), 201);
    t.ok(await t.create(all, t.widget('b')), 201);
    for (const [fieldSelector, expected] of [
      ['spec.mode=slow', ['ADDED a', 'BOOKMARK ']],
      ['metadata.name=none', ['BOOKMARK ']],
    ] as const) {
      using watch = await t.watch(all, { query: { ...query, fieldSelector } });
      const events: WatchEvent[] = [];
      await watch.until((event) => events.push(event) > 0 && initialEnd(event));
      t.equal(short(events), expected, fieldSelector);
    }
  },

  'sendInitialEvents wants its companions': async (t) => {
    const maps = await t.configMaps();
    for (const [query, message] of [
      [
        { sendInitialEvents: true },
        'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ],
      [
        { resourceVersionMatch: 'NotOlderThan', resourceVersion: '0' },
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ],
    ] as const) {
      t.refused(await t.get(maps, { query: { watch: true, ...query } }), {
        code: 422,
        reason: 'Invalid',
        message: `ListOptions.meta.k8s.io "" is invalid: ${message}`,
      });
    }
    t.refused(await t.get(maps, { query: { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } }), {
      code: 422,
      reason: 'Invalid',
      message: /sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list/,
    });
  },

  'a bookmark comes at the end of a short watch that asked for bookmarks': async (t) => {
    const all = await t.widgets();
    const { resourceVersion } = t.ok(await t.create(all, t.widget('a')), 201);
    using watch = await t.watch(all, { query: { allowWatchBookmarks: true, timeoutSeconds: 3, resourceVersion } });
    t.ok(await t.create(await t.gadgets(), t.gadget('other')), 201);
    const events = await watch.rest();
    t.is(events.every(isBookmark), 'nothing but bookmarks');
    for (const event of events) {
      t.equal(
        event.object,
        { kind: 'Widget', apiVersion: `${t.group}/v1`, metadata: { resourceVersion: /^\d+$/ } },
        'a bookmark',
      );
      t.is(BigInt(versionOf(event)) >= BigInt(resourceVersion), 'it is not older than the start');
    }
  },
});
