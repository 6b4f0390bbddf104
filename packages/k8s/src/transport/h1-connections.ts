/** HTTP/1.1: one connection an exchange, kept for the next one. For servers without HTTP/2, and for plain `http:`. */
import { Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, DurationMs, TransportResponse } from '@lifeline/core';
import { Body } from './body.ts';
import type { Target } from './dial.ts';
import { Limiter } from './limiter.ts';
import { isTransportError, TransportError } from './transport-error.ts';
import { type ExchangeOptions, plainHeaders, type WireRequest } from './wire.ts';

/** The agent's own limit does not count connections that are still being opened. Watches have none: each takes a connection for minutes. */
const unaryConnections = 64;
const unusedMs: DurationMs = 60_000;

export interface H1Options {
  readonly target: Target;
  readonly clock: Clock;
  /** A connected socket. */
  dial(): Promise<Socket>;
  /** One that is connected already. */
  readonly first: Socket;
  /** Told each time the last running exchange has ended. */
  onIdle(): void;
}

/**
 * Guarantees: at most 64 short requests at once. One that only reads, on a kept connection that the server was just closing, fails as
 * `refused`: it is safe to send it again.
 */
export class H1Connections {
  readonly #options: H1Options;
  readonly #agent: DialingAgent;
  readonly #unary = new Limiter(unaryConnections);
  #spare: Socket | undefined;
  #running = 0;
  #draining = false;
  #unused: Disposable | undefined;

  constructor(options: H1Options) {
    this.#options = options;
    this.#agent = new DialingAgent(() => this.#takeSpare() ?? options.dial());
    this.#spare = options.first.on('error', () => undefined);
    this.#watchUse();
  }

  get running(): number {
    return this.#running;
  }

  async exchange(request: WireRequest, options: ExchangeOptions): Promise<TransportResponse> {
    const place = options.lane === 'unary' ? await this.#unary.take(options.signal) : undefined;
    return this.#send(request, options, place);
  }

  /** Closes connections as they become free. */
  drain(): void {
    this.#draining = true;
    this.#unused?.[Symbol.dispose]();
    this.#closeFree();
    this.#agent.maxFreeSockets = 0;
  }

  destroy(): void {
    this.drain();
    this.#agent.destroy();
  }

  /** @param place taken before, given back when the connection is free again */
  #send(
    request: WireRequest,
    { signal, admit, onBodySettled }: ExchangeOptions,
    place: Disposable | undefined,
  ): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request);
      let body: Body | undefined;
      let error: Error | undefined;
      this.#start();
      const onAbort = (): void => {
        body?.abort(signal.reason);
        reject(signal.reason);
        outgoing.destroy();
      };
      const settled = (): void => signal.removeEventListener('abort', onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      // The connection is there and nothing is written yet: the last moment to say no.
      outgoing.once('socket', () => {
        try {
          admit?.();
          outgoing.end(request.body);
        } catch (refusal) {
          reject(refusal);
          outgoing.destroy();
        }
      });
      outgoing.on('error', (cause) => (error ??= cause));
      outgoing.once('close', () => {
        settled();
        place?.[Symbol.dispose]();
        this.#end();
        if (!body) reject(this.#failure(outgoing, error));
      });
      outgoing.once('response', (incoming) => {
        const answer = this.#response(request, incoming, {
          cancel: () => outgoing.destroy(),
          failure: () => this.#lost(error),
          settled: () => {
            settled();
            onBodySettled();
          },
        });
        body = answer.body;
        resolve(answer);
      });
    });
  }

  /** Nothing is written yet. */
  #open({ method, path, headers, body }: WireRequest): ClientRequest {
    const { host, port, authority } = this.#options.target;
    return openRequest({
      agent: this.#agent,
      host,
      port,
      method,
      path,
      headers: { ...headers, host: authority, ...(body ? { 'content-length': body.length } : {}) },
    });
  }

  #response(
    { method }: WireRequest,
    incoming: IncomingMessage,
    { cancel, failure, settled }: Record<'cancel' | 'settled', () => void> & { readonly failure: () => TransportError },
  ): TransportResponse & { readonly body: Body } {
    const status = incoming.statusCode ?? 0;
    const headers = plainHeaders(incoming.headers);
    incoming.on('error', () => undefined); // told by 'close'
    const body = new Body({
      stream: incoming,
      method,
      status,
      headers,
      onData: () => undefined,
      endFailure: () => (incoming.complete ? undefined : failure()),
      closeFailure: failure,
      cancel,
      onSettled: settled,
    });
    return { status, headers, body };
  }

  #failure(outgoing: ClientRequest, error: Error | undefined): TransportError {
    if (isTransportError(error)) return error;
    const { method, reusedSocket } = outgoing;
    return reusedSocket && (method === 'GET' || method === 'HEAD')
      ? new TransportError('refused', `${this.#options.target.authority} closed a kept connection`, { cause: error })
      : this.#lost(error);
  }

  #lost(cause: Error | undefined): TransportError {
    const { authority } = this.#options.target;
    return new TransportError('connection-lost', `the connection to ${authority} broke`, { cause });
  }

  #start(): void {
    this.#running++;
    this.#unused?.[Symbol.dispose]();
  }

  #end(): void {
    if (--this.#running > 0) return;
    this.#watchUse();
    this.#options.onIdle();
  }

  #watchUse(): void {
    if (!this.#draining) this.#unused = this.#options.clock.timer(unusedMs, () => this.#closeFree());
  }

  #closeFree(): void {
    this.#spare?.destroy();
    this.#spare = undefined;
    this.#agent.closeFree();
  }

  #takeSpare(): Promise<Socket> | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare && !spare.destroyed ? Promise.resolve(spare) : undefined;
  }
}

/** Keeps sockets for reuse; new ones come from `dial`, connected and with TLS done. */
class DialingAgent extends Agent {
  readonly #dial: () => Promise<Socket>;

  constructor(dial: () => Promise<Socket>) {
    super({ keepAlive: true });
    this.#dial = dial;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    this.#dial().then(
      (socket) => callback?.(null, socket),
      (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
    );
    return undefined;
  }

  closeFree(): void {
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}
