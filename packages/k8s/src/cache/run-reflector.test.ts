import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import type { WatchEvent } from '../client/client.ts';
import { KubeError } from '../client/kube-error.ts';
import type { End, EventStream, ListerWatcher, Snapshot } from './reflector.ts';
import { runReflector } from './run-reflector.ts';
import { bookmark, snapshot, type Widget, widget } from './widget.fixture.ts';

/** Lists and watches well: each watch sends a bookmark and ends after `ms`, and takes its part in `log`. */
function healthy(clock: VirtualClock, ms: number, log: string[]): ListerWatcher<Widget> {
  return {
    list: () => {
      log.push(`list at ${clock.monotonic()}`);
      return Promise.resolve(snapshot(5));
    },
    watch: (_, signal) => {
      const script: (() => Promise<IteratorResult<WatchEvent<Widget>, void>>)[] = [
        () => Promise.resolve({ done: false, value: bookmark(6) }),
        () => clock.sleep(ms, signal).then(() => ({ done: true, value: undefined })),
      ];
      const stream: EventStream<Widget> = {
        next: () => script.shift()?.() ?? Promise.reject(new Error('read on after the end')),
      };
      return Promise.resolve(stream);
    },
  };
}

const silent = { deliver: () => undefined, heard: () => undefined, opened: () => undefined };

it('lists again when a watch ends and the last list is relistMs old, ±10 %', async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  const controller = new AbortController();
  const run = runReflector(
    {
      source: healthy(clock, 400_000, log),
      observer: { ...silent, ended: () => undefined },
      clock,
      random: seeded(3),
      pace: { relistMs: 6 * 3_600_000 },
    },
    controller.signal,
  );
  await clock.advance(24 * 3_600_000);
  const lists = log.map((line) => Number(line.slice(8)) / 3_600_000);
  expect(lists.length).toBeGreaterThanOrEqual(4);
  expect(lists.length).toBeLessThanOrEqual(5);
  for (const [i, at] of lists.slice(1).entries()) {
    expect(at - (lists[i] as number)).toBeGreaterThanOrEqual(5.4);
    expect(at - (lists[i] as number)).toBeLessThanOrEqual(6.6 + 0.2);
  }
  controller.abort();
  await run;
  expect(clock.pending).toBe(0);
});

it('a watch that ends in peace is followed at once; ends that come in a row are spaced out', async () => {
  const clock = new VirtualClock();
  const waits: number[] = [];
  const controller = new AbortController();
  const ended = (_: End, waitMs: number): void => void waits.push(waitMs);
  const run = (ms: number): Promise<void> =>
    runReflector(
      { source: healthy(clock, ms, []), observer: { ...silent, ended }, clock, random: seeded(3) },
      controller.signal,
    );
  const calm = run(300_000);
  await clock.advance(3_600_000);
  expect(new Set(waits)).toEqual(new Set([0]));
  waits.length = 0;
  const hasty = run(200);
  await clock.advance(60_000);
  for (const [i, longest] of [0, 1600, 3200, 6400, 12_800, 25_600].entries()) {
    expect(waits[i]).toBeGreaterThanOrEqual(longest / 2);
    expect(waits[i]).toBeLessThanOrEqual(longest);
  }
  controller.abort();
  await Promise.all([calm, hasty]);
});

it('a proxy that cuts every watch after a minute, in order or not, makes nothing late', async () => {
  for (const end of ['closed', 'failed'] as const) {
    const clock = new VirtualClock();
    const waits: number[] = [];
    const controller = new AbortController();
    const source = healthy(clock, 60_000, []);
    const cut = async (from: string, signal: AbortSignal): Promise<EventStream<Widget>> => {
      const stream = await source.watch(from, signal);
      return {
        next: async () => {
          const result = await stream.next();
          if (result.done) throw new KubeError('unavailable', 'connection reset');
          return result;
        },
      };
    };
    const run = runReflector(
      {
        source: end === 'closed' ? source : { ...source, watch: cut },
        observer: { ...silent, ended: ({ reason }, waitMs) => (expect(reason).toBe(end), void waits.push(waitMs)) },
        clock,
        random: seeded(3),
      },
      controller.signal,
    );
    await clock.advance(3_600_000);
    expect(waits.length).toBeGreaterThan(55);
    expect(Math.max(...waits)).toBeLessThanOrEqual(end === 'closed' ? 0 : 800);
    controller.abort();
    await run;
  }
});

it('what an observer throws is a bug, and ends the run with it, stream and all', async () => {
  const clock = new VirtualClock();
  const observer = {
    ...silent,
    ended: () => undefined,
    deliver: () => {
      throw new TypeError('observer bug');
    },
  };
  await expect(
    runReflector(
      { source: healthy(clock, 1_000, []), observer, clock, random: seeded(3) },
      new AbortController().signal,
    ),
  ).rejects.toThrow('observer bug');
  expect(clock.pending).toBe(0);
});

it('what a list held and nobody keeps is free while the watch waits', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const clock = new VirtualClock();
  const controller = new AbortController();
  let item: WeakRef<Widget> | undefined;
  const source = healthy(clock, 60_000, []);
  const list = (): Promise<Snapshot<Widget>> => {
    const listed = snapshot(5, widget('w', 5));
    item = new WeakRef(listed.items[0] as Widget);
    return Promise.resolve(listed);
  };
  const run = runReflector(
    {
      source: { ...source, list },
      observer: { ...silent, ended: () => undefined },
      clock,
      random: seeded(3),
    },
    controller.signal,
  );
  await clock.advance(10_000);
  collectGarbage();
  expect(item).toBeDefined();
  expect(item?.deref()).toBeUndefined();
  controller.abort();
  await run;
});
