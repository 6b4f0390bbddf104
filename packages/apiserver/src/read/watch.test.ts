import { describe, expect, it } from 'vitest';
import { note, testPlane, widget } from '../plane.fixture.ts';

const notes = '/api/v1/notes?watch=true';

describe('a watch', () => {
  it('tells what comes after its revision', async () => {
    const plane = testPlane();
    plane.put(note, { name: 'a' });
    plane.put(note, { name: 'b' });
    const watch = await plane.watch(`${notes}&resourceVersion=2`);
    plane.put(widget, { name: 'w' });
    plane.put(note, { name: 'a' });
    plane.remove(note, 'b');
    expect(await watch.news()).toEqual(['ADDED b 3', 'MODIFIED a 5', 'DELETED b 6']);
    plane.put(note, { name: 'b' });
    expect(await watch.events()).toEqual([
      {
        type: 'ADDED',
        object: {
          apiVersion: 'v1',
          kind: 'Note',
          metadata: { name: 'b', namespace: 'default', resourceVersion: '7' },
        },
      },
    ]);
    expect(watch.end).toBeUndefined();
    await watch.stop();
  });

  it.each(['', '&resourceVersion=0', '&resourceVersion=2&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'])(
    'begins with what there is: %s',
    async (query) => {
      const plane = testPlane();
      for (const name of ['b', 'a', 'c']) plane.put(note, { name });
      plane.remove(note, 'c');
      const watch = await plane.watch(`${notes}${query}`);
      expect(await watch.news()).toEqual(['ADDED a 3', 'ADDED b 2']);
      plane.put(note, { name: 'd' });
      expect(await watch.news()).toEqual(['ADDED d 6']);
      await watch.stop();
    },
  );

  it('marks the end of the beginning for who takes bookmarks', async () => {
    const plane = testPlane();
    plane.put(note, { name: 'a' });
    plane.put(widget, { name: 'w' });
    const watch = await plane.watch(`${notes}&allowWatchBookmarks=true`);
    expect((await watch.events()).slice(1)).toEqual([
      {
        type: 'BOOKMARK',
        object: {
          kind: 'Note',
          apiVersion: 'v1',
          metadata: { resourceVersion: '3', annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      },
    ]);
    await watch.stop();
  });

  it('is of one object where the path or the selector names it', async () => {
    const plane = testPlane();
    for (const name of ['a', 'b']) plane.put(note, { name });
    for (const path of [
      '/api/v1/watch/namespaces/default/notes/a',
      `${notes}&fieldSelector=metadata.name%3Da`,
      '/api/v1/watch/namespaces/default/notes?fieldSelector=metadata.name%3Da',
    ]) {
      const watch = await plane.watch(path);
      expect(await watch.news()).toEqual(['ADDED a 2']);
      await watch.stop();
    }
    const two = await plane.ask('/api/v1/watch/namespaces/default/notes/a?fieldSelector=metadata.name%3Db');
    expect(two.body).toMatchObject({ code: 400, message: "fieldSelector metadata.name doesn't match requested name" });
    expect((await plane.ask('/api/v1/watch/notes/a')).status).toBe(404);
    expect((await plane.ask('/api/v1/watch/notes', { method: 'POST' })).status).toBe(405);
  });

  it('begins now where no state is wanted', async () => {
    const plane = testPlane();
    plane.put(note, { name: 'a' });
    const watch = await plane.watch(`${notes}&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`);
    plane.put(note, { name: 'b' });
    expect(await watch.news()).toEqual(['ADDED b 3']);
    await watch.stop();
  });

  it('says itself that its revision is forgotten', async () => {
    const plane = testPlane();
    plane.put(note, { name: 'a' });
    plane.put(note, { name: 'a' });
    plane.server.store.compact();
    const watch = await plane.watch(`${notes}&resourceVersion=2`);
    expect(watch.status).toBe(200);
    expect(await watch.events()).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'too old resource version: 2 (3)',
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
    expect([watch.end, plane.server.view.watches.size]).toEqual(['clean', 0]);
    const last = await plane.watch(`${notes}&resourceVersion=3`);
    expect(await last.news()).toEqual([]);
    await last.stop();
  });

  it('waits for a revision that is still to come, and skips what is before it', async () => {
    const plane = testPlane();
    const watch = await plane.watch(`${notes}&resourceVersion=3`);
    for (const name of ['a', 'b', 'c']) plane.put(note, { name });
    expect(await watch.news()).toEqual(['ADDED c 4']);
    await watch.stop();
    const complete = `${notes}&resourceVersion=9&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
    const refused = await plane.watch(complete);
    expect([refused.status, await refused.news()]).toEqual([200, ['ERROR 504']]);
  });

  it.each([
    ['resourceVersion=x', 500, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'resourceVersionMatch=NotOlderThan&resourceVersion=5',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'continue=abc',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    ['timeoutSeconds=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('refuses %s', async (query, status, message) => {
    const plane = testPlane();
    const answer = await plane.ask(`${notes}&${query}`);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(plane.clock.pending).toBe(0);
  });
});

describe('a watch with a selector', () => {
  it('adds what comes to match and deletes what no longer does, as it was', async () => {
    const plane = testPlane();
    plane.put(widget, { name: 'w' }, { spec: { color: 'red' } });
    const watch = await plane.watch(
      '/apis/example.com/v1/widgets?watch=1&fieldSelector=spec.color%3Dred&resourceVersion=1',
    );
    plane.put(widget, { name: 'w' }, { spec: { color: 'red', size: 2 } });
    plane.put(widget, { name: 'w' }, { spec: { color: 'blue' } });
    plane.put(widget, { name: 'w' }, { spec: { color: 'green' } });
    plane.put(widget, { name: 'w' }, { spec: { color: 'red' } });
    plane.remove(widget, 'w');
    plane.put(widget, { name: 'v' }, { spec: { color: 'blue' } });
    plane.remove(widget, 'v');
    const events = await watch.events();
    expect(events).toMatchObject([
      { type: 'ADDED', object: { metadata: { resourceVersion: '2' } } },
      { type: 'MODIFIED', object: { metadata: { resourceVersion: '3' } } },
      { type: 'DELETED', object: { metadata: { resourceVersion: '4' }, spec: { color: 'red', size: 2 } } },
      { type: 'ADDED', object: { metadata: { resourceVersion: '6' } } },
      { type: 'DELETED', object: { metadata: { resourceVersion: '7' }, spec: { color: 'red' } } },
    ]);
    await watch.stop();
  });

  it('sees its own namespace and labels only', async () => {
    const plane = testPlane();
    plane.put(note, { name: 'a', labels: { l: '1' } });
    plane.put(note, { name: 'a', namespace: 'other', labels: { l: '1' } });
    const watch = await plane.watch('/api/v1/namespaces/other/notes?watch&labelSelector=l');
    expect(await watch.news()).toEqual(['ADDED a 3']);
    plane.put(note, { name: 'b', labels: { l: '1' } });
    plane.put(note, { name: 'b', namespace: 'other' });
    plane.put(note, { name: 'a', namespace: 'other' });
    expect(await watch.news()).toEqual(['DELETED a 6']);
    await watch.stop();
  });
});

describe('the end of a watch', () => {
  it('comes when its time is over, with a bookmark shortly before', async () => {
    const plane = testPlane();
    const watch = await plane.watch(`${notes}&resourceVersion=1&timeoutSeconds=10&allowWatchBookmarks=1`);
    plane.put(widget, { name: 'w' });
    await plane.clock.advance(7_999);
    expect(await watch.news()).toEqual([]);
    await plane.clock.advance(1);
    expect([await watch.news(), watch.end]).toEqual([['BOOKMARK 2'], undefined]);
    await plane.clock.advance(2_000);
    expect([await watch.news(), watch.end, plane.clock.pending]).toEqual([[], 'clean', 0]);
  });

  it('comes after 30 to 60 minutes where no time was named', async () => {
    const plane = testPlane();
    const watches = await Promise.all(Array.from({ length: 20 }, () => plane.watch(`${notes}&resourceVersion=1`)));
    await plane.clock.advance(1_799_999);
    expect(plane.server.view.watches.size).toBe(20);
    await plane.clock.advance(900_000);
    expect(plane.server.view.watches.size).toBeLessThan(18);
    expect(plane.server.view.watches.size).toBeGreaterThan(2);
    await plane.clock.advance(900_001);
    expect([plane.server.view.watches.size, plane.clock.pending]).toEqual([0, 0]);
    expect(watches.map(({ end }) => end)).toEqual(watches.map(() => 'clean'));
  });

  it('comes with the signal, and with the reader', async () => {
    const plane = testPlane();
    const life = new AbortController();
    const aborted = await plane.watch(notes, { signal: life.signal });
    const returned = await plane.watch(notes);
    const reason = new Error('enough');
    life.abort(reason);
    await returned.stop();
    await plane.clock.settle();
    expect([aborted.end, returned.end]).toEqual([reason, 'clean']);
    expect([plane.server.view.watches.size, plane.clock.pending]).toEqual([0, 0]);
  });

  it('comes to who does not read, after what was kept', async () => {
    const plane = testPlane({ historyLimit: 100_000 });
    const { body } = await plane.transport(
      { method: 'GET', url: `https://plane.test${notes}&resourceVersion=1`, headers: {} },
      { signal: new AbortController().signal },
    );
    for (let i = 0; i < 10_100; i++) plane.put(note, { name: 'a' });
    expect([plane.server.view.watches.size, plane.clock.pending]).toEqual([0, 0]);
    let read = 0;
    for await (const _ of body) read++;
    expect(read).toBe(10_001);
  });
});

describe('bookmarks', () => {
  it('come once a period to who takes them, and cost one timer', async () => {
    const plane = testPlane({ bookmarkEveryMs: 1_000 });
    const timers = async (): Promise<number> => {
      await plane.clock.settle();
      return plane.clock.pending - plane.server.view.watches.size;
    };
    const without = await plane.watch(`${notes}&resourceVersion=1`);
    expect(await timers()).toBe(0);
    const first = await plane.watch(`${notes}&resourceVersion=1&allowWatchBookmarks=true`);
    await plane.clock.advance(400);
    const second = await plane.watch(`${notes}&resourceVersion=1&allowWatchBookmarks=true`);
    expect(await timers()).toBe(1);
    await plane.clock.advance(600);
    expect([await first.news(), await second.news()]).toEqual([['BOOKMARK 1'], []]);
    plane.put(widget, { name: 'w' });
    await plane.clock.advance(400);
    expect([await first.news(), await second.news()]).toEqual([[], ['BOOKMARK 2']]);
    await first.stop();
    await plane.clock.advance(1_000);
    expect([await second.news(), await without.news(), await timers()]).toEqual([['BOOKMARK 2'], [], 1]);
    await second.stop();
    expect(await timers()).toBe(0);
    await without.stop();
    expect(plane.clock.pending).toBe(0);
  });
});
