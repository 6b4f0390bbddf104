import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { guarded, type GuardedStream, SilentStreamError } from './watchdog.ts';

/** A stream that is fed by hand, over a transport that has its own words for an abort. */
function fed(): {
  open: (signal: AbortSignal) => Promise<AsyncIterator<number, void, undefined>>;
  push: (value: number) => void;
  returned: () => boolean;
} {
  const queue: number[] = [];
  let wake = (): void => undefined;
  let returned = false;
  return {
    push: (value) => (queue.push(value), wake()),
    returned: () => returned,
    open: (signal) =>
      Promise.resolve({
        async next() {
          while (queue.length === 0) {
            await new Promise<void>((resolve, reject) => {
              wake = resolve;
              signal.addEventListener('abort', () => reject(new Error('socket hang up')), { once: true });
            });
          }
          return { done: false, value: queue.shift() as number };
        },
        return: () => {
          returned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
  };
}

/** What a read ends with, once it does. */
function watchRead(stream: GuardedStream<number>): { ended?: unknown } {
  const read: { ended?: unknown } = {};
  stream.next().then(
    ({ value }) => (read.ended = value),
    (error: unknown) => (read.ended = error),
  );
  return read;
}

describe('guarded', () => {
  it('ends a stream exactly when nothing came for silenceMs, counted from the last thing heard', async () => {
    const clock = new VirtualClock();
    const source = fed();
    const stream = await guarded(source.open, { clock, silenceMs: 1000 }, new AbortController().signal);
    const first = watchRead(stream);
    await clock.advance(999);
    source.push(1);
    await clock.settle();
    expect(first.ended).toBe(1);
    const second = watchRead(stream);
    await clock.advance(999);
    expect(second.ended).toBeUndefined();
    await clock.advance(1);
    expect(second.ended).toBeInstanceOf(SilentStreamError);
    expect(clock.pending).toBe(0);
  });

  it('holds one timer, however much is heard', async () => {
    const clock = new VirtualClock();
    const source = fed();
    const stream = await guarded(source.open, { clock, silenceMs: 1000 }, new AbortController().signal);
    for (let i = 0; i < 100; i++) {
      source.push(i);
      await stream.next();
      await clock.advance(10);
      expect(clock.pending).toBe(1);
    }
  });

  it('counts the wait for the stream to open', async () => {
    const clock = new VirtualClock();
    const never = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut')), { once: true }));
    const opening = guarded(never, { clock, silenceMs: 1000 }, new AbortController().signal);
    await expect(clock.run(opening, 1000)).rejects.toBeInstanceOf(SilentStreamError);
    expect(clock.pending).toBe(0);
  });

  it.each(['abort', 'return'] as const)('leaves no timer behind on %s', async (how) => {
    const clock = new VirtualClock();
    const source = fed();
    const controller = new AbortController();
    const stream = await guarded(source.open, { clock, silenceMs: 1000 }, controller.signal);
    if (how === 'abort') {
      const read = watchRead(stream);
      controller.abort(new Error('stop'));
      await clock.settle();
      expect(read.ended).toEqual(new Error('stop'));
    } else {
      await stream.return();
      expect(source.returned()).toBe(true);
    }
    expect(clock.pending).toBe(0);
  });

  it('gives the reason of whoever ends it', async () => {
    const clock = new VirtualClock();
    const stream = await guarded(fed().open, { clock, silenceMs: 1000 }, new AbortController().signal);
    const read = watchRead(stream);
    stream.abort(new Error('enough'));
    await clock.settle();
    expect(read.ended).toEqual(new Error('enough'));
    expect(clock.pending).toBe(0);
  });
});
