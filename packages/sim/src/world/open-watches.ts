/** Watches that are open now, so that something can go wrong with them in the middle. */
import { abortable, type TransportResponse } from '@lifeline/core';
import type { Sent } from './record.ts';

type Chunk = IteratorResult<Uint8Array, unknown>;

const lineFeed = 10;
const over: Chunk = { done: true, value: undefined };

/** A watch between its opening and its end. */
export class OpenWatch {
  readonly sent: Sent;
  readonly #signal: AbortSignal;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #ended: () => void;
  #state: 'open' | 'silent' | 'over' = 'open';
  #held: Promise<void> | undefined;
  #again: ((chunk: Uint8Array) => readonly Uint8Array[]) | undefined;
  /** Chunks that come next, before the server's own. */
  #queued: Uint8Array[] = [];
  /** What comes instead of the server's next chunk; then the stream ends. */
  #last: Uint8Array | Error | undefined;
  /** Ends a read that is waiting. */
  readonly #interrupt = Promise.withResolvers<undefined>();

  constructor(sent: Sent, body: AsyncIterable<Uint8Array>, { signal, ended }: OpenWatchOptions) {
    this.sent = sent;
    this.#source = body[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#ended = ended;
  }

  /** Half open: nothing comes any more, not even its end. */
  silence(): void {
    if (this.#state === 'open') this.#state = 'silent';
  }

  /** Events come again: called with each chunk of whole events, it says which old ones follow. */
  repeat(again: ((chunk: Uint8Array) => readonly Uint8Array[]) | undefined): void {
    this.#again = again;
  }

  /** Nothing comes until the promise resolves; then all of it. */
  hold(until: Promise<void>): void {
    this.#held = until;
  }

  /** Ends it with these bytes as the server's last ones, or as a broken connection. */
  end(last: Uint8Array | Error): void {
    this.#last = last;
    this.#interrupt.resolve(undefined);
  }

  async next(): Promise<Chunk> {
    try {
      const chunk = await this.#read();
      if (chunk.done) this.#close();
      return chunk;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  async return(): Promise<Chunk> {
    this.#close();
    this.#interrupt.resolve(undefined);
    await this.#source.return?.();
    return over;
  }

  async #read(): Promise<Chunk> {
    if (this.#state === 'over') return over;
    const queued = this.#queued.shift();
    if (queued) return { done: false, value: queued };
    const chunk = this.#last ? undefined : await Promise.race([this.#source.next(), this.#interrupt.promise]);
    await this.#held;
    if (this.#isSilent()) await abortable(this.#interrupt.promise, this.#signal);
    if (chunk && !this.#last) return this.#isSilent() ? over : this.#followed(chunk);
    await this.#source.return?.();
    if (this.#last instanceof Error) throw this.#last;
    this.#state = 'over';
    return this.#last ? { done: false, value: this.#last } : over;
  }

  #followed(chunk: Chunk): Chunk {
    if (!chunk.done && chunk.value.at(-1) === lineFeed) this.#queued.push(...(this.#again?.(chunk.value) ?? []));
    return chunk;
  }

  /** It may have become so while a read was waiting. */
  #isSilent(): boolean {
    return this.#state === 'silent';
  }

  #close(): void {
    this.#state = 'over';
    this.#ended();
  }
}

export interface OpenWatchOptions {
  /** Of the request. */
  readonly signal: AbortSignal;
  readonly ended: () => void;
}

/** The response of a watch, with a hand on its body. */
export function holdOpen(
  sent: Sent,
  response: TransportResponse,
  { signal, watches }: { readonly signal: AbortSignal; readonly watches: Set<OpenWatch> },
): TransportResponse {
  const iterate = (): AsyncIterator<Uint8Array> => {
    const watch: OpenWatch = new OpenWatch(sent, response.body, { signal, ended: () => watches.delete(watch) });
    watches.add(watch);
    return watch;
  };
  return { ...response, body: { [Symbol.asyncIterator]: iterate } };
}
