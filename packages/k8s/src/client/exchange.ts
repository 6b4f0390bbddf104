/** One request to one plane: budget, deadline, count, and every way to fail as a {@link KubeError}. */
import {
  type Clock,
  deadlineAbort,
  DeadlineError,
  describeError,
  type DurationMs,
  type EpochMs,
  JsonError,
  type JsonValue,
  linkAbort,
  metricDefinitions,
  parseJsonBytes,
  readAll,
  stringifyJson,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import type { Counter, Metrics } from '../app/metrics.ts';
import { isTransportError, type TransportErrorCode } from '../transport/transport-error.ts';
import type { CallOptions } from './client.ts';
import { isKubeError, KubeError, type KubeErrorCode } from './kube-error.ts';
import { retryAfter, shortestPauseMs } from './retry-after.ts';
import type { BudgetPass, Fate, RetryBudget } from './retry-budget.ts';
import { answerError, type ErrorTarget } from './status-error.ts';

export interface KubeRequest {
  readonly method: string;
  /** Below the plane's base URL, with the query. */
  readonly path: string;
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly target?: ErrorTarget | undefined;
  /** Reads the answer. Default: all of it. @throws JsonError */
  readonly read?: ((text: string) => JsonValue) | undefined;
  /** Waited for, when it is one, before an answer that may be large is read. Default: it is read at once. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
}

export interface ExchangeOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly budget: RetryBudget;
  readonly metrics?: Metrics | undefined;
  readonly userAgent: string;
  readonly timeoutMs: DurationMs;
}

/** A stream that the server has begun. */
export interface OpenStream {
  readonly body: AsyncIterable<Uint8Array>;
  /** What reading threw, as the caller is to get it. */
  readonly failure: (error: unknown) => unknown;
  /** To be called when the stream has ended. */
  readonly ended: () => void;
}

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #requests: Counter | undefined;
  readonly #host: string;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#requests = options.metrics?.counter(metricDefinitions.restRequests);
    this.#host = new URL(options.baseUrl).host;
  }

  /** The JSON of a success, read to its end within the deadline. @throws KubeError, or the reason of `signal` */
  async json(request: KubeRequest, options: CallOptions): Promise<JsonValue> {
    const { clock, timeoutMs, budget, baseUrl } = this.#options;
    const pass = await budget.enter(baseUrl, options);
    using life = deadlineAbort(clock, timeoutMs, options.signal);
    const trip = new Trip(this.what(request), life.signal, options);
    try {
      const { body } = await this.#send(request, trip, pass);
      const bytes = await readAll(body);
      const turn = request.turn?.();
      if (turn) await turn;
      return parseJsonBytes(bytes, request.read);
    } catch (error) {
      throw trip.failure(error);
    }
  }

  /** Resolves when a success has begun, within the deadline; from then on only `signal` ends it. @throws as {@link json} */
  async stream(request: KubeRequest, options: CallOptions): Promise<OpenStream> {
    const { clock, timeoutMs, budget, baseUrl } = this.#options;
    const pass = await budget.enter(baseUrl, options);
    const life = linkAbort(options.signal);
    using _deadline = clock.timer(timeoutMs, () => life.abort(new DeadlineError(`no answer within ${timeoutMs} ms`)));
    const trip = new Trip(this.what(request), life.signal, options);
    try {
      const { body } = await this.#send(request, trip, pass);
      const failure = (error: unknown): unknown => {
        // An `ERROR` event may ask for patience, as an answer does.
        if (isKubeError(error, 'throttled')) budget.throttle(baseUrl, error.retryAfterMs ?? shortestPauseMs);
        return trip.failure(error);
      };
      return { body, failure, ended: () => life[Symbol.dispose]() };
    } catch (error) {
      life[Symbol.dispose]();
      throw trip.failure(error);
    }
  }

  /** `GET https://host/…`, without the query. */
  what({ method, path }: Pick<KubeRequest, 'method' | 'path'>): string {
    return `${method} ${this.#options.baseUrl}${path.replace(/\?.*/, '')}`;
  }

  async #send(request: KubeRequest, trip: Trip, pass: BudgetPass): Promise<TransportResponse> {
    const { transport, clock } = this.#options;
    let fate: Fate = { at: 'abandoned' };
    let code = '<error>';
    let response: TransportResponse;
    try {
      response = await transport(this.#wireRequest(request), { signal: trip.life, admit: trip.admit });
      fate = fateOf(response, clock.now());
      code = String(response.status);
    } catch (error) {
      if (isTransportError(error, ...connectionFailures)) fate = { at: 'unreachable' };
      throw error;
    } finally {
      pass.settle(fate);
      if (!trip.refused) this.#requests?.inc({ code, method: request.method, host: this.#host });
    }
    if (response.status >= 200 && response.status < 300) return response;
    const { status, headers } = response;
    const said = await errorText(response);
    trip.life.throwIfAborted();
    throw answerError({ what: trip.what, target: request.target }, { status, headers, ...said }, clock);
  }

  #wireRequest({
    method,
    path,
    body,
    accept = 'application/json',
    contentType = 'application/json',
  }: KubeRequest): TransportRequest {
    const { baseUrl, userAgent } = this.#options;
    const url = baseUrl + path;
    const headers = { accept, 'user-agent': userAgent };
    if (body === undefined) return { method, url, headers };
    const bytes = new TextEncoder().encode(stringifyJson(body));
    return { method, url, headers: { ...headers, 'content-type': contentType }, body: bytes };
  }
}

