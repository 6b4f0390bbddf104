/** What a write request says about itself. */
import { isJsonObject, type JsonObject, parseJsonBytes, type TransportRequest } from '@lifeline/core';
import type { Verb } from '@lifeline/k8s';
import type { Sent } from '../world/record.ts';

/** The body, when it is a JSON object. */
export function bodyOfRequest({ body }: TransportRequest): JsonObject | undefined {
  if (!body || body.length === 0) return undefined;
  const value = parseJsonBytes(body);
  return isJsonObject(value) ? value : undefined;
}

/** The verb as write rights name it; undefined for a whole-object replacement, which no right allows. */
export function verbOf({ request }: Sent): Verb | undefined {
  switch (request.method) {
    case 'POST':
      return 'create';
    case 'DELETE':
      return 'delete';
    case 'PATCH':
      return request.headers['content-type'] === 'application/apply-patch+yaml' ? 'apply' : 'patch';
    default:
      return undefined;
  }
}

/** The field manager, else who asked. */
export function managerOf({ request }: Sent): string {
  const named = /[?&]fieldManager=([^&]*)/.exec(request.url)?.[1];
  return named === undefined ? (request.headers['user-agent'] ?? '').replace(/\/.*/, '') : decodeURIComponent(named);
}

/** The uid that a delete insists on. */
export function uidPrecondition(sent: Sent): string | undefined {
  const preconditions = bodyOfRequest(sent.request)?.['preconditions'];
  const uid = isJsonObject(preconditions) ? preconditions['uid'] : undefined;
  return typeof uid === 'string' ? uid : undefined;
}
