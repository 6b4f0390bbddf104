/** At most so many at once; the others wait their turn. */
export class Limiter {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Dispose to give the place back. @throws the signal's reason */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        const [next] = this.#waiting;
        if (next) next();
        else this.#free++;
      },
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(mine);
        signal.removeEventListener('abort', onAbort);
      };
      const mine = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(mine);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
