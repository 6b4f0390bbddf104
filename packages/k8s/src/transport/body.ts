/** A response body between a socket and its reader. */
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { TransportError } from './transport-error.ts';

export interface BodySource {
  readonly stream: Readable;
  readonly method: string;
  readonly status: number;
  /** Of the response, keys in lower case. `content-encoding` and `content-length` are removed when the body is decoded. */
  readonly headers: Record<string, string>;
  /** Called for every piece that arrives. */
  onData(): void;
  /** Why the stream's end is none, when it is none. */
  endFailure(): TransportError | undefined;
  /** Why the stream closed before its end. */
  closeFailure(): unknown;
  /** Tells the peer to stop sending. */
  cancel(): void;
  /** Called once, when the exchange is over in any way. */
  onSettled(): void;
}

type State = { readonly at: 'open' } | { readonly at: 'ended' } | { readonly at: 'failed'; readonly error: unknown };

/** Decoded bytes that may wait for the reader before the peer is told to pause. */
const highWaterBytes = 256 * 1024;

/**
 * Guarantees: reading takes what came, in order; then ends, or rejects when the body did not end as it should: a body cut short never
 * looks complete. After an abort nothing more is delivered. Slow readers slow the peer down.
 */
export class Body implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #source: BodySource;
  readonly #decoder: Gunzip | undefined;
  readonly #flow: Readable;
  readonly #queue: Uint8Array[] = [];
  #queued = 0;
  #received = 0;
  #state: State = { at: 'open' };
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;

  constructor(source: BodySource) {
    this.#source = source;
    const { stream, headers } = source;
    const promised = promisedBytes(source);
    const encoding = bodyless(source) ? 'identity' : (headers['content-encoding'] ?? 'identity');
    this.#decoder = encoding === 'gzip' ? createGunzip() : undefined;
    this.#flow = this.#decoder ?? stream;

    stream.on('data', (chunk: Uint8Array) => {
      this.#received += chunk.length;
      source.onData();
    });
    let ended = false;
    stream.once('end', () => {
      ended = true;
      const failure = source.endFailure() ?? lengthFailure(promised, this.#received);
      if (failure) this.#settle({ at: 'failed', error: failure });
    });
    stream.once('close', () => {
      if (!ended) this.#settle({ at: 'failed', error: source.closeFailure() });
    });
    if (this.#decoder) {
      delete headers['content-encoding'];
      delete headers['content-length'];
      this.#decoder.once('error', (cause) => this.#settle({ at: 'failed', error: decodeFailure(cause) }));
      stream.pipe(this.#decoder);
    } else if (encoding !== 'identity') {
      this.#settle({
        at: 'failed',
        error: new TransportError('bad-encoding', `the body is encoded as ${encoding}, which was not asked for`),
      });
    }
    this.#flow.on('data', (chunk: Uint8Array) => this.#push(chunk));
    this.#flow.once('end', () => this.#settle({ at: 'ended' }));
  }

  /** Ends the exchange from our side. What was not read yet is dropped. */
  abort(reason: unknown): void {
    this.#queue.length = 0;
    this.#settle({ at: 'failed', error: reason });
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#queue.shift();
    if (chunk) {
      this.#queued -= chunk.length;
      if (this.#queued === 0 && this.#state.at === 'open') this.#flow.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    switch (this.#state.at) {
      case 'failed':
        return Promise.reject(this.#state.error);
      case 'ended':
        return Promise.resolve({ done: true, value: undefined });
      case 'open':
        this.#reader ??= Promise.withResolvers();
        return this.#reader.promise;
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#queue.length = 0;
    this.#settle({ at: 'ended' }, true);
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #push(chunk: Uint8Array): void {
    if (this.#state.at !== 'open') return;
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: chunk });
      return;
    }
    this.#queue.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued >= highWaterBytes) this.#flow.pause();
  }

  #settle(state: Exclude<State, { at: 'open' }>, early = state.at === 'failed'): void {
    if (this.#state.at !== 'open') return;
    this.#state = state;
    const reader = this.#reader;
    this.#reader = undefined;
    if (state.at === 'failed') reader?.reject(state.error);
    else reader?.resolve({ done: true, value: undefined });
    if (early) {
      this.#decoder?.destroy();
      this.#source.cancel();
    }
    this.#source.onSettled();
  }
}

/** Responses that carry none, whatever their headers say. @see RFC 9110 section 6.4.1 */
const bodyless = ({ method, status }: BodySource): boolean => method === 'HEAD' || status === 204 || status === 304;

function promisedBytes(source: BodySource): number | undefined {
  const length = source.headers['content-length'];
  return length === undefined || bodyless(source) ? undefined : Number(length);
}

function lengthFailure(promised: number | undefined, received: number): TransportError | undefined {
  if (promised === undefined || promised === received) return undefined;
  return new TransportError('truncated', `the body has ${received} bytes, its head says ${promised}`);
}

function decodeFailure(cause: Error): TransportError {
  const short = (cause as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
  return short
    ? new TransportError('truncated', 'the compressed body ends early', { cause })
    : new TransportError('bad-encoding', 'the body is not what its content-encoding says', { cause });
}
