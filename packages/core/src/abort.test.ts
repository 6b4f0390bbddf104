import { describe, expect, it } from 'vitest';
import { abortable, DeadlineError, deadlineAbort, linkAbort } from './abort.ts';
import { systemClock } from './time.ts';
import { VirtualClock } from './testing/virtual-clock.ts';

/** A signal that counts its listeners. */
function counted(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  let count = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args));
  return { controller, listeners: () => count };
}

describe('linkAbort', () => {
  it('aborts with the reason of the parent that aborts first', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    using linked = linkAbort(a.signal, undefined, b.signal);
    b.abort(new Error('b'));
    a.abort(new Error('a'));
    expect(linked.signal.reason).toEqual(new Error('b'));
  });

  it('starts aborted when a parent is', () => {
    expect(linkAbort(AbortSignal.abort('gone')).signal.reason).toBe('gone');
  });

  it('leaves no listener behind when it is disposed, and aborts nothing then', () => {
    const { controller, listeners } = counted();
    const linked = linkAbort(controller.signal);
    expect(listeners()).toBe(1);
    linked[Symbol.dispose]();
    expect(listeners()).toBe(0);
    controller.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});

describe('deadlineAbort', () => {
  it('aborts with a DeadlineError after its time, and leaves no timer when it is disposed before', async () => {
    const clock = new VirtualClock();
    const linked = deadlineAbort(clock, 100);
    await clock.advance(99);
    expect(linked.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(linked.signal.reason).toBeInstanceOf(DeadlineError);
    deadlineAbort(clock, 100)[Symbol.dispose]();
    expect(clock.pending).toBe(0);
  });
});

describe('abortable', () => {
  it('settles as the work does, and leaves no listener', async () => {
    const { controller, listeners } = counted();
    await expect(abortable(Promise.resolve(7), controller.signal)).resolves.toBe(7);
    await expect(abortable(Promise.reject(new Error('no')), controller.signal)).rejects.toThrow('no');
    expect(listeners()).toBe(0);
  });

  it('rejects with the reason as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => undefined), controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
  });

  it('drops the late failure of work that it did not wait for, also when the signal had aborted before', async () => {
    const unseen: unknown[] = [];
    const onUnseen = (error: unknown): void => void unseen.push(error);
    process.on('unhandledRejection', onUnseen);
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(abortable(promise, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    reject(new Error('late'));
    await systemClock.sleep(0);
    process.off('unhandledRejection', onUnseen);
    expect(unseen).toEqual([]);
  });
});
