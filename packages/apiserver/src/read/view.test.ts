import type { JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { note, testPlane, widget } from '../plane.fixture.ts';

const revisionOf = (body: JsonObject): unknown => (body.metadata as JsonObject).resourceVersion;

describe('a frozen view', () => {
  it('shows the past to watches and to reads that allow it, and the present to all others', async () => {
    const plane = testPlane();
    const { view } = plane.server;
    plane.put(note, { name: 'a' });
    const watch = await plane.watch('/api/v1/notes?watch=1&allowWatchBookmarks=1&resourceVersion=2');
    view.freeze(note.id);
    plane.put(note, { name: 'b' });
    plane.put(note, { name: 'a' });
    plane.put(widget, { name: 'w' });
    const ask = async (query: string) => (await plane.ask(`/api/v1/notes${query}`)).body;
    expect([revisionOf(await ask('')), revisionOf(await ask('?resourceVersion=0'))]).toEqual(['5', '2']);
    expect((await ask('?resourceVersion=0')).items).toHaveLength(1);
    expect((await ask('?resourceVersion=3')).code).toBe(504);
    expect((await ask('?resourceVersion=3&resourceVersionMatch=Exact')).items).toHaveLength(2);
    expect((await plane.ask('/api/v1/namespaces/default/notes/b')).status).toBe(200);
    expect((await plane.ask('/api/v1/namespaces/default/notes/b?resourceVersion=0')).status).toBe(404);
    expect(revisionOf((await plane.ask('/apis/example.com/v1/widgets?resourceVersion=0')).body)).toBe('5');
    await plane.clock.advance(60_000);
    expect(await watch.news()).toEqual(['BOOKMARK 2']);
    view.thaw();
    expect(await watch.news()).toEqual(['ADDED b 3', 'MODIFIED a 4']);
    plane.put(note, { name: 'c' });
    expect(await watch.news()).toEqual(['ADDED c 6']);
    await watch.stop();
  });

  it('freezes everything, what comes to be included', async () => {
    const plane = testPlane();
    const { view } = plane.server;
    plane.put(note, { name: 'a' });
    view.freeze();
    plane.put(widget, { name: 'w' });
    plane.put(note, { name: 'b' });
    view.freeze(note.id);
    const list = async (path: string) => (await plane.ask(`${path}?resourceVersion=0`)).body;
    expect(await list('/apis/example.com/v1/widgets')).toMatchObject({ items: [], metadata: { resourceVersion: '2' } });
    expect(await list('/api/v1/namespaces/default/notes')).toMatchObject({
      items: [{}],
      metadata: { resourceVersion: '2' },
    });
    const fromPast = await plane.watch('/api/v1/notes?watch=1&resourceVersion=0');
    const fromNow = await plane.watch('/api/v1/notes?watch=1');
    const fromBetween = await plane.watch('/api/v1/notes?watch=1&resourceVersion=3');
    expect([await fromPast.news(), await fromNow.news(), await fromBetween.news()]).toEqual([
      ['ADDED a 2'],
      ['ERROR 504'],
      [],
    ]);
    view.thaw();
    expect([await fromPast.news(), await fromBetween.news()]).toEqual([['ADDED b 4'], ['ADDED b 4']]);
    await fromPast.stop();
    await fromBetween.stop();
  });

  it('keeps its past through a compaction; then its watches begin anew', async () => {
    const plane = testPlane();
    const { view, store } = plane.server;
    plane.put(note, { name: 'a' });
    const watch = await plane.watch('/api/v1/notes?watch=1&resourceVersion=2');
    view.freeze();
    plane.put(note, { name: 'b' });
    store.compact();
    expect((await plane.ask('/api/v1/notes?resourceVersion=0')).body).toMatchObject({
      items: [{ metadata: { name: 'a' } }],
    });
    view.thaw();
    expect([await watch.news(), watch.end]).toEqual([[], 'clean']);
  });

  it('is no more after the plane was restored', () => {
    const plane = testPlane();
    const { view, store } = plane.server;
    const snapshot = store.snapshot();
    plane.put(note, { name: 'a' });
    view.freeze();
    store.restore(snapshot);
    plane.put(note, { name: 'b' });
    expect(view.horizon(note.id)).toBe(store.revision);
    expect(view.list(note.id)).toEqual(store.list(note.id));
  });
});
