/** What @grpc/grpc-js does not tell of a call: how its HTTP/2 stream ended, and how wide its windows are. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

/**
 * The stream under a call, as the first interceptor of a server sees the call.
 *
 * Assumption: grpc-js 1.14.7 keeps it in the field `stream`, which it calls private. The version is pinned, and a test holds it to this.
 * @see grpc/grpc-node@%40grpc%2Fgrpc-js%401.14.x packages/grpc-js/src/server-interceptors.ts (BaseServerInterceptingCall)
 * @throws TypeError when there is none: a server that cannot tell whether it was heard does not serve
 */
export function streamOf(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  const { stream } = call as { readonly stream?: ServerHttp2Stream };
  if (typeof stream?.close !== 'function') throw new TypeError('this version of @grpc/grpc-js hides its streams');
  return stream;
}

/** How a stream ended, for the server. */
export type StreamEnd =
  /** All of the answer went out. 0: OK. */
  | { readonly how: 'closed'; readonly status: number }
  /** The caller broke it off or is gone, or we cut it; an HTTP/2 error code. */
  | { readonly how: 'reset'; readonly code: number };

/** Calls back once, when the stream is over. */
export function onStreamEnd(stream: ServerHttp2Stream, ended: (end: StreamEnd) => void): void {
  stream.once('close', () => {
    // A call that fails before its first message sends its status in the headers.
    const status = (stream.sentTrailers ?? stream.sentHeaders)?.['grpc-status'];
    if (stream.rstCode === 0 && status !== undefined) ended({ how: 'closed', status: Number(status) });
    else ended({ how: 'reset', code: stream.rstCode });
  });
}

/** So much may be on its way to us on one connection, and on one stream of it, before we have read any. HTTP/2's own default is 64 KiB. */
export const windowBytes = 16 * 1024 * 1024;

/**
 * Opens the windows of connections, each once. The first request of a connection begins with narrow ones: a server learns of a session
 * with its first stream.
 */
export class Windows {
  readonly #opened = new WeakSet<ServerHttp2Session>();

  open(stream: ServerHttp2Stream): void {
    const session = stream.session as ServerHttp2Session | undefined;
    if (!session || session.destroyed || this.#opened.has(session)) return;
    this.#opened.add(session);
    session.setLocalWindowSize(windowBytes);
    session.settings({ initialWindowSize: windowBytes });
  }
}
