/** One HTTP/2 connection: streams that are counted, and a peer that must answer. */
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock, DurationMs, MonotonicMs, TransportResponse } from '@lifeline/core';
import { Body } from './body.ts';
import type { Target } from './dial.ts';
import { TransportError } from './transport-error.ts';
import { type ExchangeOptions, type Lane, plainHeaders, type WireRequest } from './wire.ts';

/** Streams that we open at most, whatever the server allows. It is also kube-apiserver's default limit. */
const streamLimit = 100;
/** One of so many streams is kept free of watches. */
const reservedShare = 4;

/** Nothing read for so long: ask. No answer for so long: dead. @see kubernetes/client-go HTTP2_READ_IDLE_TIMEOUT_SECONDS, HTTP2_PING_TIMEOUT_SECONDS */
const readIdleMs: DurationMs = 30_000;
const pingTimeoutMs: DurationMs = 15_000;
/** Without a stream for so long: closed. Shorter than kube-apiserver's 90 s, so that it is us who close. */
const unusedMs: DurationMs = 60_000;

export interface H2SessionOptions {
  readonly clock: Clock;
  /** Told when its socket is closed. */
  readonly onClosed: (session: H2Session) => void;
}

/** `open` takes streams; `draining` lets the running ones finish and then closes. */
type State = 'open' | 'draining' | 'closed';

/** How a stream looks from outside when it failed. */
interface Failure {
  readonly stream: ClientHttp2Stream;
  readonly error: Error | undefined;
}

/**
 * Guarantees: never more streams than the server's limit (Node queues the rest for ever, without an error), a quarter of them out of
 * reach for watches; a peer silent for 30 s is asked, and is gone 15 s later if it does not answer; every stream learns of the end.
 */
export class H2Session {
  readonly #raw: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #target: Target;
  readonly #options: H2SessionOptions;
  readonly #taken: Record<Lane, number> = { unary: 0, watch: 0 };
  #state: State = 'open';
  /** Streams above it were not processed. Infinity until a GOAWAY. */
  #lastProcessed = Infinity;
  #death: TransportError | undefined;
  #lastRead: MonotonicMs;
  #health: Disposable;
  #unused: Disposable | undefined;

