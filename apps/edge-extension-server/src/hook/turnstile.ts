/** So many at a time; the others wait in a line. */
export class Turnstile {
  readonly #limit: number;
  #inside = 0;
  readonly #line: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** In the line. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Calls `enter` when there is room, at once if there is. Disposing gives the place back, in the line or inside. */
  queue(enter: () => void): Disposable {
    let at: 'line' | 'inside' | 'left' = 'line';
    const turn = (): void => {
      at = 'inside';
      this.#inside++;
      enter();
    };
    if (this.#inside < this.#limit && this.#line.length === 0) turn();
    else this.#line.push(turn);
    return {
      [Symbol.dispose]: () => {
        const was = at;
        at = 'left';
        if (was === 'line') this.#line.splice(this.#line.indexOf(turn), 1);
        if (was !== 'inside') return;
        this.#inside--;
        if (this.#inside < this.#limit) this.#line.shift()?.();
      },
    };
  }
}
