/**
 * Linked aborts. `AbortSignal.any` and `AbortSignal.timeout` are not used: the first drops dependants when the collector says so, the
 * second reads real time.
 */
import { PlatformError } from './errors.ts';
import type { Clock, DurationMs } from './time.ts';

/** A deadline of ours passed (to tell it from a caller's abort). */
export class DeadlineError extends PlatformError<'deadline'> {
  constructor(message: string, options?: ErrorOptions) {
    super('deadline', message, options);
  }
}

/** A signal that follows others until it is disposed. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/**
 * A controller that aborts when any parent does, with the parent's reason. Dispose it when the work is done: that removes its
 * listeners from the parents (it does not abort).
 */
export function linkAbort(...parents: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const unlink: (() => void)[] = [];
  for (const parent of parents) {
    if (!parent) continue;
    if (parent.aborted) {
      controller.abort(parent.reason);
      break;
    }
    const onAbort = (): void => controller.abort(parent.reason);
    parent.addEventListener('abort', onAbort, { once: true });
    unlink.push(() => parent.removeEventListener('abort', onAbort));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => {
      for (const remove of unlink.splice(0)) remove();
    },
  };
}

/** Like {@link linkAbort}, and aborts with a {@link DeadlineError} after `ms`. */
export function deadlineAbort(
  clock: Clock,
  ms: DurationMs,
  ...parents: readonly (AbortSignal | undefined)[]
): LinkedAbort {
  const linked = linkAbort(...parents);
  const timer = clock.timer(ms, () => linked.abort(new DeadlineError(`not done within ${ms} ms`)));
  return {
    ...linked,
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      linked[Symbol.dispose]();
    },
  };
}

/** Rejects when `signal` aborts, else settles as `work` does. The work itself is not stopped; its late result is dropped. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    const done = (): void => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (value) => (done(), resolve(value)),
      (error: unknown) => (done(), reject(error as Error)),
    );
  });
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
