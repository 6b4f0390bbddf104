/** The body of a watch. */
type Chunk = IteratorResult<Uint8Array, undefined>;

interface Reader {
  readonly resolve: (chunk: Chunk) => void;
  readonly reject: (error: unknown) => void;
}

type State = { readonly at: 'open' } | { readonly at: 'ended' } | { readonly at: 'broken'; readonly error: unknown };

const done: Chunk = Object.freeze({ done: true, value: undefined });

/**
 * A queue of chunks with one reader, who wakes by microtask.
 *
 * Guarantees: what was pushed before a clean end is read before it; a broken stream rejects at once, and drops what was not read.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #closed: () => void;
  #queue: Uint8Array[] = [];
  #next = 0;
  #reader: Reader | undefined;
  #state: State = { at: 'open' };

  /** @param closed called once, when the stream takes no more, whoever ended it */
  constructor(closed: () => void) {
    this.#closed = closed;
  }

  /** Chunks that wait to be read. */
  get backlog(): number {
    return this.#queue.length - this.#next;
  }

  push(chunk: Uint8Array): void {
    if (this.#state.at !== 'open') return;
    const reader = this.#reader;
    if (!reader) {
      this.#queue.push(chunk);
      return;
    }
    this.#reader = undefined;
    reader.resolve({ done: false, value: chunk });
  }

  end(): void {
    this.#leave({ at: 'ended' });
    this.#reader?.resolve(done);
    this.#reader = undefined;
  }

  break(error: unknown): void {
    this.#leave({ at: 'broken', error });
    this.#queue = [];
    this.#next = 0;
    this.#reader?.reject(error);
    this.#reader = undefined;
  }

  next(): Promise<Chunk> {
    const value = this.#queue[this.#next];
    if (value) {
      if (++this.#next === this.#queue.length) {
        this.#queue = [];
        this.#next = 0;
      }
      return Promise.resolve({ done: false, value });
    }
    switch (this.#state.at) {
      case 'open':
        return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
      case 'ended':
        return Promise.resolve(done);
      case 'broken':
        return Promise.reject(this.#state.error as Error);
    }
  }

  return(): Promise<Chunk> {
    this.#queue = [];
    this.#next = 0;
    this.end();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #leave(state: State): void {
    if (this.#state.at !== 'open') return;
    this.#state = state;
    this.#closed();
  }
}
