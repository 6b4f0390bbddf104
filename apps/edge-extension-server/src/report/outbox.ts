/** Messages for one reader of the reports, between their happening and its reading. */
export class Outbox<T> {
  readonly #limit: number;
  #messages: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A reader that has fallen too far behind reads no more of them: its stream ends, and it begins anew. */
  push(message: T): void {
    if (this.#ended) return;
    if (this.#messages.length < this.#limit) this.#messages.push(message);
    else {
      this.#messages = [];
      this.#ended = true;
    }
    this.#wake?.();
  }

  /** No more will come; what is there is still read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** All that is there, as soon as there is something; undefined at the end. */
  async next(): Promise<readonly T[] | undefined> {
    if (this.#messages.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
    const messages = this.#messages;
    this.#messages = [];
    return messages.length === 0 ? undefined : messages;
  }
}
