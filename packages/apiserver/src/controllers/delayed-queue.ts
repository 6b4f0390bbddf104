import type { Server } from '../server-parts.ts';

/** What a step of a controller takes, in milliseconds: at most. */
const longestDelayMs = 20;

/**
 * Keys that are handled one by one, each a little later on the server's clock; a key that waits already does not wait twice. At rest it
 * holds no timer.
 */
export class DelayedQueue<Key> implements Disposable {
  readonly #server: Server;
  readonly #handle: (key: Key) => void;
  readonly #waiting = new Map<Key, Disposable>();

  constructor(server: Server, handle: (key: Key) => void) {
    this.#server = server;
    this.#handle = handle;
  }

  add(key: Key): void {
    if (this.#waiting.has(key)) return;
    const { clock, random } = this.#server;
    const timer = clock.timer(random.next() * longestDelayMs, () => {
      this.#waiting.delete(key);
      this.#handle(key);
    });
    this.#waiting.set(key, timer);
  }

  clear(): void {
    for (const timer of this.#waiting.values()) timer[Symbol.dispose]();
    this.#waiting.clear();
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
