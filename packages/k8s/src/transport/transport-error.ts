import { PlatformError } from '@lifeline/core';

export type TransportErrorCode =
  /** No connection: no such name, refused, not within the time. Nothing was sent. */
  | 'connect-failed'
  /** The handshake failed: a certificate does not verify, or ours was not taken. Nothing was sent. */
  | 'tls-failed'
  /** No token or client certificate to be had. Nothing was sent. */
  | 'no-credentials'
  /** The URL is not under the endpoint's server: its credentials must not go there. Nothing was sent. */
  | 'wrong-origin'
  /** The method, the URL or a header has characters that cannot stand there: Node sends some of them over HTTP/2. Nothing was sent. */
  | 'invalid-request'
  /** The peer turned the request away unprocessed (REFUSED_STREAM, GOAWAY), twice. Nothing happened. */
  | 'refused'
  /** The connection broke, or stopped answering, before the answer was complete. It may or may not have happened. */
  | 'connection-lost'
  /** The peer reset this one stream. It may or may not have happened. */
  | 'stream-reset'
  /** The body ended before its end: shorter than its content-length, or compressed data cut short. */
  | 'truncated'
  /** The body is not in the encoding that its head names, or in one that nobody asked for. */
  | 'bad-encoding';

/** Why an exchange has no complete answer. An HTTP status is never one: it is an answer. */
export class TransportError extends PlatformError<TransportErrorCode> {}

export const isTransportError = (error: unknown, ...codes: readonly TransportErrorCode[]): error is TransportError =>
  error instanceof TransportError && (codes.length === 0 || codes.includes(error.code));
