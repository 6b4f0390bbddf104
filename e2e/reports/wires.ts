/** What a test puts between a replica and a plane. */
import {
  abortable,
  bodyOf,
  type DurationMs,
  type TransportInterceptor,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import { TransportError } from '@lifeline/k8s';

/** Nobody answers at that address. */
export const unreachable: TransportInterceptor = () => () =>
  Promise.reject(new TransportError('connect-failed', 'connection refused'));

/** The request is taken, and nothing ever comes back. */
export const noAnswer: TransportInterceptor =
  () =>
  (_, { signal }) =>
    abortable(new Promise<never>(() => undefined), signal);

export type Wanted = (request: TransportRequest) => boolean;

/** Requests take so long to arrive. */
export const slow =
  (clock: VirtualClock, ms: DurationMs, wanted: Wanted = () => true): TransportInterceptor =>
  (next) =>
  async (request, options) => {
    if (wanted(request)) await clock.sleep(ms, options.signal);
    return next(request, options);
  };

export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** Answers as written, in place of the server, where there is something to say. */
export const answering =
  (answer: (request: TransportRequest) => PlainAnswer | undefined): TransportInterceptor =>
  (next) =>
  async (request, options) => {
    const given = answer(request);
    if (!given) return next(request, options);
    options.admit?.();
    const { status, headers = {}, body = '' } = given;
    return { status, headers, body: bodyOf(new TextEncoder().encode(body)) };
  };

export const isWatch = ({ url }: Pick<TransportRequest, 'url'>): boolean => /[?&]watch=true(&|$)/.test(url);
export const isList = ({ method, url }: TransportRequest): boolean =>
  method === 'GET' && !isWatch({ url }) && /\/configmaps\?/.test(url);

/** Bodies of the wanted answers, piece by piece, as `pieces` makes them. */
export const reshaped =
  (pieces: (chunk: Uint8Array) => Iterable<Uint8Array>, wanted: Wanted): TransportInterceptor =>
  (next) =>
  async (request, options) => {
    const response = await next(request, options);
    return wanted(request) ? { ...response, body: pieceByPiece(response.body, pieces) } : response;
  };

/** No generator: told to return while it waits for its source, one would wait on. */
function pieceByPiece(
  body: AsyncIterable<Uint8Array>,
  pieces: (chunk: Uint8Array) => Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  let ready: Uint8Array[] = [];
  const iterator: AsyncIterableIterator<Uint8Array> = {
    async next() {
      while (ready.length === 0) {
        const result = await source.next();
        if (result.done) return result;
        ready = [...pieces(result.value)];
      }
      return { done: false, value: ready.shift() as Uint8Array };
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** Speaks for the server on the watches that pass through it: what it says comes between the server's own events. */
export class Tap {
  readonly #streams = new Set<(line: Uint8Array) => void>();

  readonly interceptor: TransportInterceptor = (next) => async (request, options) => {
    const response = await next(request, options);
    return isWatch(request) && response.status === 200 ? this.#tapped(response) : response;
  };

  say(...events: readonly { readonly type: string; readonly object: unknown }[]): void {
    for (const event of events) {
      const line = new TextEncoder().encode(`${JSON.stringify(event)}\n`);
      for (const hear of this.#streams) hear(line);
    }
  }

  #tapped(response: TransportResponse): TransportResponse {
    const source = response.body[Symbol.asyncIterator]();
    const said: Uint8Array[] = [];
    let wake: () => void = () => undefined;
    let pending: Promise<IteratorResult<Uint8Array>> | undefined;
    const hear = (line: Uint8Array): void => {
      said.push(line);
      wake();
    };
    this.#streams.add(hear);
    const iterator: AsyncIterableIterator<Uint8Array> = {
      next: async () => {
        for (;;) {
          const line = said.shift();
          if (line) return { done: false, value: line };
          pending ??= source.next();
          const result = await Promise.race([pending, new Promise<void>((resolve) => (wake = resolve))]);
          if (!result) continue;
          pending = undefined;
          if (result.done) this.#streams.delete(hear);
          return result;
        }
      },
      return: async () => {
        this.#streams.delete(hear);
        await source.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return { ...response, body: iterator };
  }
}
