import type { Clock, DurationMs, MonotonicMs } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';

/** Whoever can reach a port can have connections refused, as fast as they like: of one reason so many lines say enough. */
const everyMs: DurationMs = 10_000;
/** Reasons hold names that callers choose. */
const reasonLimit = 100;

interface Said {
  at: MonotonicMs;
  /** Refused since, and not said. */
  more: number;
}

/** Refused connections in the log: a line for each reason, at most one in ten seconds, with how many there were since the last. */
export class RefusalLog {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #said = new Map<string, Said>();

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  refused(peer: string | undefined, reason: string): void {
    const now = this.#clock.monotonic();
    const said = this.#said.get(reason);
    if (said && now - said.at < everyMs) {
      said.more++;
      return;
    }
    if (!said && this.#said.size >= reasonLimit) this.#said.clear();
    this.#said.set(reason, { at: now, more: 0 });
    this.#log.warn({ peer, reason, ...(said?.more ? { more: said.more } : {}) }, 'connection refused');
  }
}
