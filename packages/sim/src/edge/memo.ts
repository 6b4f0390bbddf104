/** Results of a pure function by its input. Full, it begins anew. */
export class Memo<T> {
  readonly #limit: number;
  readonly #results = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  of(input: string, compute: () => T): T {
    const known = this.#results.get(input);
    if (known !== undefined) return known;
    const result = compute();
    if (this.#results.size >= this.#limit) this.#results.clear();
    this.#results.set(input, result);
    return result;
  }
}