/** A request under way, and what its failures mean. */
class Trip {
  readonly what: string;
  /** The caller's signal and our deadline. */
  readonly life: AbortSignal;
  readonly admit: (() => void) | undefined;
  readonly #caller: AbortSignal;
  #refusal: { readonly error: unknown } | undefined;

  constructor(what: string, life: AbortSignal, { signal, admit }: CallOptions) {
    this.what = what;
    this.life = life;
    this.#caller = signal;
    this.admit = admit && ((): void => this.#ask(admit));
  }

  /** The caller took it back at the last moment: nothing was sent. */
  get refused(): boolean {
    return this.#refusal !== undefined;
  }

  /** What the caller gets for what was thrown: its own reasons as they are, everything else as a KubeError. */
  failure(error: unknown): unknown {
    if (this.#refusal) return this.#refusal.error;
    if (this.#caller.aborted) return this.#caller.reason;
    if (this.life.aborted) return this.#error('timeout', this.life.reason);
    if (error instanceof KubeError) return error;
    return this.#error(codeOf(error), error);
  }

  #error(code: KubeErrorCode, cause: unknown): KubeError {
    return new KubeError(code, `${this.what}: ${describeError(cause)}`, { cause });
  }

  #ask(admit: () => void): void {
    try {
      admit();
    } catch (error) {
      this.#refusal = { error };
      throw error;
    }
  }
}

/** Those that say something about the whole server. Nothing else holds other requests back. */
const connectionFailures: readonly TransportErrorCode[] = [
  'connect-failed',
  'tls-failed',
  'refused',
  'connection-lost',
];

function codeOf(error: unknown): KubeErrorCode {
  if (error instanceof JsonError || isTransportError(error, 'bad-encoding')) return 'malformed';
  if (isTransportError(error, 'no-credentials')) return 'unauthorized';
  return isTransportError(error, 'wrong-origin') ? 'invalid' : 'unavailable';
}

function fateOf({ status, headers }: TransportResponse, now: EpochMs): Fate {
  const pauseMs = retryAfter(headers['retry-after'], now);
  if (status === 429) return { at: 'throttled', pauseMs: pauseMs ?? shortestPauseMs };
  return status === 503 && pauseMs !== undefined ? { at: 'unavailable', pauseMs } : { at: 'answered' };
}

/** As far as it can be read: most statuses say enough alone. */
async function errorText({ body }: TransportResponse): Promise<{ readonly text: string; readonly isCut: boolean }> {
  try {
    return { text: new TextDecoder().decode(await readAll(body)), isCut: false };
  } catch {
    return { text: '', isCut: true };
  }
}
