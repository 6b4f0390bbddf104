import type { DelaySpan } from '../server.ts';
import type { Server } from '../server-parts.ts';

/**
 * Keys that are handled one by one, each a little later on the server's clock; a key that waits already does not wait twice. At rest it
 * holds no timer.
 */
export class DelayedQueue<Key> implements Disposable {
  readonly #server: Server;
  readonly #delayMs: DelaySpan;
  readonly #handle: (key: Key) => void;
  readonly #waiting = new Map<Key, Disposable>();

  constructor(server: Server, delayMs: DelaySpan, handle: (key: Key) => void) {
    this.#server = server;
    this.#delayMs = delayMs;
    this.#handle = handle;
  }

  add(key: Key): void {
    if (this.#waiting.has(key)) return;
    const { clock, random } = this.#server;
    const [least, most] = this.#delayMs;
    const timer = clock.timer(least + random.next() * (most - least), () => {
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
