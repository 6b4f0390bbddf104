/** The agents of a platform's connectors: all renew their Leases, and some go away and come back. */
import { type DurationMs, systemClock } from '@lifeline/core';
import { type Place, renew } from './platform.ts';

export interface AgentsOptions {
  readonly places: readonly Place[];
  /** Between two renewals of one agent. */
  readonly everyMs: DurationMs;
}

const tickMs = 100;

export class Agents implements Disposable {
  /** Agents that are silent now. */
  readonly away = new Set<Place>();
  renewals = 0;
  readonly #options: AgentsOptions;
  #ended = false;

  constructor(options: AgentsOptions) {
    this.#options = options;
    void this.#run();
  }

  /** In each tick those whose turn it is, so that a late tick makes up for what it missed. */
  async #run(): Promise<void> {
    const { places, everyMs } = this.#options;
    const began = systemClock.monotonic();
    let done = 0;
    while (!this.#ended) {
      const due = Math.floor(((systemClock.monotonic() - began) / everyMs) * places.length);
      const turns = Array.from({ length: Math.min(due - done, places.length) }, (_, i) => {
        return places[(done + i) % places.length] as Place;
      });
      done = due;
      const present = turns.filter((place) => !this.away.has(place));
      this.renewals += present.length;
      await Promise.all(present.map((place) => renew(place)));
      await systemClock.sleep(tickMs);
    }
  }

  [Symbol.dispose](): void {
    this.#ended = true;
  }
}
