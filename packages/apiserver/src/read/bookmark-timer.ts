/** When open watches are due for a bookmark. */
import type { Clock, DurationMs } from '@lifeline/core';

interface Listener {
  readonly fire: () => void;
  /** Monotonic. */
  dueAt: number;
}

/**
 * Calls each of any number of listeners once per period, counted from when it came. One timer for all of them, and none while there is
 * no listener.
 */
export class BookmarkTimer implements Disposable {
  readonly #clock: Clock;
  readonly #everyMs: DurationMs;
  /** In the order in which they are due: all have one period, so who was called goes to the end. */
  readonly #listeners = new Set<Listener>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, everyMs: DurationMs) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  add(fire: () => void): Disposable {
    const listener: Listener = { fire, dueAt: 0 };
    this.#enqueue(listener);
    if (this.#listeners.size === 1) this.#arm();
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.#arm();
      },
    };
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#arm();
  }

  #enqueue(listener: Listener): void {
    listener.dueAt = this.#clock.monotonic() + this.#everyMs;
    this.#listeners.add(listener);
  }

  readonly #onDue = (): void => {
    const now = this.#clock.monotonic();
    for (const listener of this.#listeners) {
      if (listener.dueAt > now) break;
      this.#listeners.delete(listener);
      this.#enqueue(listener);
      listener.fire();
    }
    this.#arm();
  };

  /** For the listener that is due first. */
  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    const [first] = this.#listeners;
    this.#timer = first && this.#clock.timer(first.dueAt - this.#clock.monotonic(), this.#onDue);
  }
}