  constructor(
    raw: ClientHttp2Session,
    socket: Socket,
    { target, ...options }: H2SessionOptions & { readonly target: Target },
  ) {
    this.#raw = raw;
    this.#socket = socket;
    this.#target = target;
    this.#options = options;
    this.#lastRead = options.clock.monotonic();
    this.#health = options.clock.timer(readIdleMs, () => this.#checkHealth());
    raw.on('goaway', (_code: number, lastStreamId: number) => {
      this.#lastProcessed = lastStreamId;
      this.drain();
    });
    const onError = (cause: Error): void => this.destroy(this.#lost('failed', cause));
    const onClose = (): void => {
      this.#end();
      options.onClosed(this);
    };
    raw.on('error', onError).once('close', onClose);
    socket.on('error', onError).once('close', onClose);
    this.#watchUse();
  }

  /** Streams in use. */
  get load(): number {
    return this.#taken.unary + this.#taken.watch;
  }

  /** How many streams of a lane it can carry in all. */
  capacity(lane: Lane): number {
    const limit = Math.min(this.#raw.remoteSettings.maxConcurrentStreams ?? streamLimit, streamLimit);
    return lane === 'unary' ? limit : Math.max(1, limit - Math.floor(limit / reservedShare));
  }

  hasRoom(lane: Lane): boolean {
    if (this.#state !== 'open' || this.#raw.closed || this.#raw.destroyed) return false;
    return this.load < this.capacity('unary') && (lane === 'unary' || this.#taken.watch < this.capacity('watch'));
  }

  /** Takes a stream's place, at once; dispose to give it back. */
  take(lane: Lane): Disposable {
    this.#taken[lane]++;
    this.#unused?.[Symbol.dispose]();
    this.#unused = undefined;
    let taken = true;
    return {
      [Symbol.dispose]: () => {
        if (!taken) return;
        taken = false;
        this.#taken[lane]--;
        if (this.load === 0) this.#watchUse();
      },
    };
  }

  /** @param place taken before, given back when the stream has closed */
  exchange(
    request: WireRequest,
    { signal, admit, onBodySettled }: ExchangeOptions,
    place: Disposable,
  ): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      let stream: ClientHttp2Stream;
      try {
        signal.throwIfAborted();
        if (this.#raw.closed || this.#raw.destroyed) throw this.#refused(undefined);
        admit?.();
        stream = this.#open(request);
      } catch (error) {
        place[Symbol.dispose]();
        return reject(error);
      }
      let body: Body | undefined;
      let failure: Failure = { stream, error: undefined };
      const onAbort = (): void => {
        body?.abort(signal.reason);
        stream.close(constants.NGHTTP2_CANCEL);
        reject(signal.reason);
      };
      const settled = (): void => signal.removeEventListener('abort', onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      stream.once('error', (error: Error) => (failure = { stream, error }));
      stream.once('close', () => {
        settled();
        place[Symbol.dispose]();
        if (!body) reject(this.#failure(failure));
      });
      stream.once('response', (raw) => {
        this.#lastRead = this.#options.clock.monotonic();
        const { ':status': status = 0 } = raw;
        const headers = plainHeaders(raw);
        body = new Body({
          stream,
          method: request.method,
          status,
          headers,
          onData: () => (this.#lastRead = this.#options.clock.monotonic()),
          endFailure: () => (stream.rstCode === constants.NGHTTP2_NO_ERROR ? undefined : this.#failure(failure)),
          closeFailure: () => this.#failure(failure),
          cancel: () => stream.close(constants.NGHTTP2_CANCEL),
          onSettled: () => {
            settled();
            onBodySettled();
          },
        });
        resolve({ status, headers, body });
      });
    });
  }

  /** No new streams; closes when the running ones have ended. */
  drain(): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    if (this.load === 0) this.destroy();
  }

  /** Ends it and every stream on it now. */
  destroy(reason?: TransportError): void {
    this.#death ??= reason;
    this.#end();
    this.#raw.destroy(reason);
    // Node would wait for the peer to close too, or for a last write that a dead peer never takes.
    if (reason) this.#socket.destroy();
    else this.#socket.destroySoon();
  }

  #open({ method, path, headers, body }: WireRequest): ClientHttp2Stream {
    const stream = this.#raw.request(
      {
        ':method': method,
        ':scheme': this.#target.secure ? 'https' : 'http',
        ':authority': this.#target.authority,
        ':path': path,
        ...(headers as Record<string, string | string[]>),
        ...(body ? { 'content-length': String(body.length) } : {}),
      },
      { endStream: body === undefined },
    );
    if (body) stream.end(body);
    return stream;
  }

  #failure({ stream, error }: Failure): TransportError {
    const unprocessed = stream.id === undefined || stream.id > this.#lastProcessed;
    if (unprocessed || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return this.#refused(error);
    if (this.#death) return this.#death;
    if (this.#raw.destroyed) return this.#lost('was closed by the peer', error);
    const name = resetNames[stream.rstCode] ?? String(stream.rstCode);
    return new TransportError('stream-reset', `${this.#target.authority} reset the stream (${name})`, { cause: error });
  }

  #refused(cause: Error | undefined): TransportError {
    return new TransportError('refused', `${this.#target.authority} takes no more streams on this connection`, {
      cause,
    });
  }

  #lost(what: string, cause?: Error): TransportError {
    return new TransportError('connection-lost', `the connection to ${this.#target.authority} ${what}`, { cause });
  }

  #end(): void {
    this.#state = 'closed';
    this.#health[Symbol.dispose]();
    this.#unused?.[Symbol.dispose]();
  }

  /** Called while no stream is open. */
  #watchUse(): void {
    switch (this.#state) {
      case 'closed':
        return;
      case 'draining':
        return this.destroy();
      case 'open':
        this.#unused = this.#options.clock.timer(unusedMs, () => this.drain());
    }
  }

  #checkHealth(): void {
    const { clock } = this.#options;
    const idle = clock.monotonic() - this.#lastRead;
    if (idle < readIdleMs) {
      this.#health = clock.timer(readIdleMs - idle, () => this.#checkHealth());
      return;
    }
    const askedAt = clock.monotonic();
    const deadline = clock.timer(pingTimeoutMs, () => {
      if (this.#lastRead >= askedAt) return this.#checkHealth();
      this.destroy(this.#lost(`was silent for ${readIdleMs + pingTimeoutMs} ms and did not answer a ping`));
    });
    this.#health = deadline;
    this.#raw.ping(() => {
      this.#lastRead = clock.monotonic();
      if (this.#health !== deadline || this.#state === 'closed') return;
      deadline[Symbol.dispose]();
      this.#checkHealth();
    });
  }
}

/** By code. @see RFC 9113 section 7 */
const resetNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];
