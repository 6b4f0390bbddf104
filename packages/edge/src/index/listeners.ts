/** Who listens to an index. */
import type { EdgeIndexListener } from './edge-index.ts';

/** One thing to tell a listener. */
export type Tell = (listener: EdgeIndexListener) => void;

/** Each listener hears everything, in order; one that throws keeps nothing from the others. */
export class Listeners {
  readonly #listeners = new Set<EdgeIndexListener>();

  add(listener: EdgeIndexListener): Disposable {
    // Its own entry: one listener may be there twice.
    const entry: EdgeIndexListener = {
      proxy: (key, program) => listener.proxy?.(key, program),
      gateway: (key, state, change) => listener.gateway?.(key, state, change),
      synced: () => listener.synced?.(),
    };
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  }

  /** @throws what the first listener threw, when all have been told */
  tell(news: readonly Tell[]): void {
    const bugs: unknown[] = [];
    for (const each of news) {
      for (const listener of [...this.#listeners]) {
        try {
          if (this.#listeners.has(listener)) each(listener);
        } catch (error) {
          bugs.push(error);
        }
      }
    }
    if (bugs.length > 0) throw bugs[0];
  }
}
