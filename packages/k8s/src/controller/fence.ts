/** The certainty that we may still write. */
import type { DurationMs } from '@lifeline/core';

export interface Fence {
  /** How long leadership is certain from now on; 0 when it is not. By monotonic time, so it shrinks through any stall. */
  certainFor(): DurationMs;
  /**
   * Told when work under this fence begins, with what tells when it has ended: whoever gives leadership up in order waits for that. Absent
   * where nobody waits.
   */
  enter?(): Disposable;
}

/** The fence of a request, by its cluster. One leader for everything is `() => fence`. */
export type FenceOf = (cluster: string) => Fence;

/** For what needs no leader. */
export const noFence: Fence = { certainFor: () => Infinity };
