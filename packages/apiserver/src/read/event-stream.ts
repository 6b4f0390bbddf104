/** The body of a watch. */
type Chunk = IteratorResult<Uint8Array, undefined>;

interface Reader {
  readonly resolve: (chunk: Chunk) => void;
  readonly reject: (error: unknown) => void;
}

type State = { readonly at: 'open' } | { readonly at: 'ended' } | { readonly at: 'broken'; readonly error: unknown };

export interface EventStreamOptions {
  /** What comes before everything that is pushed. Taken as it is read. */
  readonly initial: Iterator<Uint8Array>;
  /** Chunks that may wait to be read. One more ends the stream behind them: whoever reads that slowly has to begin anew. */
  readonly backlog: number;
  /** Called once, when the stream takes no more, whoever ended it. */
  readonly closed: () => void;
}

const done: Chunk = Object.freeze({ done: true, value: undefined });

/**
 * Chunks for one reader, who wakes by microtask.
 *
 * Guarantees: what came before a clean end is read before it; a broken stream rejects at once and drops what was not read.
 */
export class EventStream implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #options: EventStreamOptions;
  #initial: Iterator<Uint8Array> | undefined;
  #queue: Uint8Array[] = [];
  /** Where in the queue the next chunk is. */
  #head = 0;
  #reader: Reader | undefined;
  #state: State = { at: 'open' };

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#initial = options.initial;
  }

  push(chunk: Uint8Array): void {
    if (this.#state.at !== 'open') return;
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: chunk });
    } else {
      this.#queue.push(chunk);
      if (this.#queue.length - this.#head > this.#options.backlog) this.end();
    }
  }

  end(): void {
    this.#leave({ at: 'ended' });
    this.#reader?.resolve(done);
    this.#reader = undefined;
  }

  break(error: unknown): void {
    this.#leave({ at: 'broken', error });
    this.#drop();
    this.#reader?.reject(error);
    this.#reader = undefined;
  }

  async next(): Promise<Chunk> {
    const value = this.#take();
    if (value) return { done: false, value };
    switch (this.#state.at) {
      case 'open':
        return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
      case 'ended':
        return done;
      case 'broken':
        throw this.#state.error;
    }
  }

  async return(): Promise<Chunk> {
    this.#drop();
    this.end();
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): Uint8Array | undefined {
    const initial = this.#initial?.next();
    if (initial?.done === false) return initial.value;
    this.#initial = undefined;
    const chunk = this.#queue[this.#head];
    if (!chunk) return undefined;
    if (++this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    return chunk;
  }

  #drop(): void {
    this.#initial = undefined;
    this.#queue = [];
    this.#head = 0;
  }

  #leave(state: State): void {
    if (this.#state.at !== 'open') return;
    this.#state = state;
    this.#options.closed();
  }
}
