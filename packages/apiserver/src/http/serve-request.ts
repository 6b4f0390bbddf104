/** One request that came over a network, answered by a transport. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { gzipSync } from 'node:zlib';
import {
  bodyOf,
  describeError,
  readAll,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import { internalError } from '../api-error.ts';
import { bodyLimit } from './body-limit.ts';

/** What Node has of a request and its answer, in both protocols. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Smaller bodies are not worth it. @see kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/writers.go */
const gzipFrom = 128 << 10;

/** Bytes that are handed to a connection at once. */
const pieceSize = 64 << 10;

/** Never rejects: what goes wrong ends the exchange, and nothing else. */
export async function serveRequest(transport: Transport, request: NodeRequest, to: NodeResponse): Promise<void> {
  // Both have the same methods; their types, taken together, have none that can be called.
  const response = to as ServerResponse;
  const life = new AbortController();
  response.once('close', () => life.abort(new Error('the client has gone')));
  try {
    const asked = await readRequest(request);
    const answer = await transport(asked, { signal: life.signal }).catch(faultOf);
    // Only what is there already says how long it is: watches, which may not be held up, do not.
    if ('content-length' in answer.headers) await sendWhole(asked, answer, response);
    else await sendStream(answer, response);
  } catch {
    // A stream that breaks must not look as if it had ended.
    response.destroy();
  }
}

async function readRequest(request: NodeRequest): Promise<TransportRequest> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const { method = 'GET', url = '/' } = request;
  const body = await readBody(request);
  return { method, url: `https://plane${url}`, headers, ...(body.length > 0 ? { body } : {}) };
}

/** A body that is too long is cut, but so that it can be seen to be too long. */
async function readBody(request: NodeRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (length <= bodyLimit) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, bodyLimit + 1);
}

/** A fault of our own is an answer, too. */
function faultOf(error: unknown): TransportResponse {
  const bytes = Buffer.from(JSON.stringify(internalError(describeError(error)).status));
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) },
    body: bodyOf(bytes),
  };
}

async function sendWhole(
  { headers: { 'accept-encoding': accepted = '' } }: TransportRequest,
  { status, headers, body }: TransportResponse,
  response: ServerResponse,
): Promise<void> {
  const bytes = await readAll(body);
  if (bytes.length < gzipFrom || !/\bgzip\b/.test(accepted)) {
    response.writeHead(status, headers);
    await writeAll(bytes, response);
    return;
  }
  const zipped = gzipSync(bytes, { level: 1 });
  response.writeHead(status, {
    ...headers,
    'content-encoding': 'gzip',
    'content-length': String(zipped.length),
    vary: 'Accept-Encoding',
  });
  await writeAll(zipped, response);
}

/**
 * Piece by piece, as the client takes them. An h2 session refuses further streams while it holds too much that was not sent, and who
 * leaves in the middle of an answer would leave the rest of it there.
 */
async function writeAll(bytes: Uint8Array, response: ServerResponse): Promise<void> {
  let gone = false;
  response.once('close', () => (gone = true));
  for (let at = 0; at < bytes.length && !gone; at += pieceSize) {
    if (!response.write(bytes.subarray(at, at + pieceSize))) await drained(response);
  }
  if (!gone) response.end();
}

async function sendStream({ status, headers, body }: TransportResponse, response: ServerResponse): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves, too, when the connection is gone: the next write then tells. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
