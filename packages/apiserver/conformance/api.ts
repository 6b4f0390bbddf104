/** Requests as a client sends them, one by one. */
import {
  type Clock,
  deadlineAbort,
  type JsonValue,
  readAll,
  stringifyJson,
  type Transport,
  type TransportRequest,
} from '@lifeline/core';
import { Answer } from './answer.ts';
import type { Caller, Credentials } from './target.ts';
import { Watch } from './watch.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: Query | undefined;
  /** Written as JSON. */
  readonly body?: JsonValue | undefined;
  /** The body as it is. */
  readonly raw?: string | Uint8Array | undefined;
  /** Content type of the body. Default `application/json`. */
  readonly type?: string | undefined;
  readonly accept?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default `admin`. */
  readonly as?: Caller | undefined;
}

/** What a server said, byte for byte. */
export interface EncodedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly to: string;
}

export interface ApiOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Of one request, and of the wait for one watch event. */
  readonly limitMs: number;
}

const utf8 = new TextDecoder();
const encoder = new TextEncoder();

export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { bytes, ...rest } = await this.requestBytes(method, path, options);
    return new Answer({ ...rest, text: utf8.decode(bytes) });
  }

  async requestBytes(method: string, path: string, options: RequestOptions = {}): Promise<EncodedAnswer> {
    const { transport, clock, limitMs } = this.#options;
    const request = this.#requestOf(method, path, options);
    using life = deadlineAbort(clock, limitMs);
    const { status, headers, body } = await transport(request, { signal: life.signal });
    return { status, headers, bytes: await readAll(body), to: `${method} ${request.url}` };
  }

  /** A watch that was let in; else what the server said instead. */
  async watch(path: string, options: RequestOptions = {}): Promise<Watch | Answer> {
    const { transport, clock, limitMs } = this.#options;
    const request = this.#requestOf('GET', path, { ...options, query: { watch: true, ...options.query } });
    const controller = new AbortController();
    const { status, headers, body } = await transport(request, { signal: controller.signal });
    if (status === 200) return new Watch({ body, headers, controller, clock, limitMs });
    return new Answer({ status, headers, text: utf8.decode(await readAll(body)), to: `watch ${request.url}` });
  }

  #requestOf(method: string, path: string, options: RequestOptions): TransportRequest {
    const { baseUrl } = this.#options;
    const query = Object.entries(options.query ?? {}).flatMap(([key, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`],
    );
    const body = bodyOf(options);
    return {
      method,
      url: `${baseUrl}${path}${query.length > 0 ? `${path.includes('?') ? '&' : '?'}${query.join('&')}` : ''}`,
      headers: {
        accept: options.accept ?? 'application/json',
        'user-agent': options.userAgent ?? 'conformance/1.0',
        ...(body === undefined ? {} : { 'content-type': options.type ?? 'application/json' }),
        ...this.#credentials(options.as ?? 'admin'),
        ...options.headers,
      },
      body,
    };
  }

  #credentials(caller: Caller): Record<string, string> {
    const { admin, plain } = this.#options.credentials;
    const token = { admin, plain, nobody: 'no-such-token' }[caller];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }
}

function bodyOf({ body, raw }: RequestOptions): Uint8Array | undefined {
  if (body !== undefined) return encoder.encode(stringifyJson(body));
  return typeof raw === 'string' ? encoder.encode(raw) : raw;
}
