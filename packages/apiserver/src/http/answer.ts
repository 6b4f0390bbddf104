/** Answers that are no Kubernetes objects. */
import type { TransportResponse } from '@lifeline/core';
import { bytesBody } from './body.ts';
import { utf8 } from './encode.ts';

export interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answer({ code, type, body, headers }: Answer, signal: AbortSignal): TransportResponse {
  const bytes = utf8(body);
  return {
    status: code,
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      ...headers,
    },
    body: bytesBody(bytes, signal),
  };
}

export const plainText = (code: number, body: string): Answer => ({
  code,
  type: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});

/** To what is no request. */
export const notUnderstood: Answer = { code: 400, type: 'text/plain; charset=utf-8', body: '400 Bad Request' };

/** Where nothing is served at all. */
export const pageNotFound: Answer = plainText(404, '404 page not found\n');
