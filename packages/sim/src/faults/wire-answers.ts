/** Answers that are not the server's. */
import { bodyOf, type JsonObject, stringifyJson, type TransportResponse } from '@lifeline/core';
import { TransportError } from '@lifeline/k8s';

const utf8 = new TextEncoder();

export const textAnswer = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body: bodyOf(utf8.encode(text)),
});

/** A `Status` as an API server writes it. */
export const statusOf = (code: number, reason: string, details?: JsonObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `${reason}, by chance`,
  reason,
  ...(details && { details }),
  code,
});

export const statusAnswer = (
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse =>
  textAnswer(code, stringifyJson(statusOf(code, reason)), { 'content-type': 'application/json', ...headers });

/** The `ERROR` event of a watch that cannot go on. */
export const expiredEvent = (): Uint8Array =>
  utf8.encode(`${stringifyJson({ type: 'ERROR', object: statusOf(410, 'Expired') })}\n`);

export const lostConnection = (when: string): TransportError => new TransportError('connection-lost', when);
