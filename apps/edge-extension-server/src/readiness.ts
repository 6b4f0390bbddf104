import { type Clock, type DurationMs, hookDefaults, linkAbort } from '@lifeline/core';
import type { HealthState, Log } from '@lifeline/k8s';
import type { HealthService } from './grpc/health-service.ts';
import type { Hook } from './hook/hook.ts';

export interface ReadinessOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether calls should come here. */
  readonly check: () => HealthState;
  readonly health: HealthService;
  readonly hook: Pick<Hook, 'idle'>;
  /** Asks those who are connected to connect anew. */
  readonly goAway: () => void;
}

const everyMs: DurationMs = 1_000;

/**
 * Follows the check until the signal aborts: the health service says the same, and each time that the server turns unready, callers are
 * asked to connect anew once the running call is done, to whoever is ready then. Who comes here all the same is answered.
 */
export async function followReadiness(options: ReadinessOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, check, health, goAway } = options;
  while (!signal.aborted) {
    const state = check();
    const wasReady = health.isServing;
    health.set(state.ok);
    if (state.ok && !wasReady) log.info({}, 'ready');
    if (!state.ok && wasReady) {
      log.warn({ reason: state.reason }, 'not ready: callers are sent away');
      await idleWithin(options, signal);
      goAway();
    }
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}

/** Callers that take turns may leave no moment without a call. */
async function idleWithin({ clock, hook }: ReadinessOptions, signal: AbortSignal): Promise<void> {
  using wait = linkAbort(signal);
  const late = clock.sleep(hookDefaults.callDeadlineMs, wait.signal).catch(() => undefined);
  await Promise.race([hook.idle(), late]);
  wait.abort();
}
