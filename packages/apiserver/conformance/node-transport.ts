/**
 * Core's Transport over Node's own HTTP clients: just enough for the suite. Nothing is retried, and nothing is decoded: who asks for a
 * content encoding gets it as it came.
 */
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Transport, TransportResponse } from '@lifeline/core';

export interface NodeTransportOptions {
  /** Of which the requests' URLs are. */
  readonly baseUrl: string;
  readonly protocol: 'h1' | 'h2';
  /** PEM. */
  readonly ca?: string | undefined;
}

export interface NodeTransport extends Disposable {
  readonly transport: Transport;
}

export const nodeTransport = (options: NodeTransportOptions): NodeTransport =>
  options.protocol === 'h2' ? h2Transport(options) : h1Transport(options);

const joined = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

function h1Transport({ baseUrl, ca }: NodeTransportOptions): NodeTransport {
  const tls = baseUrl.startsWith('https:');
  const agent = tls ? new TlsAgent({ keepAlive: true, ca }) : new PlainAgent({ keepAlive: true });
  const transport: Transport = ({ method, url, headers, body }, { signal, admit }) =>
    new Promise((resolve, reject) => {
      admit?.();
      const onResponse = (message: IncomingMessage): void =>
        resolve({ status: message.statusCode ?? 0, headers: joined(message.headers), body: message });
      // Without a length, Node frames no body of a DELETE.
      const length = body === undefined ? {} : { 'content-length': body.length };
      const options = { method, headers: { ...headers, ...length }, agent, signal };
      const request = tls ? tlsRequest(url, options, onResponse) : plainRequest(url, options, onResponse);
      request.on('error', reject);
      request.end(body);
    });
  return { transport, [Symbol.dispose]: () => agent.destroy() };
}

function h2Transport({ baseUrl, ca }: NodeTransportOptions): NodeTransport {
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (!session || session.closed || session.destroyed) {
      session = connect(new URL(baseUrl).origin, { ca });
      // Its streams fail with the same error.
      session.on('error', () => undefined);
    }
    return session;
  };
  const send: Transport = ({ method, url, headers, body }, { signal }) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { pathname, search } = new URL(url);
      const head = { ...headers, ':method': method, ':path': pathname + search };
      const stream = open().request(head, { signal, endStream: body === undefined });
      stream.on('error', (error) =>
        reject(stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ? new RefusedError() : error),
      );
      stream.on('response', (head) => resolve({ status: head[':status'] ?? 0, headers: joined(head), body: stream }));
      if (body !== undefined) stream.end(body);
    });
  const transport: Transport = async (request, options) => {
    options.admit?.();
    for (;;) {
      try {
        return await send(request, options);
      } catch (error) {
        // The peer has too many streams and did nothing yet. @see RFC 9113 section 8.7
        if (!(error instanceof RefusedError)) throw error;
      }
    }
  };
  return { transport, [Symbol.dispose]: () => session?.destroy() };
}

class RefusedError extends Error {}
