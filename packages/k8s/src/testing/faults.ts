/** What goes wrong between a client and a server, drawn at random: answers that are not the server's, lost messages, torn bodies. */
import {
  abortable,
  bodyOf,
  type Clock,
  type DurationMs,
  type Random,
  readAll,
  type TransportInterceptor,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import { TransportError } from '../transport/transport-error.ts';
import { jsonAnswer } from './kube-call.ts';
import { expired, Refusal } from './refusal.ts';

/** Each happens to a request or to an event of a watch, with the probability that the plan gives it. */
export const faultNames = [
  /** 409 to a write that did not happen. */
  'conflict',
  /** 410 to a list or a watch. */
  'gone',
  /** 429 with `Retry-After`, half of them in plain text. */
  'throttled',
  /** 500. */
  'broken',
  /** 503, half of them with `Retry-After`. */
  'unavailable',
  /** 504 from a proxy, in HTML; the request did not arrive. */
  'gatewayTimeout',
  /** The connection breaks before the request arrives. */
  'lostRequest',
  /** It breaks after the request was carried out. */
  'lostReply',
  /** Neither an answer nor an error. */
  'hang',
  'delay',
  /** The connection breaks at some byte of the body. */
  'cutBody',
  /** The body ends at some byte as if that were its end. */
  'truncatedBody',
  /** The body comes in small pieces. */
  'chunks',
  /** A watch sends an event twice. */
  'duplicateEvent',
  /** A watch sends an event again, some events later. */
  'staleEvent',
] as const;
export type FaultName = (typeof faultNames)[number];

/** Probabilities from 0 to 1; absent is 0. Read anew for each request, so that a test may change it as it goes. */
export type FaultPlan = { [name in FaultName]?: number } & {
  /** Drawn between the two. Default 0–2,000. */
  delayMs?: readonly [DurationMs, DurationMs];
  /** Drawn from these. Default `1` and `7`. */
  retryAfter?: readonly string[];
};

export interface FaultOptions {
  readonly clock: Clock;
  /** Counts what happened. */
  readonly fired?: Map<FaultName, number> | undefined;
}

/** All faults alike, so that about this share of requests meets one. Without `hang`, which costs a whole deadline each time. */
export function evenFaults(share: number): FaultPlan {
  const names = faultNames.filter((name) => name !== 'hang');
  return Object.fromEntries(names.map((name) => [name, share / names.length]));
}

export function withFaults(random: Random, plan: FaultPlan, { clock, fired }: FaultOptions): TransportInterceptor {
  const strikes = (name: FaultName): boolean => {
    const probability = plan[name] ?? 0;
    if (probability === 0 || random.next() >= probability) return false;
    fired?.set(name, (fired.get(name) ?? 0) + 1);
    return true;
  };
  return (next) => async (request, options) => {
    const { signal } = options;
    if (strikes('delay')) {
      const [least, most] = plan.delayMs ?? [0, 2_000];
      await clock.sleep(least + random.next() * (most - least), signal);
    }
    if (strikes('hang')) return abortable(new Promise<never>(() => undefined), signal);
    if (strikes('lostRequest')) throw new TransportError('connection-lost', 'before the request arrived');
    const answer = falseAnswer(request, { strikes, random, plan });
    if (answer) return answer;
    const response = await next(request, options);
    if (strikes('lostReply')) {
      await release(response);
      throw new TransportError('connection-lost', 'before the answer arrived');
    }
    return withBodyFaults(response, { strikes, random, isWatch: isWatch(request) && response.status === 200 });
  };
}

interface Draw {
  readonly strikes: (name: FaultName) => boolean;
  readonly random: Random;
}

const isWatch = ({ url }: TransportRequest): boolean => /[?&]watch=true(&|$)/.test(url);
/** What an API server may call expired: a watch, a list. */
const mayExpire = ({ url, method }: TransportRequest): boolean =>
  method === 'GET' && /[?&](resourceVersion|continue|limit)=/.test(url);

function falseAnswer(
  request: TransportRequest,
  { strikes, random, plan }: Draw & { plan: FaultPlan },
): TransportResponse | undefined {
  const retryAfter = (): Record<string, string> => {
    const values = plan.retryAfter ?? ['1', '7'];
    return { 'retry-after': values[random.int(values.length)] ?? '1' };
  };
  const refuse = (code: number, reason: string, headers = {}): TransportResponse =>
    jsonAnswer(code, new Refusal({ code, reason, message: `${reason}, by chance` }).status, headers);
  const text = (status: number, body: string, headers: Record<string, string>): TransportResponse => ({
    status,
    headers,
    body: bodyOf(new TextEncoder().encode(body)),
  });
  if (request.method !== 'GET' && strikes('conflict')) return refuse(409, 'Conflict');
  if (mayExpire(request) && strikes('gone')) return jsonAnswer(410, expired().status);
  if (strikes('throttled')) {
    const headers = retryAfter();
    return random.int(2) === 0
      ? refuse(429, 'TooManyRequests', headers)
      : text(429, 'Too many requests, please try again later.\n', { 'content-type': 'text/plain', ...headers });
  }
  if (strikes('broken')) return refuse(500, 'InternalError');
  if (strikes('unavailable')) return refuse(503, 'ServiceUnavailable', random.int(2) === 0 ? retryAfter() : {});
  if (strikes('gatewayTimeout')) return text(504, '<html>504 Gateway Time-out</html>', { 'content-type': 'text/html' });
  return undefined;
}

/** Lets go of a response that nobody will read. */
async function release({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

type Transform = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void, undefined>;

function withBodyFaults(
  response: TransportResponse,
  { strikes, random, isWatch }: Draw & { isWatch: boolean },
): TransportResponse {
  const transforms: Transform[] = [];
  if (isWatch) transforms.push((source) => repeatEvents(source, { strikes, random }));
  const breaks = strikes('cutBody');
  if (breaks || strikes('truncatedBody')) transforms.push((source) => endEarly(source, { random, isWatch, breaks }));
  if (strikes('chunks')) transforms.push((source) => rechunk(source, random));
  return { ...response, body: transforms.reduce(transformed, response.body) };
}

/** A generator is stuck in its `await` when it is told to return; so the source is told first, which ends that wait. */
function transformed(body: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  const shaped = transform({ [Symbol.asyncIterator]: () => source });
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next: () => shaped.next(),
    return: async () => {
      await source.return?.();
      return shaped.return(undefined);
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** Events of a watch that may come again. */
const remembered = 16;

async function* repeatEvents(
  source: AsyncIterable<Uint8Array>,
  { strikes, random }: Draw,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sent: Uint8Array[] = [];
  // Servers in process send one event a chunk.
  for await (const line of source) {
    yield line;
    if (strikes('duplicateEvent')) yield line;
    const old = sent.length > 0 && strikes('staleEvent') ? sent[random.int(sent.length)] : undefined;
    if (old) yield old;
    if (sent.push(line) > remembered) sent.shift();
  }
}

async function* endEarly(
  source: AsyncIterable<Uint8Array>,
  { random, isWatch, breaks }: { random: Random; isWatch: boolean; breaks: boolean },
): AsyncGenerator<Uint8Array, void, undefined> {
  const whole = isWatch ? undefined : await readAll(source);
  let left = random.int(Math.max(1, whole?.length ?? 4_096));
  for await (const chunk of whole ? bodyOf(whole) : source) {
    if (chunk.length > left) {
      if (left > 0) yield chunk.subarray(0, left);
      if (breaks) throw new TransportError('connection-lost', 'in the body');
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
}

async function* rechunk(
  source: AsyncIterable<Uint8Array>,
  random: Random,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const size = 1 + random.int(64);
      yield chunk.subarray(at, at + size);
      at += size;
    }
  }
}
