import type { Clock, DurationMs } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';

const tries = 5;
/** Time for the cache to see what it was that came first. */
const pauseMs: DurationMs = 10;

/** Tries again at once, five times in all, while somebody else was first. @throws what the last try threw */
export async function throughConflicts<T>(attempt: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isKubeError(error, 'conflict')) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}
