import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import type { Client, WatchOptions } from '../client/client.ts';
import { KubeError } from '../client/kube-error.ts';
import { listerWatcher, type ListerWatcherOptions } from './lister-watcher.ts';
import type { Snapshot } from './reflector.ts';
import { bookmark, type Script, scriptedStream, Widget, widget } from './widget.fixture.ts';

/** A client that answers as scripted: each watch with the next of `watches`, each list with one item. */
function world(watches: (readonly Script[] | Error)[], options: Partial<ListerWatcherOptions> = {}) {
  const clock = new VirtualClock();
  const calls: string[] = [];
  const streams: { open: boolean }[] = [];
  const watch = async (request: WatchOptions): Promise<unknown> => {
    calls.push(request.sendInitialEvents ? 'stream' : `watch ${request.resourceVersion}`);
    const script = watches.shift() ?? ['hang'];
    if (script instanceof Error) throw script;
    const stream = scriptedStream(script, request.signal);
    streams.push(stream);
    return stream;
  };
  const list = async (): Promise<unknown> => {
    calls.push('pages');
    return { items: [widget('paged', 3)], resourceVersion: '5' };
  };
  const client = {
    list,
    listMetadata: () => (calls.push('metadata'), list()),
    watch: (_: unknown, request: WatchOptions) => watch(request),
    watchMetadata: (_: unknown, request: WatchOptions) => (calls.push('metadata'), watch(request)),
  } as unknown as Client;
  const source = listerWatcher(Widget, { client, clock, random: seeded(1), ...options });
  const { signal } = new AbortController();
  return { clock, calls, source, signal, open: () => streams.filter((stream) => stream.open).length };
}

const names = ({ items }: Snapshot<Widget>): string[] => items.map(({ metadata }) => metadata.name);
const added = (name: string, rv: number): Script => ({ type: 'added', object: widget(name, rv) });

describe('a list', () => {
  it('comes over a stream that goes on as the watch', async () => {
    const { source, signal, calls, clock } = world([
      [
        added('a', 3),
        added('b', 4),
        { type: 'modified', object: widget('a', 6) },
        { type: 'deleted', object: widget('b', 7) },
        added('a', 3),
        added('b', 4),
        bookmark(5),
        bookmark(8, true),
        added('c', 9),
        'hang',
      ],
    ]);
    const snapshot = await source.list(signal);
    expect(snapshot).toMatchObject({ items: [widget('a', 6)], resourceVersion: '8' });
    expect(await snapshot.events?.next()).toEqual({ done: false, value: added('c', 9) });
    expect(calls).toEqual(['stream']);
    expect(clock.pending).toBe(1);
    await snapshot.events?.return?.();
    expect(clock.pending).toBe(0);
  });

  it.each([
    {
      name: 'the server refuses it',
      script: new KubeError('invalid', 'sendInitialEvents is forbidden', { status: 422 }),
      again: ['pages'],
    },
    { name: 'the server ends it early', script: [added('a', 3), 'end'] as Script[], again: ['pages'] },
    { name: 'the bookmark never comes', script: [added('a', 3), bookmark(4), 'hang'] as Script[], again: ['pages'] },
    { name: 'the line breaks', script: [added('a', 3), new KubeError('unavailable', 'cut')], again: ['stream'] },
    {
      name: 'it expires under way',
      script: [added('a', 3), new KubeError('gone', '', { status: 410 })],
      again: ['stream'],
    },
  ])('comes in pages when $name', async ({ script, again }) => {
    const { source, signal, calls, clock, open } = world([script, [bookmark(9, true)]]);
    const snapshot = await clock.run(source.list(signal), 30_000);
    expect(names(snapshot)).toEqual(['paged']);
    expect(calls).toEqual(['stream', 'pages']);
    expect(open()).toBe(0);
    expect(clock.pending).toBe(0);
    calls.length = 0;
    await clock.run(source.list(signal));
    expect(calls).toEqual(again);
  });

  it.each([
    { minutes: 9, calls: [] },
    { minutes: 11, calls: ['pages'] },
  ])('may take up to ten minutes as long as it goes on: $minutes', async ({ minutes, calls: want }) => {
    const { clock, calls, signal } = world([]);
    let left = minutes * 3;
    async function* slowly({ signal: life }: WatchOptions): AsyncGenerator {
      for (; left > 0; left--) {
        await clock.sleep(20_000, life);
        yield added(`o-${left}`, left);
      }
      yield bookmark(99, true);
    }
    const client = {
      watch: (_: unknown, request: WatchOptions) => Promise.resolve(slowly(request)),
      list: () => (calls.push('pages'), Promise.resolve({ items: [], resourceVersion: '5' })),
    } as unknown as Client;
    const source = listerWatcher(Widget, { client, clock, random: seeded(1) });
    const snapshot = await clock.run(source.list(signal), 3_600_000);
    expect(calls).toEqual(want);
    await snapshot.events?.return?.();
    expect(clock.pending).toBe(0);
  });

  it.each([
    {
      name: 'a kind that is missing',
      script: new KubeError('kind-missing', '', { status: 404 }),
      code: 'kind-missing',
    },
    { name: 'a server that is down', script: new KubeError('unavailable', '', { status: 503 }), code: 'unavailable' },
    {
      name: '429 under way',
      script: [added('a', 1), new KubeError('throttled', '', { status: 429 })],
      code: 'throttled',
    },
  ])('fails as a whole for $name', async ({ script, code }) => {
    const { source, signal, calls, clock, open } = world([script]);
    await expect(source.list(signal)).rejects.toMatchObject({ code });
    expect(calls).toEqual(['stream']);
    expect([open(), clock.pending]).toEqual([0, 0]);
  });

  it('never asks twice after an abort', async () => {
    const { source, calls, clock } = world([['hang']]);
    const controller = new AbortController();
    const listing = source.list(controller.signal);
    await clock.settle();
    controller.abort(new Error('stop'));
    await expect(listing).rejects.toThrow('stop');
    expect(calls).toEqual(['stream']);
    expect(clock.pending).toBe(0);
  });
});

it('a watch asks to be ended after 5 to 10 minutes, at random', async () => {
  const seen: number[] = [];
  const client = {
    watch: async (_: unknown, { timeoutSeconds }: WatchOptions) => (seen.push(timeoutSeconds), scriptedStream([])),
  } as unknown as Client;
  const source = listerWatcher(Widget, { client, clock: new VirtualClock(), random: seeded(1) });
  for (let i = 0; i < 200; i++) await (await source.watch('1', new AbortController().signal)).return?.();
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...seen)).toBeLessThan(600);
  expect(new Set(seen).size).toBeGreaterThan(100);
});

it('a watch ends when nothing comes for the silence limit', async () => {
  const { source, signal, clock } = world([['hang']]);
  const stream = await source.watch('1', signal);
  await expect(clock.run(stream.next(), 150_000)).rejects.toMatchObject({ code: 'silent' });
  expect(clock.monotonic()).toBe(150_000);
});

it('asks for metadata alone when told to', async () => {
  const { source, signal, calls } = world([new KubeError('invalid', '', { status: 422 })], { metadataOnly: true });
  await source.list(signal);
  await source.watch('5', signal);
  expect(calls).toEqual(['metadata', 'stream', 'metadata', 'pages', 'metadata', 'watch 5']);
});
