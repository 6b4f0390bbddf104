/** What becomes of a reconcile that threw. */
import { DeadlineError, type DurationMs, TerminalError } from '@lifeline/core';
import { KubeError, retryOf } from '../client/kube-error.ts';
import { ClusterNotReadyError } from '../fleet/cluster.ts';

/**
 * How one reconcile ended.
 *
 * - `done`: it worked. Looks again `after` that, if it says so; not at once when it `wrote`.
 * - `conflict`: somebody else wrote first. Looks again soon, at a fixed pace.
 * - `failed`: looks again later and later, up to some minutes or, where trying may not help, up to the floor.
 * - `slow`: only a change elsewhere can help. Looks again at the pace of the floor.
 * - `parked`: its cluster is not ready. Looks again when that says so.
 * - `terminal`: trying again cannot help. Looks again when something changes, or at the floor.
 * - `stopped`: it was told to stop, or its cluster is gone. Nothing follows, unless there is a cluster of that name.
 */
export type Outcome =
  | { readonly at: 'done'; readonly after: DurationMs | undefined; readonly wrote: boolean }
  | { readonly at: 'conflict'; readonly error: KubeError }
  | {
      readonly at: 'failed';
      readonly error: unknown;
      readonly expected: boolean;
      readonly untilFloor: boolean;
      readonly notBeforeMs: DurationMs;
    }
  | { readonly at: 'slow'; readonly error: KubeError }
  | { readonly at: 'parked'; readonly error: ClusterNotReadyError }
  | { readonly at: 'terminal'; readonly error: TerminalError }
  | { readonly at: 'stopped' };

/** No server may keep a request off for longer. */
const maxRetryAfterMs: DurationMs = 600_000;

/** The fate of an error: that of the first one we know in its chain of causes. What we do not know is a bug of ours, and retried. */
export function outcomeOf(thrown: unknown): Outcome {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof ClusterNotReadyError) return { at: 'parked', error };
    if (error instanceof TerminalError) return { at: 'terminal', error };
    if (error instanceof KubeError) return kubeOutcome(error);
    if (error instanceof DeadlineError) return failed(thrown, { expected: true });
  }
  return failed(thrown, { expected: false });
}

const failed = (error: unknown, { expected, untilFloor = false, notBeforeMs = 0 }: Fate): Outcome => ({
  at: 'failed',
  error,
  expected,
  untilFloor,
  notBeforeMs,
});

interface Fate {
  readonly expected: boolean;
  readonly untilFloor?: boolean;
  readonly notBeforeMs?: DurationMs;
}

function kubeOutcome(error: KubeError): Outcome {
  const pace = retryOf[error.code];
  switch (pace) {
    case 'now':
      return { at: 'conflict', error };
    case 'backoff':
    case 'backoff-to-slow': {
      const notBeforeMs = Math.min(maxRetryAfterMs, Math.max(0, error.retryAfterMs ?? 0));
      return failed(error, { expected: true, untilFloor: pace === 'backoff-to-slow', notBeforeMs });
    }
    case 'slow':
      return { at: 'slow', error };
  }
}
