/** The certainty that we may still write. */
import type { DurationMs } from '@lifeline/core';

export interface Fence {
  /** How long leadership is certain from now on; 0 when it is not. By monotonic time, so it shrinks through any stall. */
  certainFor(): DurationMs;
}

/** For what needs no leader. */
export const noFence: Fence = { certainFor: () => Infinity };
